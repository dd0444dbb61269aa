// The result of one trial, as it lies in its folder. A crash, a timeout and a wrong answer are three different results.
import type { Usage } from "../protocol/usage.ts";
import type { SandboxKind } from "../sandbox/sandbox.ts";

/** passed and failed are judged by tests; completed is a run without any; unsupported is not counted. */
export const STATUSES = [
  "passed",
  "failed",
  "completed",
  "crashed",
  "timeout",
  "invalid",
  "step_limit",
  "unsupported",
  "error",
  "interrupted",
] as const;
export type Status = (typeof STATUSES)[number];

export type TrialResult = {
  version: 1;
  task: string;
  trial: number;
  status: Status;
  /** 0 to 1; null where nothing was judged. */
  reward: number | null;
  detail: string;
  steps: number;
  agent: { command: string; exit_code: number | null; signal: string | null };
  sandbox: { kind: SandboxKind | null; limits: string; network: boolean };
  verifier: { exit_code: number | null; source: string; note: string; metrics?: Record<string, number> } | null;
  started_at: string;
  ended_at: string;
  seconds: number;
  agent_seconds: number;
  gate_wait_seconds: number;
  /** Tokens and cost that the agent reported; null if it reported none. Results of older versions have no such field. */
  usage?: Usage | null;
};

/** The exit code of the command line for all results together: the gravest counts. */
export function exitCodeOf(results: readonly { status: Status }[]): number {
  const has = (...statuses: Status[]) => results.some(({ status }) => statuses.includes(status));
  if (has("interrupted")) return 130;
  if (has("error")) return 6;
  if (has("crashed", "invalid")) return 3;
  if (has("timeout", "step_limit")) return 4;
  if (has("failed")) return 1;
  return results.length > 0 && results.every(({ status }) => status === "unsupported") ? 5 : 0;
}
