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

/** The examples of each SDK whose language is here. */
const examples = (typescript: string, other: string): [string, string][] => [
  ["TypeScript", `${node} ${root}packages/term-sdk/examples/${typescript}.ts`],
  ...(exists("python3") ? [["Python", `python3 ${root}sdks/python/examples/${other}.py`] as [string, string]] : []),
  ...(exists("cargo")
    ? [["Rust", `cargo run --quiet --locked --manifest-path ${rust}/Cargo.toml --example ${other} --`] as [string, string]]
    : []),
];
const agents = examples("scripted-agent", "scripted_agent");
const interactive = examples("interactive-agent", "interactive_agent");
const models = examples("model-agent", "model_agent");

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

  test.each(interactive)(
    "[TERM-SDK-4] %s: an agent types into a program that asks, and reads its screen",
    { timeout: 300_000 },
    async (_, command) => {
      const { result, work, log } = await runAgent(command, patient);
      expect([result.status, result.detail], log).toEqual(["completed", "answered"]);
      expect(readFileSync(join(work, "hello.txt"), "utf8")).toBe("Hello, world\n");
      expect(result.usage).toMatchObject({ prompt_tokens: 0, cost_usd: 0 });
    },
  );

  test.each(models)(
    "[TERM-SDK-3] %s: a model behind an OpenAI-compatible endpoint is asked step by step",
    {
      timeout: 300_000,
    },
    async (_, command) => {
      const { url, asked, close } = await scriptedEndpoint([
        'First I look.\n```json\n{"command": "pwd", "text": "look"}\n```',
        '{"command": "echo model > made.txt"}',
        '{"task_complete": true, "text": "made"}',
      ]);
      const { result, work, log } = await runAgent(
        `OPENAI_BASE_URL=${url}/ OPENAI_MODEL=m OPENAI_API_KEY='a \\"key' ${command}`,
        patient,
      );
      close();
      expect([result.status, result.detail], log).toEqual(["completed", "made"]);
      expect(readFileSync(join(work, "made.txt"), "utf8")).toBe("model\n");
      expect(asked.map(({ path, key, body }) => [path, key, body.model])).toEqual(
        Array.from({ length: 3 }, () => ["POST /v1/chat/completions", 'Bearer a \\"key', "m"]),
      );
      expect(asked.map(({ body }) => body.messages.at(-1)?.content)).toEqual([
        `Task: Do it\nFolder: ${work}`,
        `exit code 0, folder ${work}\n${work}`,
        `exit code 0, folder ${work}\n`,
      ]);
      expect(asked[2]?.body.messages.map(({ role }) => role)).toEqual([
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
      ]);
    },
  );

  test.each(models)(
    "[TERM-SDK-2, TERM-SDK-3] %s: an endpoint that fails is a crash, never a completion",
    {
      timeout: 300_000,
    },
    async (_, command) => {
      const { url, close } = await scriptedEndpoint([]);
      const { result } = await runAgent(`OPENAI_BASE_URL=${url} OPENAI_MODEL=m ${command}`, patient);
      close();
      expect([result.status, result.agent.exit_code]).toEqual(["crashed", 1]);
    },
  );
});

/** Compiling an example counts as its first response. */
const patient = { limits: { responseTimeoutMs: 240_000 } };

type Call = { path: string; key: string; body: { model: string; messages: { role: string; content: string }[] } };

/** An endpoint that answers with these, one a call, and then fails. */
async function scriptedEndpoint(answers: string[]): Promise<{ url: string; asked: Call[]; close: () => void }> {
  const asked: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    asked.push({
      path: `${method} ${url}`,
      key: headers.authorization ?? "",
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const content = answers.shift();
    if (content === undefined) response.writeHead(503).end('{"error":{"message":"overloaded"}}');
    else response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, asked, close: () => void server.close() };
}
