// `npm run test:clients`: other people's clients of Claude Code, installed as their users install them, with yume-cli in the place of
// `claude` and a scripted model behind it. Takes minutes and the network, so that it is no part of `npm test`. Exits 1 when one fails.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ScriptedTurn } from "../test/wire/encode-turn.ts";
import { startScriptedModel } from "../test/wire/server.ts";

/** Not the synchronous one: the scripted model answers from this process. */
const run = promisify(execFile);

const yumeCli = fileURLToPath(new URL("../bin/yume-cli.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "yume-clients-"));

const AI_SDK = `
import { generateText, streamText } from "ai";
import { createClaudeCode } from "ai-sdk-provider-claude-code";
const settings = { pathToClaudeCodeExecutable: process.env.YUME, cwd: process.env.WORK, env: { ...process.env }, permissionMode: "bypassPermissions" };
const claude = createClaudeCode({ defaultSettings: settings });
const { text: first } = await generateText({ model: claude("sonnet"), prompt: "2+2?" });
let text = "";
for await (const part of streamText({ model: claude("sonnet"), prompt: "Write it" }).fullStream) {
  if (part.type === "error") throw part.error;
  if (part.type === "text-delta") text += part.text;
}
console.log(JSON.stringify([first, text]));
`;

const PYDANTIC = `
import json, os
from pydantic_ai import Agent
from pydantic_ai_claude_code import ClaudeCodeModel, ClaudeCodeProvider
provider = ClaudeCodeProvider({"working_directory": os.environ["WORK"], "claude_cli_path": os.environ["YUME"], "use_sandbox_runtime": False})
agent = Agent(ClaudeCodeModel("sonnet", provider=provider))
print(json.dumps([agent.run_sync("2+2?").output]))
`;

const answers: ScriptedTurn[] = [
  { content: [{ type: "text", text: "Four." }] },
  {
    content: [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "I write." },
      { type: "tool_use", id: "c1", name: "Write", input: { file_path: "made.txt", content: "by a client" } },
    ],
  },
  {
    content: [
      { type: "thinking", thinking: "Done?" },
      { type: "text", text: " Written once." },
    ],
  },
];

type Client = {
  name: string;
  install: () => Promise<unknown>;
  ask: (env: NodeJS.ProcessEnv) => Promise<{ stdout: string }>;
  expected: string[];
  writes: boolean;
};

const within = (...parts: string[]) => join(folder, ...parts);
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

const clients: Client[] = [
  {
    name: "ai-sdk-provider-claude-code",
    install: () => {
      writeFileSync(within("package.json"), '{"private": true, "type": "module"}');
      writeFileSync(within("ai-sdk.mjs"), AI_SDK);
      return run(npm, ["install", "--no-audit", "--no-fund", "ai", "ai-sdk-provider-claude-code", "zod"], { cwd: folder });
    },
    ask: (env) => run(process.execPath, [within("ai-sdk.mjs")], { cwd: folder, env }),
    expected: ["Four.", "I write. Written once."],
    writes: true,
  },
  {
    name: "pydantic-ai-claude-code",
    install: async () => {
      writeFileSync(within("ask.py"), PYDANTIC);
      await run("python3", ["-m", "venv", within("py")]);
      await run(within("py", "bin", "pip"), ["install", "-q", "pydantic-ai-claude-code==0.8.1", "pydantic-ai==1.39.0"]);
    },
    ask: (env) => run(within("py", "bin", "python"), [within("ask.py")], { cwd: folder, env }),
    expected: ["Four."],
    writes: false,
  },
];

let failed = 0;
for (const client of clients) {
  const [home, work] = [within(client.name, "home"), within(client.name, "work")] as const;
  for (const path of [home, work]) mkdirSync(path, { recursive: true });
  // One client calculates with the cost, which is null without a price.
  mkdirSync(join(home, ".yume"));
  writeFileSync(join(home, ".yume", "config.json"), '{"prices": {"scripted": {"input": 1, "output": 2}}}');
  const model = await startScriptedModel(answers);
  try {
    await client.install();
    const { stdout } = await client.ask({
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      HOME: home,
      YUME: yumeCli,
      WORK: work,
      YUME_PROVIDER: "openai",
      YUME_MODEL: "scripted",
      ...model.env("chat"),
    });
    const said = JSON.parse(stdout.trim().split("\n").at(-1) ?? "[]") as string[];
    if (JSON.stringify(said) !== JSON.stringify(client.expected)) throw new Error(`it said ${JSON.stringify(said)}`);
    if (client.writes && readFileSync(join(work, "made.txt"), "utf8") !== "by a client")
      throw new Error("the file was not written");
    console.log(`ok    ${client.name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${client.name}: ${(error as Error).message}`);
  } finally {
    await model.close();
  }
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
