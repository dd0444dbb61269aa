// Harbor and Terminal-Bench 2: the files of a plain task, and task.toml. What a task asks for and term cannot do makes it
// unsupported, so that it is never judged by half of its rules.
import { basename, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { TermError } from "../term-error.ts";
import { type Fields, isFields, megabytes, number, section, text } from "./fields.ts";
import { BUILD_SECONDS, readPlain } from "./read-plain.ts";
import type { Healthcheck } from "./service.ts";
import type { Task } from "./task.ts";
import { parseFile, readComposeFile } from "./task-files.ts";

/** Read a task with a task.toml. */
export function readHarbor(folder: string): Task {
  const parsed = parseFile(join(folder, "task.toml"), parseToml);
  const environment = section(parsed, "environment");
  const unsupported = findUnsupported(parsed, environment);
  // Such a task may have its instructions and tests elsewhere.
  if (unsupported !== null) return outOfReach(folder, unsupported);
  const plain = readPlain(folder);
  const [metadata, agent, verifier] = ["metadata", "agent", "verifier"].map((name) => section(parsed, name));
  const env = readEnvironment(section(environment, "env"), folder);
  const image = readImage(plain, text(environment.docker_image));
  const compose = readComposeFile(join(folder, "environment"), folder, env);
  const inContainer = image.container !== null || compose.compose !== null;
  return {
    ...plain,
    ...image,
    format: "harbor",
    difficulty: text(metadata?.difficulty),
    agentTimeoutSeconds: number(agent?.timeout_sec),
    verifierTimeoutSeconds: number(verifier?.timeout_sec) ?? plain.verifierTimeoutSeconds,
    tests: { ...plain.tests, mustReward: true, env: readEnvironment(section(verifier ?? {}, "env"), folder) },
    solution:
      plain.solution?.kind === "script"
        ? { ...plain.solution, env: readEnvironment(section(section(parsed, "solution"), "env"), folder) }
        : null,
    env,
    workdir: absolute(environment.workdir, folder),
    ...(compose.compose === null ? {} : inCompose(plain, image, compose.compose)),
    users: { agent: user(agent?.user), tests: user(verifier?.user) },
    healthcheck: readHealthcheck(environment.healthcheck),
    unsupported: compose.unsupported,
    requires: Array.isArray(environment.requires) ? environment.requires.filter((name) => typeof name === "string") : [],
    network: readNetwork(environment, inContainer),
    memoryMb: megabytes(environment.memory_mb ?? environment.memory),
    cpus: number(environment.cpus),
    buildTimeoutSeconds: number(environment.build_timeout_sec) ?? BUILD_SECONDS,
  };
}

/** A task that is not read any further. */
function outOfReach(folder: string, unsupported: string): Task {
  const nothing = { folder, script: null, parser: "exit", sameShell: false, mustReward: true, env: {} } as const;
  const task = { name: basename(folder), format: "harbor" as const, folder, instruction: "", tests: nothing };
  return {
    ...task,
    difficulty: null,
    agentTimeoutSeconds: null,
    verifierTimeoutSeconds: 600,
    env: {},
    workdir: null,
    solution: null,
    files: null,
    setup: null,
    build: null,
    image: null,
    container: null,
    compose: null,
    users: { agent: null, tests: null },
    healthcheck: null,
    unsupported,
    requires: [],
    network: false,
    memoryMb: null,
    cpus: null,
    buildTimeoutSeconds: BUILD_SECONDS,
  };
}

function findUnsupported(parsed: Fields, environment: Fields): string | null {
  const verifier = section(parsed, "verifier");
  if (Array.isArray(parsed.steps) && parsed.steps.length > 0) return "the task has several steps, each with tests of its own";
  if (verifier.environment_mode === "separate" || isFields(verifier.environment))
    return "the task's tests run in an environment of their own";
  if (text(environment.os)?.toLowerCase() === "windows") return "the task needs Windows containers";
  if (number(environment.gpus) !== null) return "the task needs a GPU";
  if (isFields(environment.tpu)) return "the task needs a TPU";
  const modes = [environment, section(parsed, "agent"), verifier].map((part) => text(part.network_mode));
  const other = modes.find((mode) => mode !== null && mode !== "public" && mode !== "no-network");
  if (other != null) return `the task has the network mode ${other}; term has public and no-network`;
  const [whole, ...phases] = modes;
  if (phases.some((mode) => mode != null && mode !== (whole ?? "public")))
    return "the task changes its network between agent and tests";
  return null;
}

/** A named image stands in for a Dockerfile; where a task has both, the image is what its Dockerfile builds. */
function readImage(plain: Task, image: string | null): Pick<Task, "image" | "container" | "files" | "setup" | "build"> {
  const { container, files, setup, build } = plain;
  if (image === null || build !== null) return { image: null, container, files, setup, build };
  return { image, container: `its environment is the image ${image}`, files: null, setup: null, build: null };
}

/** The main service is built from the environment folder unless its compose file says otherwise. */
function inCompose(
  plain: Task,
  image: Pick<Task, "image">,
  compose: NonNullable<Task["compose"]>,
): Pick<Task, "compose" | "build" | "image" | "container" | "files" | "setup"> {
  const build = compose.main.build ?? plain.build;
  return {
    compose,
    build,
    image: build === null ? (compose.main.image ?? image.image) : null,
    container: "its environment is a compose file",
    files: null,
    setup: null,
  };
}

/** Names and values. `${NAME}` and `${NAME:-default}` come from the environment of whoever runs the task. */
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

function readHealthcheck(value: unknown): Healthcheck | null {
  if (!isFields(value) || typeof value.command !== "string") return null;
  return {
    command: ["/bin/sh", "-c", value.command],
    intervalSeconds: number(value.interval_sec) ?? 5,
    timeoutSeconds: number(value.timeout_sec) ?? 30,
    startPeriodSeconds: number(value.start_period_sec) ?? 0,
    retries: number(value.retries) ?? 3,
  };
}

function absolute(value: unknown, folder: string): string | null {
  const path = text(value);
  if (path === null || path.startsWith("/")) return path;
  throw new TermError("task_invalid", `${folder}/task.toml: workdir is ${JSON.stringify(path)}; it must begin with /.`);
}

function user(value: unknown): string | null {
  return typeof value === "number" ? String(value) : text(value);
}

/** Harbor's tasks are online unless they say otherwise. A task without a container runs among the host's programs, and is not. */
function readNetwork(environment: Fields, inContainer: boolean): boolean {
  const mode = text(environment.network_mode);
  if (mode !== null) return mode === "public";
  const allowed = environment.allow_internet ?? environment.network;
  return typeof allowed === "boolean" ? allowed : inContainer;
}
