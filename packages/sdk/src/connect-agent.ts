// The way in for agents (D2). Doors and the agents that we run import only this module; a check enforces it.
import { DEFAULTS, parseAskerId } from "@hap/protocol";
import type { AgentClient } from "./agent-client.ts";
import { type ConnectOptions, refuseRemote } from "./connect-options.ts";

/** Ask people. `agent` defaults to HAP_AGENT_ID, else agent:local. The engine is loaded when it is needed. */
export async function connectAgent(options: ConnectOptions & { agent?: string } = {}): Promise<AgentClient> {
  refuseRemote();
  const { agent, ...rest } = options;
  const id = parseAskerId(agent ?? (process.env.HAP_AGENT_ID || DEFAULTS.agent), "agent");
  const [{ HapEngine }, { EmbeddedAgent }] = await Promise.all([import("@hap/core"), import("./embedded/agent.ts")]);
  return new EmbeddedAgent(new HapEngine(rest), id);
}

export type { AgentClient, AskInput } from "./agent-client.ts";
export { type Outcome, readOutcome } from "./outcome.ts";
export type { JoinInput } from "./types.ts";
