// hap mcp: the MCP server over standard input and output, for hosts that start one as a process.
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

type Options = { agent?: string; project?: string };

/** As DEFAULT_AGENT of the MCP server, which is loaded only when it runs. */
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

async function mcp({ env, cwd, home, err }: Context, options: Options): Promise<void> {
  const { serveEnvironment } = await import("@hap/door-mcp/serve-environment");
  await serveEnvironment({ ...options, env, cwd, home, warn: (text) => err.line(`hap mcp: ${text}`) });
}
