// The trajectory in ATIF (Agent Trajectory Interchange Format, v1.7), which Harbor's tools read. Our own has more: invalid
// responses, gate verdicts, times. What ATIF has no field for is in `extra`.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { AgentResponse } from "../protocol/agent-response.ts";
import { priced } from "../protocol/usage.ts";
import { readTrajectory } from "../report/read-trial.ts";
import { writeJson } from "./run-folder.ts";
import type { TrajectoryEntry } from "./trajectory.ts";
import type { TrialResult } from "./trial-result.ts";

const ATIF_VERSION = "ATIF-v1.7";

type Step = Record<string, unknown> & { step_id: number; source: "user" | "agent" | "system"; message: string };

/** Write `atif.json` beside a trial's trajectory, if there is one. */
export function writeAtif(folder: string, result: TrialResult): void {
  if (existsSync(join(folder, "trajectory.jsonl")))
    writeJson(join(folder, "atif.json"), toAtif(basename(folder), readTrajectory(folder), result));
}

/** Convert a trajectory. Entries of invalid responses become steps of the system, as no agent's action followed. */
export function toAtif(id: string, entries: readonly TrajectoryEntry[], result: TrialResult): object {
  const [first] = entries;
  const steps: Step[] = [
    {
      step_id: 1,
      source: "user",
      message: first?.request.instruction ?? "",
      ...(first === undefined ? {} : { timestamp: first.at }),
    },
    ...entries.map((entry, index) => toStep(entry, index + 2)),
  ];
  const models = [...new Set(entries.flatMap(({ response }) => response?.model ?? []))];
  const { usage, status, reward, task, trial } = result;
  return {
    schema_version: ATIF_VERSION,
    session_id: id,
    agent: {
      name: result.agent.command,
      // The wire has no version of an agent.
      version: "unknown",
      ...(models.length === 1 ? { model_name: models[0] } : {}),
    },
    steps,
    final_metrics: {
      ...(usage == null
        ? {}
        : withoutNulls({
            total_prompt_tokens: usage.prompt_tokens,
            total_completion_tokens: usage.completion_tokens,
            total_cached_tokens: usage.cached_tokens,
            total_cost_usd: usage.cost_usd,
          })),
      total_steps: steps.length,
    },
    extra: { task, trial, status, ...(reward === null ? {} : { reward }) },
  };
}

function toStep(entry: TrajectoryEntry, id: number): Step {
  const { response, at, problem } = entry;
  if (response === null) return { step_id: id, timestamp: at, source: "system", message: problem ?? "" };
  const call = toolCall(response, `call_${id}`);
  const extra = withoutNulls({
    task_complete: response.taskComplete ? true : null,
    agent_seconds: entry.agent_seconds ?? null,
    command_seconds: entry.command_seconds ?? null,
    gate: entry.gate ?? null,
    problem: problem ?? null,
  });
  const { usage, model } = response;
  return {
    step_id: id,
    timestamp: at,
    source: "agent",
    message: response.text ?? "",
    ...(model === undefined ? {} : { model_name: model }),
    ...(call === null ? {} : { tool_calls: [call] }),
    ...(call === null || entry.output == null ? {} : { observation: observation(entry, call.tool_call_id) }),
    ...(usage === undefined ? {} : { metrics: withoutNulls(priced(usage, null)) }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function toolCall(
  response: AgentResponse,
  id: string,
): { tool_call_id: string; function_name: string; arguments: object } | null {
  if (response.form === "command")
    return response.command === null
      ? null
      : { tool_call_id: id, function_name: "shell", arguments: { command: response.command } };
  if (response.keystrokes.length === 0) return null;
  return { tool_call_id: id, function_name: "keystrokes", arguments: { keystrokes: response.keystrokes } };
}

function observation({ output, exit_code, screen, last_command, response }: TrajectoryEntry, id: string): object {
  const ran = response?.form === "command" && response.command !== last_command ? last_command : null;
  const extra = withoutNulls({ exit_code: exit_code ?? null, screen: screen ?? null, ran: ran ?? null });
  return { results: [{ source_call_id: id, content: output, ...(Object.keys(extra).length === 0 ? {} : { extra }) }] };
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
