// What a run is: who is run, on what, how often and within which limits. Kept in the run's folder, so that it can be resumed.
import type { Price } from "../protocol/usage.ts";
import type { SandboxKind } from "../sandbox/sandbox.ts";
import type { Limits } from "./run-steps.ts";

/** A process, or one of the two built-in agents that check a task. */
export type AgentChoice = { kind: "process"; command: string; cwd: string } | { kind: "oracle" } | { kind: "null" };

/** What commands wait for a person, and for whom. */
export type GateChoice = { rule: string; to: string | null; ttlSeconds: number };

export type RunOptions = {
  agent: AgentChoice;
  /** Task folders, or one instruction in a folder of the caller's. */
  work: { kind: "tasks"; folders: string[] } | { kind: "instruction"; instruction: string; cwd: string };
  trials: number;
  jobs: number;
  sandbox: SandboxKind | "auto";
  /** docker, podman: the image for tasks without one. */
  image: string | null;
  network: boolean;
  limits: Limits;
  /** True where the caller named the total time, which then counts more than the task's. */
  totalTimeGiven: boolean;
  outputLimitBytes: number;
  gate: GateChoice | null;
  /** For tokens whose cost the agent does not report. */
  price: Price | null;
};

/** How an agent is named in results. */
export function agentName(agent: AgentChoice): string {
  return agent.kind === "process" ? agent.command : agent.kind;
}
