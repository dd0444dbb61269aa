// Reads a task's folder: Harbor / Terminal-Bench 2 (task.toml), Terminal-Bench 1 (task.yaml), or plain (instruction.md).
// Unknown keys are ignored.
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { TermError } from "../term-error.ts";
import type { Task } from "./task.ts";

/** How long an image may take to build where the task does not say. */
const BUILD_SECONDS = 1800;

type Fields = Record<string, unknown>;

/** Read a task. */
export function readTask(path: string): Task {
  const folder = resolve(path);
  if (existsSync(join(folder, "task.toml"))) return readHarbor(folder);
  if (existsSync(join(folder, "task.yaml"))) return readTerminalBench1(folder);
  if (existsSync(join(folder, "instruction.md"))) return readPlain(folder, {});
  throw new TermError(
    "task_invalid",
    `${folder} is no task: expected task.toml (Harbor), task.yaml (Terminal-Bench 1) or instruction.md. \`term new task\` makes one.`,
  );
}

/** True for a folder that holds a task. */
export function isTask(folder: string): boolean {
  return ["task.toml", "task.yaml", "instruction.md"].some((name) => existsSync(join(folder, name)));
}

function readHarbor(folder: string): Task {
  const parsed = parseFile(join(folder, "task.toml"), parseToml);
  const [metadata, agent, verifier, environment] = ["metadata", "agent", "verifier", "environment"].map((name) =>
    section(parsed, name),
  );
  const plain = readPlain(folder, environment ?? {});
  return {
    ...plain,
    format: "harbor",
    difficulty: text(metadata?.difficulty),
    agentTimeoutSeconds: number(agent?.timeout_sec),
    verifierTimeoutSeconds: number(verifier?.timeout_sec) ?? plain.verifierTimeoutSeconds,
    tests: { ...plain.tests, mustReward: true, env: readEnvironment(section(verifier ?? {}, "env"), folder) },
    env: readEnvironment(section(environment ?? {}, "env"), folder),
    workdir: absolute(environment?.workdir, folder),
    ...readImage(plain, text(environment?.docker_image)),
  };
}

/** An image that the task names stands in for a Dockerfile; where it has both, the image is what its Dockerfile makes. */
function readImage(plain: Task, image: string | null): Pick<Task, "image" | "container" | "files" | "setup"> {
  const { container, files, setup } = plain;
  if (image === null || plain.dockerfile !== null) return { image: null, container, files, setup };
  return { image, container: `its environment is the image ${image}`, files: null, setup: null };
}

/** Names and values. `${NAME}` and `${NAME:-default}` are taken from the environment of whoever runs the task. */
function readEnvironment(given: Fields, folder: string): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(name) || !["string", "number", "boolean"].includes(typeof value))
      throw new TermError("task_invalid", `${folder}/task.toml: env ${name} must be a name with a text, number or boolean.`);
    const replaced = String(value).replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_whole, variable: string, otherwise?: string) => {
      const found = process.env[variable] ?? otherwise;
      if (found !== undefined) return found;
      throw new TermError("task_invalid", `${folder}/task.toml: env ${name} needs the variable ${variable}, which is not set.`);
    });
    return [name, replaced] as const;
  });
  return Object.fromEntries(entries);
}

function absolute(value: unknown, folder: string): string | null {
  const path = text(value);
  if (path === null || path.startsWith("/")) return path;
  throw new TermError("task_invalid", `${folder}/task.toml: workdir is ${JSON.stringify(path)}; it must begin with /.`);
}

/** Harbor's word, or the older boolean. What we cannot enforce is refused rather than opened. */
function readNetwork(environment: Fields, folder: string): boolean {
  const mode = text(environment.network_mode);
  if (mode === null) return environment.allow_internet === true || environment.network === true;
  if (mode === "public") return true;
  if (mode === "no-network") return false;
  throw new TermError(
    "task_invalid",
    `${folder}/task.toml: network_mode is ${JSON.stringify(mode)}; term knows public and no-network.`,
  );
}

/** instruction.md, tests/test.sh, and beside them environment/ and solution/ where there are any. */
function readPlain(folder: string, environment: Fields): Task {
  const files = join(folder, "environment");
  const dockerfile = existsSync(join(files, "Dockerfile")) ? files : null;
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
      script: required(join(folder, "tests", "test.sh"), "test.sh"),
      parser: "exit",
      sameShell: false,
      mustReward: false,
      env: {},
    },
    env: {},
    workdir: null,
    solution: solution === null ? null : { folder: join(folder, "solution"), script: basename(solution) },
    files: existsSync(files) && dockerfile === null ? files : null,
    setup: dockerfile === null ? existingFile(join(files, "setup.sh")) : null,
    dockerfile,
    image: null,
    container: dockerfile === null ? null : "its environment is a Dockerfile",
    requires: Array.isArray(environment.requires) ? environment.requires.filter((name) => typeof name === "string") : [],
    network: readNetwork(environment, folder),
    memoryMb: megabytes(environment.memory_mb ?? environment.memory),
    cpus: number(environment.cpus),
    buildTimeoutSeconds: number(environment.build_timeout_sec) ?? BUILD_SECONDS,
  };
}

function readTerminalBench1(folder: string): Task {
  const fields = parseFile(join(folder, "task.yaml"), parseYaml as (text: string) => unknown);
  const instruction = text(fields.instruction);
  if (instruction === null) throw new TermError("task_invalid", `${folder}/task.yaml has no instruction; add one.`);
  const services = composeServices(join(folder, "docker-compose.yaml"));
  const several = services.length > 1 ? `its docker-compose.yaml has ${services.length} services` : null;
  // One service beside a Dockerfile is the usual frame around it.
  const dockerfile = several === null && existsSync(join(folder, "Dockerfile")) ? folder : null;
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
    workdir: null,
    solution: existsSync(join(folder, "solution.sh")) ? { folder, script: "solution.sh" } : null,
    files: null,
    setup: null,
    dockerfile,
    image: null,
    container: several ?? (dockerfile !== null || services.length > 0 ? "its environment is a container" : null),
    requires: [],
    network: true,
    memoryMb: null,
    cpus: null,
    buildTimeoutSeconds: BUILD_SECONDS,
  };
}

/** The services of a compose file; one that names none counts as one. */
function composeServices(path: string): string[] {
  if (!existsSync(path)) return [];
  const parsed = parseFile(path, (content) => (parseYaml(content) as unknown) ?? {});
  const names = Object.keys(section(parsed, "services"));
  return names.length > 0 ? names : ["client"];
}

function parseFile(path: string, parse: (text: string) => unknown): Fields {
  try {
    const parsed = parse(readFileSync(path, "utf8"));
    if (typeof parsed === "object" && parsed !== null) return parsed as Fields;
    throw new Error("expected keys and values");
  } catch (error) {
    throw new TermError("task_invalid", `${path} cannot be read: ${error instanceof Error ? error.message : error}`, error);
  }
}

function section(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function readRequired(path: string): string {
  return readFileSync(required(path, basename(path)), "utf8");
}

function required(path: string, name: string): string {
  if (existsSync(path)) return path;
  throw new TermError("task_invalid", `${path} is missing: a task of this kind needs ${name}.`);
}

function existingFile(...paths: string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;
}

/** 2048, "2G", "512M", "2GiB": megabytes. */
function megabytes(value: unknown): number | null {
  if (typeof value === "number") return number(value);
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*$/i.exec(text(value) ?? "") ?? [];
  if (amount === undefined) return null;
  const factor = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 }[(unit ?? "").toLowerCase()] ?? 1 / (1024 * 1024);
  return Math.max(1, Math.round(Number(amount) * factor));
}
