// Agents that misbehave: each way has its defined result, and nothing of any is left.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Status } from "../src/run/trial-result.ts";
import { isAlive, lineAgent, node, runAgent, temporaryFolder } from "./support.ts";

const agent = new URL("fixtures/torture-agent.mjs", import.meta.url).pathname;

/** How long to wait for a response that never comes, and for an agent that cleans up; where nothing else is said, short. */
type Patience = { responseTimeoutMs?: number; graceMs?: number };
const ways: { way: string; status: Status; detail: RegExp; steps?: number; log?: RegExp; patience?: Patience }[] = [
  { way: "silent", status: "timeout", detail: /^no response within 1 s$/, steps: 0 },
  { way: "slow", status: "completed", detail: /^$/, steps: 2 },
  {
    way: "garbage",
    status: "invalid",
    detail: /^3 invalid responses in a row; the last: expected one JSON object in the line$/,
    steps: 0,
  },
  { way: "half-a-line", status: "timeout", detail: /no response/ },
  { way: "two-lines", status: "completed", detail: /^$/, steps: 3, log: /an extra line was ignored/ },
  { way: "talks-twice", status: "completed", detail: /^$/ },
  { way: "huge-line", status: "invalid", detail: /the line has 178\d{5} bytes/ },
  { way: "exits-early", status: "crashed", detail: /^the agent ended with exit code 0 before the task was complete$/, steps: 1 },
  { way: "exits-at-once", status: "crashed", detail: /ended with exit code 3/, steps: 0 },
  { way: "closes-stdout", status: "crashed", detail: /closed its standard output without ending/ },
  { way: "ignores-sigterm", status: "completed", detail: /^$/ },
  { way: "forks", status: "completed", detail: /^$/ },
  {
    way: "stderr-only",
    status: "timeout",
    detail: /no response/,
    log: /"command": "ls"/,
    patience: { responseTimeoutMs: 8_000 },
  },
  { way: "crlf", status: "completed", detail: /^$/, steps: 2 },
  { way: "nan", status: "invalid", detail: /expected one JSON object/ },
  { way: "noise", status: "completed", detail: /^$/, steps: 2 },
  { way: "recovers", status: "completed", detail: /^$/, steps: 2 },
  {
    way: "crashes-after-done",
    status: "crashed",
    detail: /said that the task was complete, and then ended with exit code 7/,
    patience: { graceMs: 30_000 },
  },
];

describe("agents that misbehave", () => {
  test.each(ways)(
    "[TERM-INVALID-1, TERM-CRASH-1, TERM-CLEAN-1] $way: $status",
    async ({ way, status, detail, steps, log, patience }) => {
      const pidFile = join(temporaryFolder(), "pid");
      const ran = await runAgent(`${node} ${agent} ${way} ${pidFile}`, {
        limits: { responseTimeoutMs: status === "timeout" ? 1_000 : 45_000, ...patience },
      });
      expect([ran.result.status, ran.result.detail]).toEqual([status, expect.stringMatching(detail)]);
      if (steps !== undefined) expect(ran.result.steps).toBe(steps);
      if (log !== undefined) expect(ran.log).toMatch(log);
      if (existsSync(pidFile)) expect(isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
    },
  );

  test("[TERM-CLEAN-1] what commands leave running is gone at the end, daemons too", async () => {
    const folder = temporaryFolder();
    const command = `sleep 301 & echo $! > ${folder}/a; (setsid sleep 302 & echo $! > ${folder}/b); nohup setsid bash -c 'echo $$ > ${folder}/c; exec sleep 303' > /dev/null 2>&1 & while [ ! -s ${folder}/c ]; do sleep 0.05; done`;
    const { result } = await runAgent(lineAgent(folder, [{ command }, { task_complete: true }]));
    expect(result.status).toBe("completed");
    for (const name of ["a", "b", "c"]) expect(isAlive(Number(readFileSync(join(folder, name), "utf8"))), name).toBe(false);
  });

  test("[TERM-CRASH-1] an agent that cannot be started has crashed", async () => {
    const { result } = await runAgent("/no/such/agent");
    expect([result.status, result.detail]).toEqual(["crashed", expect.stringMatching(/exit code 127/)]);
  });

  test("[TERM-CRASH-1] a command beside task_complete runs first", async () => {
    const { result, work } = await runAgent(`${node} ${agent} last-command`);
    expect([result.status, readFileSync(join(work, "last.txt"), "utf8")]).toEqual(["completed", "last\n"]);
  });

  test("[TERM-INVALID-1] the same line is sent again, and a response without a command counts as a step", async () => {
    process.env.TORTURE_LOG = "1";
    const { log } = await runAgent(`${node} ${agent} recovers`);
    delete process.env.TORTURE_LOG;
    const requests = log.trim().split("\n");
    expect(new Set(requests.slice(0, 3)).size).toBe(1);
    expect(JSON.parse(requests[3] ?? "")).toMatchObject({ step: 2, last_command: null, output: "", exit_code: null });
  });
});
