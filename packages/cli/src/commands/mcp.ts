// hap mcp: the MCP server over standard input and output, for hosts that start one as a process.
import { parseAskerId } from "@hap/protocol";
import { connectAgent } from "@hap/sdk/agent";
import { findProject } from "@hap/sdk/project";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

type Options = { agent?: string; project?: string };

/** Whom tickets are from when nobody says. */
const AGENT = "agent:mcp";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Serve the Model Context Protocol on standard input and output, revisions 2025-11-25 and 2026-07-28. An agent asks and waits through it; it cannot decide.",
    )
    .option("--agent <AGENT>", `the agent that asks (default: HAP_AGENT_ID, else ${AGENT})`)
    .option("--project <FOLDER>", "the project (default: the nearest folder from here up with .git or .hap)")
    .addHelpText("after", "\nEnds when its host closes standard input. Put it into a host's settings with `hap init`.")
    .addHelpText("after", examples("hap mcp", "hap mcp --agent agent:reviewer"))
    .action((options: Options) => mcp(context, options));
}

async function mcp(context: Context, options: Options): Promise<void> {
  const named = options.agent === undefined ? {} : { agent: parseAskerId(options.agent, "--agent") };
  const base = (context.env.HAP_REVIEW_URL || context.env.HAP_URL)?.replace(/\/+$/, "");
  const { serveMcpStdio } = await import("@hap/door-mcp/stdio");
  await serveMcpStdio({
    connect: (agent) => connectAgent({ ...(agent === undefined ? named : { agent }), otherwise: AGENT }),
    project: options.project ?? findProject(context.cwd, context.home),
    reviewUrl: base === undefined || base === "" ? null : (id) => `${base}/tickets/${id}`,
    warn: (text) => context.err.line(`hap mcp: ${text}`),
  });
}
