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

const CLAUDE_CODE = `
import { query } from "@anthropic-ai/claude-code";
const options = { pathToClaudeCodeExecutable: process.env.YUME, cwd: process.env.WORK, permissionMode: "bypassPermissions" };
const said = [];
for (const prompt of ["2+2?", "Write it"]) {
  let text = "";
  for await (const message of query({ prompt, options })) {
    if (message.type === "assistant") for (const block of message.message.content) if (block.type === "text") text += block.text;
    if (message.type === "result" && message.subtype !== "success") throw new Error(JSON.stringify(message));
  }
  said.push(text);
}
console.log(JSON.stringify(said));
`;

/** Also its own session list and messages, where the version has them. */
const PYTHON_SDK = `
import asyncio, json, os
import claude_agent_sdk as sdk
options = sdk.ClaudeAgentOptions(cli_path=os.environ["YUME"], cwd=os.environ["WORK"], permission_mode="bypassPermissions")
async def ask(prompt):
    text = ""
    async for message in sdk.query(prompt=prompt, options=options):
        if isinstance(message, sdk.AssistantMessage):
            text += "".join(block.text for block in message.content if isinstance(block, sdk.TextBlock))
        if isinstance(message, sdk.ResultMessage) and message.is_error:
            raise Exception(message)
        if isinstance(message, sdk.ResultMessage):
            session = message.session_id
    return text, session
async def main():
    said = []
    for prompt in ["2+2?", "Write it"]:
        text, session = await ask(prompt)
        said.append(text)
    if hasattr(sdk, "list_sessions"):
        sessions = sdk.list_sessions(directory=os.environ["WORK"])
        assert session in [one.session_id for one in sessions], sessions
        assert len(sdk.get_session_messages(session, directory=os.environ["WORK"])) > 3
    print(json.dumps(said))
asyncio.run(main())
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
  {
    name: "@anthropic-ai/claude-code 1.0.128",
    install: () => {
      const own = within("claude-code");
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "package.json"), '{"private": true, "type": "module"}');
      writeFileSync(join(own, "ask.mjs"), CLAUDE_CODE);
      return run(npm, ["install", "--no-audit", "--no-fund", "@anthropic-ai/claude-code@1.0.128"], { cwd: own });
    },
    ask: (env) => run(process.execPath, [within("claude-code", "ask.mjs")], { cwd: within("claude-code"), env }),
    expected: ["Four.", "I write. Written once."],
    writes: true,
  },
  ...["0.1.30", "0.2.182"].map(
    (version): Client => ({
      name: `claude-agent-sdk for Python ${version}`,
      install: async () => {
        const own = within(`sdk-${version}`);
        await run("python3", ["-m", "venv", own]);
        writeFileSync(join(own, "ask.py"), PYTHON_SDK);
        await run(join(own, "bin", "pip"), ["install", "-q", `claude-agent-sdk==${version}`]);
      },
      ask: (env) => run(within(`sdk-${version}`, "bin", "python"), [within(`sdk-${version}`, "ask.py")], { cwd: folder, env }),
      expected: ["Four.", "I write. Written once."],
      writes: true,
    }),
  ),
];

/** Those whose name holds a word of the command line, or all. */
const words = process.argv.slice(2);
const wanted = clients.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

let failed = 0;
for (const client of wanted) {
  const place = within("places", client.name.replaceAll(/[^\w.-]+/g, "-"));
  const [home, work] = [join(place, "home"), join(place, "work")] as const;
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
