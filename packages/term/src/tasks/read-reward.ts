// The reward of a trial, from what the tests left: reward.json, reward.txt, a CTRF report, pytest's words, or the exit code, in this
// order. Whatever is unclear is worth nothing: a zero is never turned into a pass.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TermError } from "../term-error.ts";

export type Reward = {
  reward: number;
  source: "reward.json" | "reward.txt" | "ctrf" | "pytest" | "exit code" | "timeout";
  note: string;
  /** Every metric by its name, where the tests left several. */
  metrics?: Record<string, number>;
};

/** What the tests left. `mustReward`: the task's format has its tests write a reward, and its absence is the task's error. */
export type RewardInput = {
  logs: string;
  logText: string;
  exitCode: number | null;
  parser: "exit" | "pytest";
  mustReward: boolean;
};

/** Read it. `exitCode` is null when the tests were stopped for their time. */
export function readReward(input: RewardInput): Reward {
  if (input.exitCode === null) return { reward: 0, source: "timeout", note: "the tests took too long" };
  const written = (["reward.json", "reward.txt"] as const).flatMap((name) => {
    const file = join(input.logs, name);
    return existsSync(file) ? [fromRewardFile(name, readFileSync(file, "utf8"))] : [];
  });
  // Tests that say two things are believed in the lower one.
  const lowest = written.sort((one, other) => one.reward - other.reward)[0];
  if (lowest !== undefined) return lowest;
  const ctrf = join(input.logs, "ctrf.json");
  const counted = existsSync(ctrf) ? fromCtrf(readFileSync(ctrf, "utf8")) : null;
  if (counted !== null) return counted;
  if (input.mustReward)
    throw new TermError(
      "task_invalid",
      `The tests ended with ${input.exitCode} and left no reward: a task with task.toml writes $LOGS_DIR/reward.txt or reward.json.`,
    );
  if (input.parser === "pytest") return fromPytest(input.logText);
  return { reward: input.exitCode === 0 ? 1 : 0, source: "exit code", note: `the tests ended with ${input.exitCode}` };
}

/** One number, or metrics by name: as JSON, or a line each (`accuracy: 0.5`). `reward` is the one that counts, else the lowest. */
function fromRewardFile(source: "reward.json" | "reward.txt", content: string): Reward {
  const metrics = source === "reward.json" ? jsonMetrics(content) : textMetrics(content);
  const values = Object.values(metrics ?? {});
  if (metrics === null || values.length === 0 || !values.every((value) => value >= 0 && value <= 1))
    return {
      reward: 0,
      source,
      note: `${source} must hold a number from 0 to 1, or several by name, not ${JSON.stringify(content.slice(0, 40))}`,
    };
  const reward = metrics.reward ?? Math.min(...values);
  const told = Object.entries(metrics).map(([name, value]) => `${name} ${value}`);
  return values.length === 1 ? { reward, source, note: "" } : { reward, source, note: told.join(", "), metrics };
}

function jsonMetrics(content: string): Record<string, number> | null {
  try {
    const parsed = JSON.parse(content) as unknown;
    if (typeof parsed === "number") return { reward: parsed };
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
    const entries = Object.entries(parsed);
    return entries.every(([, value]) => typeof value === "number")
      ? (Object.fromEntries(entries) as Record<string, number>)
      : null;
  } catch {
    return null;
  }
}

function textMetrics(content: string): Record<string, number> | null {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && number.test(only.trim())) return { reward: Number(only) };
  const named = lines.map((line) => /^\s*([\w.-]+)\s*[:=]\s*(\S+)\s*$/.exec(line));
  if (!named.every((found) => found !== null && number.test(found[2] as string))) return null;
  return Object.fromEntries(named.map((found) => [found?.[1] as string, Number(found?.[2])]));
}

function fromCtrf(content: string): Reward | null {
  try {
    const { tests, passed } = (JSON.parse(content) as { results: { summary: { tests: number; passed: number } } }).results
      .summary;
    if (typeof tests !== "number" || typeof passed !== "number") return null;
    return { reward: tests > 0 && passed === tests ? 1 : 0, source: "ctrf", note: `${passed} of ${tests} tests passed` };
  } catch {
    return null;
  }
}

/** pytest's last line: `=== 1 failed, 2 passed in 0.05s ===`. */
function fromPytest(log: string): Reward {
  const lines = [...log.matchAll(/^(?:=+ )?((?:\d+ \w+(?:, )?)+) in [\d.]+s/gm)];
  const summary = lines.at(-1)?.[1];
  // A script may end with 0 although pytest never started.
  if (summary === undefined) return { reward: 0, source: "pytest", note: "the tests printed no summary of pytest" };
  const counts = Object.fromEntries([...summary.matchAll(/(\d+) (\w+)/g)].map(([, count, word]) => [word, Number(count)]));
  const bad = (counts.failed ?? 0) + (counts.error ?? 0) + (counts.errors ?? 0) + (counts.xpassed ?? 0);
  return { reward: (counts.passed ?? 0) > 0 && bad === 0 ? 1 : 0, source: "pytest", note: summary };
}
