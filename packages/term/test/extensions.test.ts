// What goes beyond the seed's wire: keystrokes with a screen, tokens and cost, and the trajectory in ATIF.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScreenView } from "../src/protocol/request-line.ts";
import { addUsage, parsePrice, priced } from "../src/protocol/usage.ts";
import { printTable } from "../src/report/print-table.ts";
import { summarise } from "../src/report/summarise.ts";
import { toAtif } from "../src/run/write-atif.ts";
import { lineAgent, node, requestsOf, runAgent, temporaryFolder } from "./support.ts";

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;

type Atif = {
  schema_version: string;
  agent: Record<string, string>;
  steps: (Record<string, unknown> & {
    step_id: number;
    source: string;
    tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
    observation?: { results: { source_call_id: string; content: string; extra?: Record<string, unknown> }[] };
    metrics?: Record<string, number>;
  })[];
  final_metrics: Record<string, number>;
  extra: Record<string, unknown>;
};

const atifOf = (folder: string) => JSON.parse(readFileSync(join(folder, "atif.json"), "utf8")) as Atif;

describe("keystrokes of the command format", () => {
  test("[TERM-KEYS-1] an editor is driven by keys, and each answer has the screen with its cursor", async () => {
    const folder = temporaryFolder();
    // A program of the kind that waits for keys: full screen, echo off, ends at `q`.
    const program = [
      "printf '\\033[?1049h\\033[2J\\033[2;3Hready'",
      "stty raw -echo",
      'while IFS= read -rn1 key; do [ "$key" = q ] && break; printf \'\\033[4;1Hkey %s\' "$key"; done',
      "stty sane -echo; printf '\\033[?1049l'; echo left",
    ].join("; ");
    // After keys it looks at the screen until what they lead to is shown: a loaded machine takes its time.
    const plan = [
      [{ command: "echo plain" }, ""],
      [{ keystrokes: [{ keys: `bash -c '${program.replaceAll("'", "'\\''")}'\n`, wait: 0.1 }] }, "ready"],
      [{ keystrokes: [{ keys: "x", wait: 0.1 }] }, "key x"],
      [{ command: "echo no" }, ""],
      [{ keystrokes: [{ keys: "q", wait: 0.1 }] }, "left"],
      [{ command: "echo shell again", task_complete: true }, ""],
    ];
    writeFileSync(
      join(folder, "agent.mjs"),
      `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const plan = ${JSON.stringify(plan)};
let awaited = "";
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const shown = (request.screen?.text ?? "") + request.output;
  if (!shown.includes(awaited)) { console.log(JSON.stringify({ keystrokes: [{ keys: "", wait: 0.1 }] })); continue; }
  appendFileSync(${JSON.stringify(join(folder, "requests.jsonl"))}, line + "\\n");
  const [response, next] = plan.shift();
  awaited = next;
  console.log(JSON.stringify(response));
}
`,
    );
    const agent = `${node} ${join(folder, "agent.mjs")}`;
    const { result, steps } = await runAgent(agent);
    expect(result.status).toBe("completed");
    const requests = requestsOf(folder) as { screen?: ScreenView; output: string; exit_code: number | null }[];
    // Agents that send commands see the six fields of the seed and no other.
    expect(Object.keys(requests[1] ?? {})).toEqual(["instruction", "step", "last_command", "output", "exit_code", "cwd"]);
    expect(requests[2]?.screen).toMatchObject({ full_screen: true, rows: 40, columns: 160, cursor: { row: 2, column: 8 } });
    expect(requests[2]?.screen?.text).toBe("\n  ready");
    expect(requests[3]?.screen?.text).toBe("\n  ready\n\nkey x");
    expect(requests[3]?.exit_code).toBeNull();
    expect(requests[4]).toMatchObject({ exit_code: 1, output: expect.stringContaining("A program still has the terminal") });
    expect(requests[5]?.screen?.full_screen).toBe(false);
    expect(requests[5]?.screen?.text).toMatch(/left$/);
    expect(steps.at(-1)?.output).toBe("shell again");
  });
});

describe("tokens and cost", () => {
  test("[TERM-USAGE-1] sums are exact where every number is known, and null where one is not", () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 100, cached_tokens: null, cost_usd: 0.5 };
    expect(addUsage([])).toBeNull();
    expect(addUsage([usage, { ...usage, cached_tokens: 10 }])).toEqual({
      prompt_tokens: 2000,
      completion_tokens: 200,
      cached_tokens: 10,
      cost_usd: 1,
    });
    expect(addUsage([usage, { ...usage, cost_usd: null }])?.cost_usd).toBeNull();
    expect(addUsage([usage, { ...usage, prompt_tokens: null }])).toMatchObject({ prompt_tokens: null, completion_tokens: 200 });
  });

  test("[TERM-USAGE-1] a price fills in a cost that was not reported, and never replaces one", () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 100_000, cached_tokens: 400_000, cost_usd: null };
    expect(priced(usage, parsePrice("3/15")).cost_usd).toBeCloseTo(4.5);
    expect(priced(usage, parsePrice("3/15/0.3")).cost_usd).toBeCloseTo(1.8 + 0.12 + 1.5);
    expect(priced({ ...usage, cost_usd: 9 }, parsePrice("3/15")).cost_usd).toBe(9);
    expect(priced({ ...usage, completion_tokens: null }, parsePrice("3/15")).cost_usd).toBeNull();
    for (const wrong of ["", "3", "3/", "3/x", "-1/2", "1/2/3/4"]) expect(parsePrice(wrong), wrong).toBeNull();
  });

  test("[TERM-USAGE-1] a trial's result and the report have them; a wrong price is refused", async () => {
    const folder = temporaryFolder();
    const usage = { prompt_tokens: 500, completion_tokens: 20 };
    const agent = lineAgent(folder, [
      { command: "true", usage, model: "m-1" },
      { task_complete: true, usage: { ...usage, cost_usd: 0.25 } },
    ]);
    const run = (...args: string[]) =>
      spawnSync(node, [bin, "run", "--agent", agent, "--instruction", "x", "--sandbox", "none", ...args], {
        cwd: folder,
        encoding: "utf8",
      });
    expect(run("--out", "a").status).toBe(0);
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name, "trials/instruction.1/result.json"), "utf8"));
    expect(read("a").usage).toEqual({ prompt_tokens: 1000, completion_tokens: 40, cached_tokens: null, cost_usd: null });
    expect(run("--out", "b", "--price", "10/100").stdout).toMatch(/ 1040 +\$0\.014 /);
    expect(read("b").usage.cost_usd).toBeCloseTo(0.014);
    const wrong = run("--out", "c", "--price", "cheap");
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringMatching(/--price is INPUT\/OUTPUT .* it is cheap/)]);
    const { tasks, total } = summarise([{ ...read("a") }, { ...read("b") }]);
    expect(printTable(tasks, total)).toMatch(/ 1040 +- /);
  });
});

describe("ATIF", () => {
  test("[TERM-ATIF-1] a trial's trajectory is valid by the format's rules and has what happened", async () => {
    const agent = lineAgent(temporaryFolder(), [
      {
        command: "echo one; false",
        text: "First",
        model: "m-1",
        usage: { prompt_tokens: 7, completion_tokens: 2, cost_usd: 0.5 },
      },
      "not JSON",
      { keystrokes: [{ keys: "echo two\n", wait: 1 }] },
      { text: "Finished", task_complete: true },
    ]);
    const { folder, result } = await runAgent(agent);
    const atif = atifOf(folder);
    expect(atif.schema_version).toBe("ATIF-v1.7");
    expect(atif.agent).toMatchObject({ version: "unknown", model_name: "m-1" });
    expect(atif.steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5]);
    expect(atif.steps.map(({ source }) => source)).toEqual(["user", "agent", "system", "agent", "agent"]);
    for (const { source, tool_calls, observation, metrics, model_name, timestamp } of atif.steps) {
      expect(Number.isNaN(Date.parse(String(timestamp)))).toBe(false);
      // Only steps of an agent may have these.
      if (source !== "agent") expect([tool_calls, metrics, model_name]).toEqual([undefined, undefined, undefined]);
      const calls = (tool_calls ?? []).map(({ tool_call_id }) => tool_call_id);
      for (const { source_call_id } of observation?.results ?? []) expect(calls).toContain(source_call_id);
    }
    const [, first, , keys] = atif.steps;
    expect(first).toMatchObject({ message: "First", metrics: { prompt_tokens: 7, completion_tokens: 2, cost_usd: 0.5 } });
    expect(first?.tool_calls?.[0]).toMatchObject({ function_name: "shell", arguments: { command: "echo one; false" } });
    expect(first?.observation?.results[0]).toMatchObject({ content: "one", extra: { exit_code: 1 } });
    expect(keys?.tool_calls?.[0]?.function_name).toBe("keystrokes");
    expect(keys?.observation?.results[0]).toMatchObject({ content: expect.stringContaining("two") });
    expect(atif.final_metrics).toEqual({
      total_prompt_tokens: 7,
      total_completion_tokens: 2,
      total_cost_usd: 0.5,
      total_steps: 5,
    });
    expect(atif.extra).toMatchObject({ status: result.status, task: "instruction" });
    expect(JSON.stringify(atif)).not.toContain("null");
  });

  test("[TERM-ATIF-1] an agent that never answered leaves the instruction and the end", () => {
    const request = { instruction: "Do it", step: 1, last_command: null, output: null, exit_code: null, cwd: "/" };
    const entry = { step: 1, at: "2026-01-02T03:04:05.000Z", request, response: null, problem: "the agent ended" };
    const result = { task: "t", trial: 1, status: "crashed", reward: 0, agent: { command: "a" }, usage: null } as never;
    expect(toAtif("t.1", [entry], result)).toMatchObject({
      session_id: "t.1",
      steps: [
        { step_id: 1, source: "user", message: "Do it" },
        { step_id: 2, source: "system", message: "the agent ended" },
      ],
      extra: { status: "crashed", reward: 0 },
    });
  });
});
