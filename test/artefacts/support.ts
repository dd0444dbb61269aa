// The artefacts as a stranger has them: an empty folder, a home of its own, no way back to the checkout.
import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

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
