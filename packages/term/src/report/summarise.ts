// Many results in few numbers: how often a task was passed, how sure that is, and what it took.
import { STATUSES, type Status, type TrialResult } from "../run/trial-result.ts";

export type Summary = {
  task: string;
  trials: number;
  /** Trials that were judged or ended; unsupported and interrupted ones are not. */
  counted: number;
  passed: number;
  passRate: number | null;
  /** 95 %, by Wilson's method, which also holds for few trials. */
  interval: [number, number] | null;
  meanReward: number | null;
  meanSeconds: number | null;
  meanSteps: number | null;
  /** Mean of the trials that reported them; null if none did. */
  meanTokens: number | null;
  /** Sum over the trials; null if the cost of any that used tokens is unknown. */
  costUsd: number | null;
  statuses: Partial<Record<Status, number>>;
};

const NOT_COUNTED: ReadonlySet<Status> = new Set(["unsupported", "interrupted", "error", "completed"]);
const SUCCESS: ReadonlySet<Status> = new Set(["passed"]);

/** One line a task, and one for all. */
export function summarise(results: readonly TrialResult[]): { tasks: Summary[]; total: Summary } {
  const names = [...new Set(results.map(({ task }) => task))];
  return {
    tasks: names.map((name) =>
      summary(
        name,
        results.filter(({ task }) => task === name),
      ),
    ),
    total: summary("total", results),
  };
}

function summary(task: string, results: readonly TrialResult[]): Summary {
  const counted = results.filter(({ status }) => !NOT_COUNTED.has(status));
  const passed = counted.filter(({ status }) => SUCCESS.has(status)).length;
  const used = results.flatMap(({ usage }) => usage ?? []);
  const statuses: Summary["statuses"] = {};
  for (const status of STATUSES) {
    const count = results.filter((result) => result.status === status).length;
    if (count > 0) statuses[status] = count;
  }
  return {
    task,
    trials: results.length,
    counted: counted.length,
    passed,
    passRate: counted.length === 0 ? null : passed / counted.length,
    interval: counted.length === 0 ? null : wilson(passed, counted.length),
    meanReward: mean(counted.flatMap(({ reward }) => reward ?? [])),
    meanSeconds: mean(counted.map(({ seconds }) => seconds)),
    meanSteps: mean(counted.map(({ steps }) => steps)),
    meanTokens: mean(
      used.flatMap(({ prompt_tokens: input, completion_tokens: output }) =>
        input === null || output === null ? [] : input + output,
      ),
    ),
    costUsd: used.length === 0 ? null : sumOrNull(used.map(({ cost_usd }) => cost_usd)),
    statuses,
  };
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Wilson's score interval at 95 %. */
export function wilson(successes: number, trials: number): [number, number] {
  const z = 1.959964;
  const share = successes / trials;
  const centre = share + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}
