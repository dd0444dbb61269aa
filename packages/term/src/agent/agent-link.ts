// What the harness needs of an agent, whether it is a process or built in.

/** The answer to one request line. */
export type AgentReply =
  | { kind: "line"; line: string }
  | { kind: "oversize"; bytes: number }
  | { kind: "timeout" }
  | { kind: "gone"; how: string };

/** How an agent's process ended. `bySelf` is false when the harness had to end it. */
export type AgentEnd = { exitCode: number | null; signal: string | null; bySelf: boolean };

/** The harness's end of the line to an agent. */
export interface AgentLink {
  /** Send a request and wait for one line. */
  ask(line: string, timeoutMs: number): Promise<AgentReply>;
  /** The task is over: let the agent clean up, then end it. */
  stop(): Promise<AgentEnd>;
}
