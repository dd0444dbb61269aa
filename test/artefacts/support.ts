// The artefacts as a stranger has them: an empty folder, a home of its own, no way back to the checkout.
import { type SpawnOptions, type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished } from "vitest";
import { startScriptedModel } from "../../packages/yume/test/wire/server.ts";

const artefacts = fileURLToPath(new URL("../../artefacts", import.meta.url));

/** The path of the one artefact whose name starts so. */
export function artefact(part: string, prefix: string): string {
  const found = readdirSync(join(artefacts, part)).filter((name) => name.startsWith(prefix));
  if (found.length !== 1) throw new Error(`artefacts/${part} has ${found.length} files ${prefix}*. Run \`npm run artefacts\`.`);
  return join(artefacts, part, found[0] as string);
}

export type Place = { folder: string; env: Record<string, string> };

/** An empty folder with a home and a store in it. Only the system's programs and the Node of this run are on the PATH. */
export function emptyPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "hap-installed-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  mkdirSync(home);
  const node = dirname(process.execPath);
  return {
    folder,
    env: {
      HOME: home,
      PATH: `${join(folder, "bin")}:${node}:/usr/local/bin:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      HAP_DB_PATH: join(home, "hap.db"),
      HAP_HUMAN_ID: "human:alex",
    },
  };
}

/** For npm: the caller's own environment, since it says how packages are reached. */
export function npmEnv({ env }: Place): NodeJS.ProcessEnv {
  return { ...process.env, PATH: env.PATH };
}

export type Ran = { status: number | null; out: string; err: string };

/** Run a program to its end. */
export function run(program: string, args: readonly string[], options: Partial<SpawnSyncOptionsWithStringEncoding>): Ran {
  const ran = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 26, ...options });
  if (ran.error) throw ran.error;
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

/** Run a program that must succeed; its output. */
export function mustRun(program: string, args: readonly string[], options: Partial<SpawnSyncOptionsWithStringEncoding>): string {
  const { status, out, err } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} exited with ${status}:\n${err}${out}`);
  return out;
}

/** What a host sends before a shell command. */
export function shellCall(command: string, cwd: string): string {
  return JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd, session_id: "s" });
}

/** The walk of the README, and what each of its commands must say. */
export function walkReadme(hap: (...args: string[]) => Ran, id: string): void {
  const create = ["create", "--id", id, "--to", "human:alex", "--kind", "run_command", "--summary", "Install left-pad"];
  expect(hap(...create, "--details", '{"command":"npm install left-pad"}').status).toBe(0);
  expect(hap("inbox").out).toContain("Install left-pad");
  expect(hap("show", id).out).toContain("npm install left-pad");
  expect(hap("reject", id, "Use the standard library").status).toBe(0);
  expect(hap("wait", id)).toMatchObject({ status: 10, out: expect.stringContaining("Use the standard library") });
  expect(hap("verify").out).toContain("Event log integrity: OK");
}

/** Run a program while this process goes on, as a model or a page in it must. */
async function runAside(program: string, args: readonly string[], options: SpawnOptions): Promise<Ran> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const texts = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [out, err] = await texts;
  return { status, out, err };
}

/** One turn of yume-cli against a scripted model. */
export async function turnOfYume(options: { cwd: string; env: Record<string, string> }): Promise<void> {
  const model = await startScriptedModel([{ content: [{ type: "text", text: "Hello from the model." }] }]);
  onTestFinished(() => model.close());
  const env = { ...options.env, OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${model.url}/v1` };
  const ran = await runAside("yume-cli", ["-P", "openai", "-p", "Say hello"], { ...options, env });
  expect(ran).toMatchObject({ status: 0, out: expect.stringContaining("Hello from the model.") });
}
