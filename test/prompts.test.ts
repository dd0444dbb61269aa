// How often a person is asked, on the calls of public trajectories (bench/fixtures/agent-calls). The figures are in docs/performance.md.
import { expect, test } from "vitest";
import { type Count, countAll, judgeAll } from "../bench/agent-calls/count-prompts.ts";
import { isShell, readCalls, readSources } from "../bench/agent-calls/read-calls.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const asked = (...counts: Count[]): number =>
  counts.reduce((sum, { ask }) => sum + ask, 0) / counts.reduce((sum, { calls }) => sum + calls, 0);

test("[GATE-PROMPTS-1] the calls come from named trajectories in four languages, half of them held out", () => {
  const calls = readCalls();
  const sources = readSources();
  expect(calls.filter(isShell).length).toBeGreaterThanOrEqual(300);
  expect(calls.filter((call) => !isShell(call)).length).toBeGreaterThanOrEqual(300);
  expect(calls.every(({ source }) => Object.hasOwn(sources, source))).toBe(true);
  expect(new Set(Object.values(sources).map(({ language }) => language))).toEqual(
    new Set(["typescript", "python", "rust", "go"]),
  );
  const held = calls.filter(({ heldOut }) => heldOut).length / calls.length;
  expect(held).toBeGreaterThan(0.4);
  expect(held).toBeLessThan(0.6);
});

test("[GATE-PROMPTS-1] with confinement few shell calls need a person, in either half, and few calls of other tools", async () => {
  const { shell, other } = countAll(await judgeAll(temporaryFolder()));
  expect(asked(shell.tuned)).toBeLessThanOrEqual(0.15);
  expect(asked(shell.heldOut)).toBeLessThanOrEqual(0.15);
  expect(asked(other.tuned, other.heldOut)).toBeLessThanOrEqual(0.03);
});
