// The MCP server as a program: the agent, the project and the page's address come from options and the environment.
import { parseAskerId } from "@hap/protocol";
import { connectAgent } from "@hap/sdk/agent";
import { findProject } from "@hap/sdk/project";
import { serveMcpStdio } from "./stdio.ts";

/** The agent that asks when neither an option nor HAP_AGENT_ID names one. */
export const DEFAULT_AGENT = "agent:mcp";

export type McpProgram = {
  agent?: string | undefined;
  project?: string | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
  warn: (text: string) => void;
};

/** Serve on standard input and output until the host closes it. */
export async function serveEnvironment({ agent, project, env, cwd, home, warn }: McpProgram): Promise<void> {
  const named = agent === undefined ? {} : { agent: parseAskerId(agent, "--agent") };
  const base = (env.HAP_REVIEW_URL || env.HAP_URL)?.replace(/\/+$/, "");
  await serveMcpStdio({
    connect: (joined) => connectAgent({ ...(joined === undefined ? named : { agent: joined }), otherwise: DEFAULT_AGENT }),
    project: project ?? findProject(cwd, home),
    reviewUrl: base === undefined || base === "" ? null : (id) => `${base}/tickets/${id}`,
    warn,
  });
}
