// The way in for agents (D2). Doors and the agents that we run import only this module; a check enforces it.
import { DEFAULTS, parseAskerId } from "@hap/protocol";
import type { AgentClient } from "./agent-client.ts";
import { type ConnectOptions, refuseDatabase, serverUrl } from "./connect-options.ts";

/** Ask people. `agent` defaults to HAP_AGENT_ID, else the key's own agent at a server, else `otherwise` (agent:local).
 * Only what is needed is loaded. */
export async function connectAgent(options: ConnectOptions & { agent?: string; otherwise?: string } = {}): Promise<AgentClient> {
  const { agent, otherwise = DEFAULTS.agent, busyMs, dbPath, home, world } = options;
  const named = agent ?? (process.env.HAP_AGENT_ID || undefined);
  const url = serverUrl(options);
  if (url !== null) {
    const { connectRemoteAgent } = await import("./remote/connect-agent.ts");
    return connectRemoteAgent({ ...options, url }, named === undefined ? undefined : parseAskerId(named, "agent"));
  }
  refuseDatabase(options);
  const id = parseAskerId(named ?? otherwise, "agent");
  const [{ HapEngine }, { embeddedAgent }] = await Promise.all([import("@hap/core"), import("./embedded/agent.ts")]);
  return embeddedAgent(new HapEngine({ busyMs, dbPath, home, world, shared: true }), id);
}

export type { AgentClient, AskInput } from "./agent-client.ts";
export type { ClosedBy, GateCall, Gated, GateOptions, OpenedBy } from "./gate/gate-call.ts";
export { type Outcome, readOutcome } from "./outcome.ts";
export type { JoinInput, WaitOptions } from "./types.ts";
