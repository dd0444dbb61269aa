// The line to where people are asked. Who waits hours for a person can wait a minute for others who write at the same moment.
import { type AgentClient, connectAgent } from "@hap/sdk/agent";

const LOCK_MS = 60_000;

/** Connect as an agent, or as nobody in particular. */
export function connect(agent?: string): Promise<AgentClient> {
  return connectAgent({ busyMs: LOCK_MS, ...(agent === undefined ? {} : { agent }) });
}
