// Runs the services of a compose file beside the agent's container, in a network of their own. A watcher process removes them
// when the harness ends, even by SIGKILL: it waits at a pipe that only the harness holds.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { shellWord } from "../run/shell-word.ts";
import type { Condition, Healthcheck, Service } from "../tasks/service.ts";
import { TermError } from "../term-error.ts";
import { type ContainerEngine, callEngine } from "./container-engine.ts";
import { buildImage, imageTag } from "./container-image.ts";
import { mountArgument } from "./container-sandbox.ts";

/** Running services. */
export type ServiceGroup = { networkOptions: readonly string[]; close(): Promise<void> };

export type ServicesInput = {
  engine: ContainerEngine;
  task: { name: string; folder: string };
  main: Service;
  others: readonly Service[];
  mark: string;
  network: boolean;
  /** Where the logs of builds go. */
  folder: string;
  buildTimeoutMs: number;
  signal: AbortSignal;
};

/** Build and start the services, and wait until those that the agent's container depends on are ready. */
export async function runServices(input: ServicesInput): Promise<ServiceGroup> {
  const { engine, main, others, mark, network, signal } = input;
  const prefix = `hap-term-${mark}`;
  const nameOf = (service: string) => `${prefix}-${service}`;
  const watcher = watch(
    engine,
    prefix,
    [...others, main],
    others.map(({ name }) => nameOf(name)),
  );
  try {
    await callEngine(engine, "network", "create", ...(network ? [] : ["--internal"]), prefix);
    for (const service of others) {
      await waitFor(engine, service.dependsOn, others, nameOf, signal);
      await startService(input, service, nameOf(service.name), prefix);
    }
    await waitFor(engine, main.dependsOn, others, nameOf, signal);
  } catch (error) {
    await watcher.end();
    throw error instanceof TermError || signal.aborted
      ? error
      : new TermError("setup_failed", `${engine.kind} could not run the task's services: ${wordsOf(error)}`, error);
  }
  return { networkOptions: ["--network", prefix, "--network-alias", main.name], close: () => watcher.end() };
}

async function startService(input: ServicesInput, service: Service, name: string, prefix: string): Promise<void> {
  const { engine, task, folder, buildTimeoutMs, signal } = input;
  let { image } = service;
  if (service.build !== null) {
    image = imageTag(task, service.name);
    const logPath = join(folder, `build-${service.name}.log`);
    await buildImage(engine, service.build, image, { logPath, timeoutMs: buildTimeoutMs, signal });
  }
  if (image === null) throw new TermError("task_invalid", `The service ${service.name} has neither an image nor a build.`);
  const [entry, ...entryArguments] = service.entrypoint ?? [];
  await callEngine(
    engine,
    ...["run", "--detach", "--name", name, ...engine.runOptions, "--network", prefix, "--network-alias", service.name],
    ...serviceOptions(service, prefix),
    ...(engine.limits.memory ? ["--memory", `${service.memoryMb ?? 4096}m`] : []),
    ...(engine.limits.processes ? ["--pids-limit", "1024"] : []),
    ...(service.workdir === null ? [] : ["--workdir", service.workdir]),
    ...(service.user === null ? [] : ["--user", service.user]),
    ...(entry === undefined ? [] : ["--entrypoint", entry]),
    ...[image, ...entryArguments, ...(service.command ?? [])],
  );
}

/** Options of `run` for what a compose file says of a container. Named volumes carry the trial's prefix. */
export function serviceOptions(service: Service, prefix: string): string[] {
  return [
    ...Object.entries(service.env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...service.tmpfs.flatMap((path) => ["--tmpfs", path]),
    ...service.extraHosts.flatMap((host) => ["--add-host", host]),
    ...service.dns.flatMap((address) => ["--dns", address]),
    ...(service.hostname === null ? [] : ["--hostname", service.hostname]),
    ...service.volumes.flatMap(({ source, target, writable }) => {
      if (source?.kind === "task") return ["--mount", mountArgument({ host: source.path, inside: target, writable })];
      const name = source === null ? "" : `${volumeName(prefix, source.name)}:`;
      return ["--volume", `${name}${target}${source === null || writable ? "" : ":ro"}`];
    }),
  ];
}

function volumeName(prefix: string, name: string): string {
  return `${prefix}-volume-${name}`;
}

async function waitFor(
  engine: ContainerEngine,
  dependencies: Service["dependsOn"],
  services: readonly Service[],
  nameOf: (service: string) => string,
  signal: AbortSignal,
): Promise<void> {
  for (const { service: name, condition } of dependencies) {
    const service = services.find((other) => other.name === name);
    if (service !== undefined) await waitForService(engine, service, nameOf(name), condition, signal);
  }
}

async function waitForService(
  engine: ContainerEngine,
  service: Service,
  container: string,
  condition: Condition,
  signal: AbortSignal,
): Promise<void> {
  if (condition === "service_completed_successfully") {
    const code = (await callEngine(engine, "wait", container)).trim();
    if (code !== "0")
      throw new TermError("setup_failed", `The service ${service.name} ended with ${code}, and others wait for it.`);
  } else if (condition === "service_healthy" && service.healthcheck !== null)
    await waitUntilHealthy(engine, container, service.healthcheck, `The service ${service.name}`, signal);
}

/** Run a healthcheck until it succeeds. The engines' own need a timer of the system, which rootless Podman may not have. */
export async function waitUntilHealthy(
  engine: ContainerEngine,
  container: string,
  check: Healthcheck,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let failures = 0;
  for (;;) {
    if (signal.aborted) throw new TermError("setup_failed", "The run was interrupted.");
    const why = await failureOf(engine, container, check);
    if (why === null) return;
    if (performance.now() - started >= check.startPeriodSeconds * 1000) failures++;
    if (failures >= Math.max(1, check.retries))
      throw new TermError("setup_failed", `${what} did not become healthy after ${failures} checks: ${why}`);
    await sleep(check.intervalSeconds * 1000, undefined, { signal }).catch(() => {});
  }
}

async function failureOf(engine: ContainerEngine, container: string, check: Healthcheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${check.timeoutSeconds} s`), check.timeoutSeconds * 1000);
  });
  const ran = callEngine(engine, "exec", container, ...check.command).then(() => null, wordsOf);
  const why = await Promise.race([ran, late]);
  clearTimeout(timer);
  return why;
}

/** What an engine printed when it failed. */
function wordsOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return stderr?.trim() || message || String(error);
}

/** Removes containers, volumes and network when its input ends. */
function watch(
  engine: ContainerEngine,
  prefix: string,
  services: readonly Service[],
  containers: readonly string[],
): { end(): Promise<void> } {
  const program = engine.program.map(shellWord).join(" ");
  const volumes = services.flatMap(({ volumes }) =>
    volumes.flatMap(({ source }) => (source?.kind === "named" ? [volumeName(prefix, source.name)] : [])),
  );
  const time = engine.kind === "podman" ? "--time 0 " : "";
  const names = (values: readonly string[]) => [...new Set(values)].map(shellWord).join(" ");
  // The agent's container ends by its own pipe; a network in use cannot be removed before that. One name a call: Podman 4.3 removes
  // nothing when one of several names is missing.
  const script = `cat >/dev/null
for name in ${names([...containers, prefix])}; do ${program} rm --force ${time}--volumes "$name"; done
${volumes.length === 0 ? "" : `${program} volume rm --force ${names(volumes)}`}
for attempt in 1 2 3 4 5 6 7 8 9 10; do ${program} network rm ${prefix} && break; sleep 1; done`;
  const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    async end() {
      child.stdin.destroy();
      await ended;
    },
  };
}
