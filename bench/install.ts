// What a newcomer waits for: installing the packed commands, the start of the single file, and a clone's way to the first decision.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Benchmark, compare, median, type Result, withFolder } from "./measure.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const artefacts = join(root, "artefacts");
const MB = 1e6;

export const install: Benchmark = {
  name: "install",
  run: ({ quick }) =>
    withFolder((folder) => [
      ...installedCommands(folder),
      ...sizes(),
      ...binaryStart(folder, quick ? 10 : 40),
      firstDecision(join(folder, "clone"), folder),
    ]),
};

/** A ratio without a target. */
function beside(result: Result & { baseline: { value: number } }): Result {
  return { ...result, ratio: result.value / result.baseline.value };
}

function timed(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): number {
  const started = performance.now();
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", ...options });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

/** `npm install` of the tarball into an empty folder, beside that of an empty package. */
function installedCommands(folder: string): Result[] {
  const tarball = readdirSync(join(artefacts, "npm")).find((name) => /^hap-\d.*\.tgz$/.test(name));
  if (tarball === undefined) throw new Error("There is no packed hap. Run `npm run artefacts` first.");
  const place = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const npmInstall = (prefix: string, what: string) =>
    timed("npm", ["install", "--no-audit", "--no-fund", "--prefix", prefix, what], { cwd: prefix }) / 1000;
  const empty = place("empty");
  writeFileSync(join(empty, "package.json"), '{"name":"empty","version":"1.0.0"}');
  const bare = npmInstall(place("bare"), empty);
  const installed = place("installed");
  const value = npmInstall(installed, join(artefacts, "npm", tarball));
  return [
    beside({ name: "npm install of hap", value, unit: "s", baseline: { name: "npm install of an empty package", value: bare } }),
    { name: "installed, with its dependencies", value: sizeOf(join(installed, "node_modules")) / MB, unit: "MB" },
  ];
}

function sizes(): Result[] {
  const file = (name: string, path: string) => ({ name, value: statSync(join(artefacts, path)).size / MB, unit: "MB" });
  return [
    file("the single file", "bin/hap-linux-x64"),
    file("the single file, compressed", "bin/hap-linux-x64.gz"),
    file("the image, compressed", "oci/hap.tar"),
  ];
}

/** `hap --version` and a proven call through the hook, from the single file, beside `node -e 0`. */
function binaryStart(folder: string, rounds: number): Result[] {
  const binary = join(artefacts, "bin/hap-linux-x64");
  const project = join(folder, "app");
  mkdirSync(join(project, ".git"), { recursive: true });
  const options = { cwd: project, env: { HOME: folder, PATH: "/usr/local/bin:/usr/bin:/bin" } };
  const input = JSON.stringify({
    ...{ hook_event_name: "PreToolUse", session_id: "bench", cwd: project, tool_name: "Bash" },
    tool_input: { command: "git log --oneline | head -5" },
  });
  const [bare, version, hook]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(timed(process.execPath, ["-e", "0"], options));
    version.push(timed(binary, ["--version"], options));
    hook.push(timed(binary, ["hook", "claude"], { ...options, input }));
  }
  const baseline = { name: "node -e 0", value: median(bare) };
  return [
    beside({ name: "the single file, hap --version", value: median(version), unit: "ms", baseline }),
    compare({ name: "the single file, hook, allowed call", value: median(hook), unit: "ms", baseline }, { most: 1.5 }),
  ];
}

/** From `git clone` to a decided ticket: set-up as `npm start` does it, one ticket, one answer. */
function firstDecision(clone: string, home: string): Result {
  const env = { ...process.env, HAP_DB_PATH: join(home, "first.db"), HAP_HUMAN_ID: "human:alex" };
  const id = "tk_first000000000000001";
  const hap = (...args: string[]) => timed("node", ["packages/cli/bin/hap.mjs", ...args], { cwd: clone, env });
  const took =
    timed("git", ["clone", "--quiet", "--depth=1", `file://${root}`, clone], { cwd: home }) +
    timed("node", ["scripts/setup.mjs", "--to-run"], { cwd: clone, env }) +
    hap("create", "--id", id, "--summary", "First") +
    hap("reject", id, "No");
  rmSync(clone, { recursive: true, force: true });
  return { name: "from git clone to the first decision", value: took / 1000, unit: "s" };
}

function sizeOf(path: string): number {
  if (!existsSync(path) || !lstatSync(path).isDirectory()) return lstatSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
