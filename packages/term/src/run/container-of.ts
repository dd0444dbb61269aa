// The container of a trial: its image, built where needed, and the services of its compose file.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseEngine, chooseSandbox, isEngine } from "../sandbox/choose-sandbox.ts";
import { type ContainerEngine, findEngine } from "../sandbox/container-engine.ts";
import { buildImage, imageTag, inspectImage } from "../sandbox/container-image.ts";
import { runServices, serviceOptions, waitUntilHealthy } from "../sandbox/run-services.ts";
import type { ContainerSpec, SandboxKind } from "../sandbox/sandbox.ts";
import type { Task } from "../tasks/task.ts";
import { TermError } from "../term-error.ts";
import type { RunOptions } from "./run-options.ts";

export type PreparedContainer = {
  /** Null without an image. */
  spec: ContainerSpec | null;
  /** First folder of commands, inside; null where the trial's own folder is mounted. */
  workdir: string | null;
  /** Run the task's healthcheck in the container, which must be up. */
  waitUntilHealthy(): Promise<void>;
  close(): Promise<void>;
};

type Input = { task: Task | null; options: RunOptions; folder: string; signal: AbortSignal };

/** The sandbox of a trial: an engine for a task in a container, else what was asked for. */
export function kindOf(task: Task | null, asked: RunOptions["sandbox"]): SandboxKind {
  return (task?.container == null ? null : chooseEngine(asked)) ?? chooseSandbox(asked);
}

/** Build the image and start the services; null for a sandbox without containers. */
export async function prepareContainer(
  input: Input,
  kind: SandboxKind,
  mark: string,
  network: boolean,
): Promise<PreparedContainer | null> {
  if (!isEngine(kind)) return null;
  const engine = findEngine(kind);
  if (engine === null) throw new TermError("sandbox_missing", `${kind} does not answer any more.`);
  const { task, signal } = input;
  const image = await imageOf(engine, input);
  const services = task?.compose == null ? null : await startServices(engine, input, task, mark, network);
  const name = `hap-term-${mark}`;
  const { healthcheck = null, users = { agent: null, tests: null }, cpus = null, compose = null } = task ?? {};
  const options = compose === null ? [] : serviceOptions(compose.main, name);
  const entrypoint = entrypointOf(compose?.main.entrypoint ?? image.entrypoint, compose?.main.command ?? null);
  const spec = { engine, cpus, users, options, entrypoint, network: services?.networkOptions ?? null, signal };
  return {
    spec: image.tag === null ? null : { ...spec, image: image.tag, workdir: image.workdir },
    workdir: image.workdir === null ? null : (task?.workdir ?? image.workdir),
    waitUntilHealthy: async () => {
      if (healthcheck !== null) await waitUntilHealthy(engine, name, healthcheck, "The task's environment", signal);
    },
    close: async () => services?.close(),
  };
}

/** What the image and the compose file would start: null where that does nothing but wait. */
function entrypointOf(entrypoint: readonly string[], command: readonly string[] | null): string[] | null {
  const waits =
    command === null ||
    /^(?:sh|bash|\/bin\/sh|\/bin\/bash)? ?(?:-c )?(?:sleep infinity|tail -f \/dev\/null)$/.test(command.join(" "));
  if (entrypoint.length === 0 && waits) return null;
  return [...entrypoint, ...(waits ? ["sh", "-c", "sleep infinity"] : command)];
}

async function startServices(engine: ContainerEngine, { folder, signal }: Input, task: Task, mark: string, network: boolean) {
  const { main, others } = task.compose as NonNullable<Task["compose"]>;
  if (others.length === 0) return null;
  const buildTimeoutMs = task.buildTimeoutSeconds * 1000;
  return runServices({ engine, task, main, others, mark, network, folder, buildTimeoutMs, signal });
}

/** The image of a container. A task's own has its work folder; in a given one ours is mounted. */
async function imageOf(
  engine: ContainerEngine,
  { task, options, folder, signal }: Input,
): Promise<{ tag: string | null; workdir: string | null; entrypoint: string[] }> {
  const build = task === null ? null : (task.build ?? imageBuild(task.image, folder));
  if (task === null || build === null) return { tag: options.image, workdir: null, entrypoint: [] };
  const tag = imageTag(task);
  const timeoutMs = task.buildTimeoutSeconds * 1000;
  await buildImage(engine, build, tag, { logPath: join(folder, "build.log"), timeoutMs, signal });
  return { tag, ...(await inspectImage(engine, tag)) };
}

/** An image that is only named is built upon: the engine then fetches it as it does for any Dockerfile. */
function imageBuild(image: string | null, folder: string): Task["build"] {
  if (image === null) return null;
  const context = join(folder, "image");
  mkdirSync(context, { recursive: true });
  writeFileSync(join(context, "Dockerfile"), `FROM ${image}\n`);
  return { context, dockerfile: null, args: {}, target: null };
}
