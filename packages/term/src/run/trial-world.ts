// The folders of one trial: a private base with the work folder, and places for tests, logs and the solution that stay empty
// until they are due.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Mount } from "../sandbox/sandbox.ts";
import type { Task } from "../tasks/task.ts";

export type TrialWorld = {
  base: string;
  control: string;
  work: string;
  tests: string;
  logs: string;
  solution: string;
  mounts: Mount[];
  remove(): void;
};

/** Harbor's folders for what tests, agents and tasks leave. */
const LOGS = ["logs/verifier", "logs/agent", "logs/artifacts"];

/** What of an environment folder is not for the work folder. */
const NOT_FILES = new Set(["setup.sh", "Dockerfile", "docker-compose.yaml", ".dockerignore"]);

/** What Terminal-Bench 1 runs where a task brings no script. */
const DEFAULT_TESTS = '#!/bin/bash\nexec python3 -m pytest "$TEST_DIR" -rA\n';

/** Make the folders. `cwd` is a folder of the caller's own, for a run without a task. */
export function makeWorld(task: Task | null, cwd: string | null): TrialWorld {
  const base = mkdtempSync(join(tmpdir(), "hap-term-"));
  const at = (name: string) => join(base, name);
  for (const name of ["control", "work", "tests", "solution", ...LOGS]) mkdirSync(at(name), { recursive: true });
  for (const name of ["work", "logs", ...LOGS]) openUp(at(name));
  const work = cwd ?? at("work");
  if (task?.files) {
    for (const name of readdirSync(task.files))
      if (!NOT_FILES.has(name)) cpSync(join(task.files, name), join(work, name), { recursive: true });
  }
  const inContainer = task?.build != null || task?.image != null;
  return {
    base,
    control: at("control"),
    work,
    tests: at("tests"),
    logs: at("logs"),
    solution: at("solution"),
    mounts: [
      // A container brings its own work folder; a folder of the caller's keeps its name.
      ...(inContainer ? [] : [{ host: work, inside: cwd ?? task?.workdir ?? "/app", writable: true }]),
      ...(task === null
        ? []
        : ["tests", "logs", "solution"].map((name) => ({ host: at(name), inside: `/${name}`, writable: true }))),
    ],
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Copy the hidden tests in; whatever was put there before is gone. */
export function bringTests(task: Task, world: TrialWorld): void {
  empty(world.tests);
  // The agent may have removed or replaced it; other folders of /logs are the task's own.
  const verifier = join(world.logs, "verifier");
  rmSync(verifier, { recursive: true, force: true });
  mkdirSync(verifier);
  openUp(verifier);
  cpSync(task.tests.folder, world.tests, { recursive: true });
  const script = join(world.tests, testScript(task));
  if (task.tests.script === null) writeFileSync(script, DEFAULT_TESTS, { mode: 0o755 });
  else cpSync(task.tests.script, script);
}

/** The name of what runs the tests. */
export function testScript({ tests }: Task): string {
  return tests.script === null ? "run-tests.sh" : basename(tests.script);
}

/** Copy the solution in, for the oracle. */
export function bringSolution(task: Task, world: TrialWorld): string | null {
  if (task.solution?.kind !== "script") return null;
  if (task.format === "terminal-bench-1")
    cpSync(join(task.solution.folder, task.solution.script), join(world.solution, task.solution.script));
  else cpSync(task.solution.folder, world.solution, { recursive: true });
  return join(world.solution, task.solution.script);
}

/** An image may have a user of its own. Nobody else on the host can come this far: the base is private. */
function openUp(folder: string): void {
  chmodSync(folder, 0o777);
}

/** The folder stays: it is mounted. */
function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
