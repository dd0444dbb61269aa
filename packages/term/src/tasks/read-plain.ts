// A folder with instruction.md and tests/test.sh, and beside them environment/ and solution/ where there are any. Harbor's tasks
// have the same files.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "./task.ts";
import { existingFile, readRequired, required } from "./task-files.ts";

/** Time limit of an image's build where the task sets none. */
export const BUILD_SECONDS = 1800;

/** Read a plain task. */
export function readPlain(folder: string): Task {
  const files = join(folder, "environment");
  const inImage = existsSync(join(files, "Dockerfile"));
  const solution = existingFile(join(folder, "solution", "solve.sh"), join(folder, "solution", "solution.sh"));
  return {
    name: basename(folder),
    format: "plain",
    folder,
    instruction: readRequired(join(folder, "instruction.md")).trim(),
    difficulty: null,
    agentTimeoutSeconds: null,
    verifierTimeoutSeconds: 600,
    tests: {
      folder: join(folder, "tests"),
      script: required(join(folder, "tests", "test.sh")),
      parser: "exit",
      sameShell: false,
      mustReward: false,
      env: {},
    },
    env: {},
    workdir: null,
    solution:
      solution === null ? null : { kind: "script", folder: join(folder, "solution"), script: basename(solution), env: {} },
    files: existsSync(files) && !inImage ? files : null,
    setup: inImage ? null : existingFile(join(files, "setup.sh")),
    build: inImage ? { context: files, dockerfile: null, args: {}, target: null } : null,
    image: null,
    container: inImage ? "its environment is a Dockerfile" : null,
    compose: null,
    users: { agent: null, tests: null },
    healthcheck: null,
    unsupported: null,
    requires: [],
    network: false,
    memoryMb: null,
    cpus: null,
    buildTimeoutSeconds: BUILD_SECONDS,
  };
}
