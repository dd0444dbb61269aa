// The peers: other agents' command lines that can be pointed to a local model, in the same run and with the same model as
// yume-cli. Installed into a temporary folder when asked for; claude is the binary that the SDK's package carries.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realClaude, scriptedClaude } from "../packages/yume/test/support/real-claude.ts";
import type { ScriptedModel } from "../packages/yume/test/wire/server.ts";
import { type Benchmark, median, type Result, withFolder } from "./measure.ts";
import { memoryOf, type Program, type Times, timeProgram } from "./time-program.ts";
import { LONG, reciter, SHORT, yumeProgram } from "./yume-start.ts";

type Peer = { name: string; program: (prompt: string) => Program };
type Measured = { short: Times; long: Times; memory: number };

const PACKAGES = ["@openai/codex@0.166.0", "@google/gemini-cli@0.61.0", "@qwen-code/qwen-code@0.15.10"];

export const yumePeers: Benchmark = {
  name: "yume peers",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      await using model = await reciter();
      const home = join(folder, "home");
      mkdirSync(join(home, ".gemini"), { recursive: true });
      const settings = { security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } };
      writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      writeFileSync(join(folder, "package.json"), '{"private":true}');
      execFileSync("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: folder, stdio: "ignore" });
      const ours: Peer = { name: "yume-cli", program: (prompt) => yumeProgram(prompt, model, home) };
      const measured = new Map<string, Measured[]>();
      for (const peer of [ours, ...peersIn(folder, home, model)]) {
        try {
          await timeProgram(peer.program(SHORT.prompt), SHORT.words);
          measured.set(peer.name, []);
        } catch (error) {
          console.error(`${peer.name} is left out: ${(error as Error).message}`);
        }
      }
      for (let round = 0; round < (quick ? 1 : 7); round++)
        for (const { name, program } of [ours, ...peersIn(folder, home, model)])
          measured.get(name)?.push({
            short: await timeProgram(program(SHORT.prompt), SHORT.words),
            long: await timeProgram(program(LONG.prompt), LONG.words),
            memory: await memoryOf(program(SHORT.prompt)),
          });
      return rowsOf(measured);
    }),
};

function peersIn(folder: string, home: string, model: ScriptedModel): Peer[] {
  const bin = (name: string) => join(folder, "node_modules", ".bin", name);
  const env = { PATH: process.env.PATH, HOME: home };
  const provider = `model_providers.local={name="local",base_url="${model.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
  const peer = (name: string, command: string, args: (prompt: string) => string[], more: NodeJS.ProcessEnv): Peer => ({
    name,
    program: (prompt) => ({ command, args: args(prompt), env: { ...env, ...more }, cwd: home }),
  });
  return [
    peer(
      "claude",
      realClaude(),
      (prompt) => ["-p", "--output-format", "stream-json", "--verbose", prompt],
      scriptedClaude(model),
    ),
    peer(
      "codex",
      bin("codex"),
      (prompt) => [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "-c",
        'model_provider="local"',
        "-c",
        provider,
        "-m",
        "gpt-5",
        prompt,
      ],
      { OPENAI_API_KEY: "sk-scripted", CODEX_HOME: home },
    ),
    peer("gemini", bin("gemini"), (prompt) => ["-p", prompt, "--output-format", "stream-json", "-m", "gemini-2.5-flash"], {
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      ...model.env("gemini"),
    }),
    peer("qwen", bin("qwen"), (prompt) => ["-p", prompt, "--output-format", "stream-json", "--auth-type", "openai"], {
      OPENAI_MODEL: "scripted",
      ...model.env("chat"),
    }),
  ];
}

/** Ours beside each peer: how much of its time and memory ours takes. */
function rowsOf(measured: ReadonlyMap<string, Measured[]>): Result[] {
  const figures: readonly [string, string, (one: Measured) => number][] = [
    ["spawn to first line", "ms", ({ short }) => short.first],
    ["spawn to first text", "ms", ({ short }) => short.text],
    ["spawn to exit, one short turn", "ms", ({ short }) => short.exit],
    ["spawn to exit, a turn of 2,000 tokens", "ms", ({ long }) => long.exit],
    ["most memory in a short turn", "MB", ({ memory }) => memory],
  ];
  const ours = measured.get("yume-cli") ?? [];
  return [...measured].flatMap(([name, theirs]) =>
    name === "yume-cli"
      ? []
      : figures.map(([what, unit, pick]) => {
          const [value, other] = [median(ours.map(pick)), median(theirs.map(pick))];
          return { name: `yume-cli, ${what}`, value, unit, baseline: { name, value: other }, ratio: value / other };
        }),
  );
}
