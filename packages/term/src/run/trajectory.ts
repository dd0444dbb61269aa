// What a run leaves behind of each step: one JSON line.
import { appendFileSync } from "node:fs";
import type { AgentResponse } from "../protocol/agent-response.ts";
import type { WireRequest } from "../protocol/request-line.ts";

/** What the gate said about a command. */
export type GateVerdict = {
  allowed: boolean;
  /** How it ended: not worth a person, or how the ticket ended. */
  status: string;
  ticket_id: string | null;
  tier: string;
  risk: number;
  effects: string[];
  words: string;
  exit_code: number;
  waited_ms: number;
  /** What the person made of the command, and what ran in its place. */
  edited_command?: string;
};

/** One line of the trajectory. `problem` says why a response was none, or what ended the run. */
export type TrajectoryEntry = {
  step: number;
  at: string;
  request: WireRequest;
  response: AgentResponse | null;
  agent_seconds?: number;
  command_seconds?: number;
  last_command?: string | null;
  output?: string | null;
  exit_code?: number | null;
  screen?: WireRequest["screen"];
  gate?: GateVerdict;
  problem?: string;
  line?: string;
};

/** Appends entries to a file; each is on disk before the next step. */
export function trajectoryWriter(path: string): (entry: TrajectoryEntry) => void {
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`);
}
