// Tries task folders of others with a sandbox: `term oracle` must pass and `term null` must not. Prints how many tasks were built,
// ran and were judged, and writes a line for each task.
//   node packages/term/scripts/try-tasks.ts SANDBOX OUT.jsonl [--minutes N] [--seconds-per-task N] [--jobs N] [--skip N] [--keep FOLDER] TASKS...
// --skip leaves out the first tasks of the order; --keep keeps the run's folder of each solution that did not pass.
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

type Ended = { status: string; detail: string };
type Line = { task: string; sandbox: string; oracle: Ended; null: Ended | null; seconds: number };

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "60" },
    "seconds-per-task": { type: "string", default: "300" },
    jobs: { type: "string", default: "1" },
    skip: { type: "string", default: "0" },
    keep: { type: "string" },
  },
});
const [sandbox = "auto", out = "tasks.jsonl", ...folders] = positionals;
const deadline = Date.now() + Number(values.minutes) * 60_000;
const limitMs = Number(values["seconds-per-task"]) * 1000;

const isTask = (folder: string) => ["task.toml", "task.yaml"].some((name) => existsSync(join(folder, name)));
// In the order of a hash of their names: where the time is up before the last one, those that ran are a fair sample.
const order = (task: string) => hash("sha256", basename(task), "hex");
const tasks = folders
  .flatMap((folder) =>
    isTask(folder)
      ? [resolve(folder)]
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => resolve(entry.parentPath, entry.name))
          .filter(isTask),
  )
  .sort((a, b) => order(a).localeCompare(order(b)))
  .slice(Number(values.skip));

/** One trial, ended after its limit. */
async function runTerm(command: "oracle" | "null", task: string): Promise<Ended> {
  const base = mkdtempSync(join(tmpdir(), "try-task-"));
  const run = join(base, "run");
  const args = [bin, command, task, "--sandbox", sandbox, "--out", run, "--quiet", "--command-timeout", String(limitMs / 1000)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "ignore"] });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGINT");
  }, limitMs);
  await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  const trials = existsSync(join(run, "trials")) ? readdirSync(join(run, "trials")) : [];
  const file = join(run, "trials", trials[0] ?? "", "result.json");
  const result = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Ended) : null;
  if (values.keep !== undefined && command === "oracle" && result?.status !== "passed" && existsSync(run))
    cpSync(run, join(values.keep, basename(task)), { recursive: true });
  rmSync(base, { recursive: true, force: true });
  if (result !== null) return { status: result.status, detail: result.detail.slice(0, 500) };
  return late ? { status: "slow", detail: `not done after ${limitMs / 1000} s` } : { status: "refused", detail: "no result" };
}

const done = new Set(
  existsSync(out)
    ? readFileSync(out, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as Line).task)
    : [],
);
const waiting = tasks.filter((task) => !done.has(basename(task)));
async function work(): Promise<void> {
  for (let task = waiting.shift(); task !== undefined && Date.now() < deadline; task = waiting.shift()) {
    const started = Date.now();
    const oracle = await runTerm("oracle", task);
    const idle = ["passed", "failed"].includes(oracle.status) ? await runTerm("null", task) : null;
    const line: Line = { task: basename(task), sandbox, oracle, null: idle, seconds: (Date.now() - started) / 1000 };
    appendFileSync(out, `${JSON.stringify(line)}\n`);
    const words = `oracle ${oracle.status}, null ${idle?.status ?? "-"} (${line.seconds.toFixed(0)} s) ${oracle.detail.slice(0, 160)}`;
    console.log(`${line.task}: ${words}`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
