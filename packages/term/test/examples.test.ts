// The SDKs' examples against the real harness: scripts that solve shipped tasks, and one that asks a model.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { node, runAgent } from "./support.ts";

const root = new URL("../../../", import.meta.url).pathname;
const exists = (command: string) => spawnSync(command, ["--version"]).status === 0;
const rust = join(root, "sdks/rust");

const agents: [string, string][] = [
  ["TypeScript", `${node} ${root}packages/term-sdk/examples/scripted-agent.ts`],
  ...(exists("python3") ? [["Python", `python3 ${root}sdks/python/examples/scripted_agent.py`] as [string, string]] : []),
  ...(exists("cargo")
    ? [["Rust", `cargo run --quiet --locked --manifest-path ${rust}/Cargo.toml --example scripted_agent --`] as [string, string]]
    : []),
];

describe("examples", () => {
  test.each(agents)("[TERM-SDK-1] %s: a scripted agent solves shipped tasks", { timeout: 300_000 }, async (_, command) => {
    for (const name of ["hello-world", "count-words", "git-merge-conflict", "serve-folder"]) {
      const task = join(root, "packages/term/tasks", name);
      const limits = { responseTimeoutMs: 240_000 };
      const { result, log } = await runAgent(`${command} ${task}/solution/solve.sh`, {
        task,
        work: { kind: "tasks", folders: [task] },
        sandbox: "auto",
        limits,
      });
      expect([name, result.status, result.detail], log).toEqual([name, "passed", "script finished"]);
    }
  });

  if (exists("python3"))
    test("[TERM-SDK-1] a model behind an OpenAI-compatible endpoint is asked step by step", async () => {
      const answers = [
        'First I look.\n```json\n{"command": "pwd", "text": "look"}\n```',
        '{"command": "echo model > made.txt"}',
        '{"task_complete": true, "text": "made"}',
      ];
      const asked: { model: string; messages: { role: string; content: string }[] }[] = [];
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        asked.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end(JSON.stringify({ choices: [{ message: { content: answers.shift() } }] }));
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
      const { result, work } = await runAgent(
        `OPENAI_BASE_URL=${url} OPENAI_MODEL=m python3 ${root}sdks/python/examples/model_agent.py`,
      );
      server.close();
      expect([result.status, result.detail, readFileSync(join(work, "made.txt"), "utf8")]).toEqual([
        "completed",
        "made",
        "model\n",
      ]);
      expect(asked.map(({ messages }) => messages.at(-1)?.content.split("\n")[0])).toEqual([
        "Task: Do it",
        expect.stringMatching(/^exit code 0/),
        expect.stringMatching(/^exit code 0/),
      ]);
    });
});
