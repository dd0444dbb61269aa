// Terminal-Bench 1: task.yaml, with a Dockerfile or a compose file around it.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { TermError } from "../term-error.ts";
import { isFields, number, text } from "./fields.ts";
import { BUILD_SECONDS } from "./read-plain.ts";
import type { Solution, Task } from "./task.ts";
import { existingFile, parseFile, readComposeFile, readRequired } from "./task-files.ts";

/** Read a task with a task.yaml. */
export function readTerminalBench1(folder: string): Task {
  const fields = parseFile(join(folder, "task.yaml"), parseYaml as (text: string) => unknown);
  const instruction = text(fields.instruction);
  if (instruction === null) throw new TermError("task_invalid", `${folder}/task.yaml has no instruction; add one.`);
  const { compose, unsupported } = readComposeFile(folder, folder, {});
  const own = existsSync(join(folder, "Dockerfile")) ? { context: folder, dockerfile: null, args: {}, target: null } : null;
  const build = compose === null ? own : (compose.main.build ?? (compose.main.image === null ? own : null));
  return {
    name: basename(folder),
    format: "terminal-bench-1",
    folder,
    instruction: instruction.trim(),
    difficulty: text(fields.difficulty),
    agentTimeoutSeconds: number(fields.max_agent_timeout_sec) ?? 360,
    verifierTimeoutSeconds: number(fields.max_test_timeout_sec) ?? 60,
    tests: {
      folder: join(folder, "tests"),
      script: existingFile(join(folder, "run-tests.sh")),
      parser: (text(fields.parser_name) ?? "pytest") === "pytest" ? "pytest" : "exit",
      sameShell: fields.run_tests_in_same_shell === true,
      mustReward: false,
      env: {},
    },
    env: {},
    workdir: compose?.main.workdir ?? null,
    solution: readSolution(folder),
    files: null,
    setup: null,
    build,
    image: build === null ? (compose?.main.image ?? null) : null,
    container: build !== null || compose !== null ? "its environment is a container" : null,
    compose,
    users: { agent: compose?.main.user ?? null, tests: compose?.main.user ?? null },
    healthcheck: null,
    unsupported,
    requires: [],
    network: true,
    memoryMb: compose?.main.memoryMb ?? null,
    cpus: null,
    buildTimeoutSeconds: BUILD_SECONDS,
  };
}

/** A script, or the keys of `solution.yaml`. */
function readSolution(folder: string): Solution | null {
  if (existsSync(join(folder, "solution.sh"))) return { kind: "script", folder, script: "solution.sh", env: {} };
  const path = join(folder, "solution.yaml");
  if (!existsSync(path)) return null;
  const entries = parseYaml(readRequired(path)) as unknown;
  if (!Array.isArray(entries)) throw new TermError("task_invalid", `${path} must be a list of commands.`);
  const keys = entries.map((entry) => {
    if (!isFields(entry) || typeof entry.command !== "string")
      throw new TermError("task_invalid", `${path}: each entry needs a command.`);
    return {
      keystrokes: entry.append_enter === false ? entry.command : `${entry.command}\n`,
      block: entry.block === true,
      seconds: number(entry.min_timeout_sec) ?? 0,
    };
  });
  return { kind: "keys", keys };
}
