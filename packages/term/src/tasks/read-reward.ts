// The reward of a trial, from what the tests left: reward.txt, a CTRF report, pytest's words, or the exit code, in this order.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Reward = { reward: number; source: "reward.txt" | "ctrf" | "pytest" | "exit code" | "timeout"; note: string };

/** Read it. `exitCode` is null when the tests were stopped for their time. */
export function readReward(input: { logs: string; logText: string; exitCode: number | null; parser: "exit" | "pytest" }): Reward {
  if (input.exitCode === null) return { reward: 0, source: "timeout", note: "the tests took too long" };
  const file = join(input.logs, "reward.txt");
  if (existsSync(file)) return fromRewardFile(readFileSync(file, "utf8"));
  const ctrf = join(input.logs, "ctrf.json");
  const counted = existsSync(ctrf) ? fromCtrf(readFileSync(ctrf, "utf8")) : null;
  if (counted !== null) return counted;
  const words = input.parser === "pytest" ? fromPytest(input.logText) : null;
  if (words !== null) return words;
  return { reward: input.exitCode === 0 ? 1 : 0, source: "exit code", note: `the tests ended with ${input.exitCode}` };
}

function fromRewardFile(content: string): Reward {
  const reward = content.trim() === "" ? Number.NaN : Number(content);
  if (!(reward >= 0 && reward <= 1))
    return {
      reward: 0,
      source: "reward.txt",
      note: `reward.txt must hold a number from 0 to 1, not ${JSON.stringify(content.slice(0, 40))}`,
    };
  return { reward, source: "reward.txt", note: "" };
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
function fromPytest(log: string): Reward | null {
  const lines = [...log.matchAll(/^(?:=+ )?((?:\d+ \w+(?:, )?)+) in [\d.]+s/gm)];
  const summary = lines.at(-1)?.[1];
  if (summary === undefined) return null;
  const counts = Object.fromEntries([...summary.matchAll(/(\d+) (\w+)/g)].map(([, count, word]) => [word, Number(count)]));
  const bad = (counts.failed ?? 0) + (counts.error ?? 0) + (counts.errors ?? 0);
  return { reward: (counts.passed ?? 0) > 0 && bad === 0 ? 1 : 0, source: "pytest", note: summary };
}
