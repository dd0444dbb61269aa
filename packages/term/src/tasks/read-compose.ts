// Reads a compose file: the container of the agent and the services beside it. Keys that would open the host to a container
// (privileged, devices, host namespaces, folders outside the task) and keys that are not known make a task unsupported.
import { join, relative, resolve } from "node:path";
import { type Fields, isFields, megabytes, section, text } from "./fields.ts";
import type { Compose, Condition, Healthcheck, Service, Volume } from "./service.ts";

/** Why a compose file cannot be run. */
export class ComposeUnsupported extends Error {}

/** Keys that act. */
const ACTING = new Set(
  "build image entrypoint command environment volumes tmpfs extra_hosts dns hostname user working_dir mem_limit deploy depends_on healthcheck".split(
    " ",
  ),
);
/** Keys without an effect here: ports are reached inside the network, and a trial's containers live as long as the trial. */
const IGNORED = new Set(
  "container_name ports expose networks links restart tty stdin_open platform labels logging init pull_policy stop_grace_period stop_signal".split(
    " ",
  ),
);

/** Terminal-Bench's name for the agent's container, and Harbor's. */
const MAIN_NAMES = ["client", "main"];
const MAIN_MARK = "T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME";

/** What Terminal-Bench sets for its compose files. Its mounts of logs are replaced by ours. */
const KNOWN: Record<string, string> = { T_BENCH_TEST_DIR: "/tests", T_BENCH_CONTAINER_LOGS_PATH: "/logs" };
const HARNESS_MOUNT = /\$\{?(?:T_BENCH_|HOST_|ENV_)/;

/** Read a parsed file. `folder` holds it; `base` is the folder that its services may mount. */
export function readCompose(parsed: Fields, folder: string, base: string, env: Record<string, string>): Compose {
  const services = Object.entries(section(parsed, "services"));
  const replace = (value: string) => substitute(value, { ...KNOWN, ...env });
  const mainName =
    services.find(([, value]) => isFields(value) && text(value.container_name)?.includes(MAIN_MARK))?.[0] ??
    MAIN_NAMES.find((name) => services.some(([given]) => given === name)) ??
    services[0]?.[0] ??
    "client";
  const read = services.map(([name, value]) => readService(name, isFields(value) ? value : {}, { folder, base, replace }));
  const main = read.find(({ name }) => name === mainName) ?? emptyService(mainName);
  return { main, others: inOrder(read.filter(({ name }) => name !== mainName)) };
}

type Context = { folder: string; base: string; replace: (value: string) => string };

function readService(name: string, fields: Fields, context: Context): Service {
  const unknown = Object.keys(fields).find((key) => !ACTING.has(key) && !IGNORED.has(key) && !key.startsWith("x-"));
  if (unknown !== undefined) throw new ComposeUnsupported(`its service ${name} has the key ${unknown}`);
  const { replace } = context;
  const limits = section(section(section(fields, "deploy"), "resources"), "limits");
  const strings = (value: unknown) => list(value).map(replace);
  return {
    name,
    build: readBuild(fields.build, context),
    // Beside a build, the image is only the name of what is built.
    image: fields.build === undefined ? optional(fields.image, replace) : null,
    entrypoint: words(fields.entrypoint, replace),
    command: words(fields.command, replace),
    env: readPairs(fields.environment, replace),
    volumes: list(fields.volumes).flatMap((volume) => readVolume(name, volume, context)),
    tmpfs: strings(fields.tmpfs),
    extraHosts: isFields(fields.extra_hosts)
      ? Object.entries(fields.extra_hosts).map(([host, address]) => `${host}:${address}`)
      : strings(fields.extra_hosts),
    dns: strings(fields.dns),
    hostname: optional(fields.hostname, replace),
    user: optional(fields.user, replace),
    workdir: optional(fields.working_dir, replace),
    memoryMb: megabytes(fields.mem_limit ?? limits.memory),
    dependsOn: readDependencies(fields.depends_on),
    healthcheck: readHealthcheck(fields.healthcheck),
  };
}

function emptyService(name: string): Service {
  return readService(name, {}, { folder: "/", base: "/", replace: (value) => value });
}

function readBuild(value: unknown, { folder, replace }: Context): Service["build"] {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return { context: resolve(folder, replace(value)), dockerfile: null, args: {}, target: null };
  const fields = isFields(value) ? value : {};
  const context = resolve(folder, replace(text(fields.context) ?? "."));
  const dockerfile = text(fields.dockerfile);
  return {
    context,
    dockerfile: dockerfile === null ? null : join(context, replace(dockerfile)),
    args: readPairs(fields.args, replace),
    target: text(fields.target),
  };
}

function readVolume(service: string, value: unknown, { folder, base, replace }: Context): Volume[] {
  if (typeof value === "string" && HARNESS_MOUNT.test(value)) return [];
  const { source, target, mode } = isFields(value)
    ? { source: text(value.source), target: text(value.target), mode: value.read_only === true ? "ro" : "" }
    : splitVolume(replace(String(value)));
  if (target === null || !target.startsWith("/"))
    throw new ComposeUnsupported(`its service ${service} has a volume without a target`);
  const writable = !(mode ?? "").split(",").includes("ro");
  if (source === null) return [{ source: null, target, writable }];
  if (!/^[./~]/.test(source)) return [{ source: { kind: "named", name: source }, target, writable }];
  const path = resolve(folder, source);
  const inside = relative(base, path);
  if (source.startsWith("~") || inside.startsWith("..") || inside.startsWith("/"))
    throw new ComposeUnsupported(`its service ${service} mounts ${source}, which is outside the task's folder`);
  return [{ source: { kind: "task", path }, target, writable }];
}

function splitVolume(volume: string): { source: string | null; target: string | null; mode: string | null } {
  const [first = "", second, mode] = volume.split(":");
  return second === undefined
    ? { source: null, target: first, mode: null }
    : { source: first, target: second, mode: mode ?? null };
}

function readDependencies(value: unknown): Service["dependsOn"] {
  if (!isFields(value)) return list(value).map((service) => ({ service, condition: "service_started" as const }));
  return Object.entries(value).map(([service, how]) => {
    const condition = text(isFields(how) ? how.condition : null) ?? "service_started";
    if (!["service_started", "service_healthy", "service_completed_successfully"].includes(condition))
      throw new ComposeUnsupported(`a service depends on ${service} with the condition ${condition}`);
    return { service, condition: condition as Condition };
  });
}

function readHealthcheck(value: unknown): Healthcheck | null {
  if (!isFields(value) || value.disable === true) return null;
  const { test } = value;
  const [kind, ...rest] = Array.isArray(test) ? test.map(String) : ["CMD-SHELL", String(test)];
  if (kind === "NONE") return null;
  return {
    command: kind === "CMD-SHELL" ? ["/bin/sh", "-c", rest.join(" ")] : rest,
    intervalSeconds: duration(value.interval) ?? 30,
    timeoutSeconds: duration(value.timeout) ?? 30,
    startPeriodSeconds: duration(value.start_period) ?? 0,
    retries: typeof value.retries === "number" ? value.retries : 3,
  };
}

/** "1m30s", "500ms", 5: seconds. */
function duration(value: unknown): number | null {
  if (typeof value === "number") return value;
  const parts = [...(text(value) ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const factor = { ms: 0.001, s: 1, m: 60, h: 3600 };
  return parts.length === 0
    ? null
    : parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * factor[unit as keyof typeof factor], 0);
}

function readPairs(value: unknown, replace: (text: string) => string): Record<string, string> {
  const pairs = isFields(value)
    ? Object.entries(value)
    : list(value).map((entry) => [entry.split("=")[0], entry.includes("=") ? entry.slice(entry.indexOf("=") + 1) : null]);
  // A name without a value would be taken from the caller's environment.
  return Object.fromEntries(
    pairs.flatMap(([name, given]) => (given === null || given === undefined ? [] : [[name, replace(String(given))]])),
  );
}

/** A command as a list; text is split as a shell splits it. */
function words(value: unknown, replace: (text: string) => string): string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((word) => replace(String(word)));
  const parts = replace(String(value)).match(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs) ?? [];
  return parts.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, one, two, escaped) => one ?? two?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped,
    ),
  );
}

function list(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]) as string[];
}

function optional(value: unknown, replace: (text: string) => string): string | null {
  return typeof value === "string" || typeof value === "number" ? replace(String(value)) : null;
}

/** `${NAME}`, `${NAME:-default}`, `$NAME`, and `$$` for a dollar. The caller's own environment stays out. */
function substitute(value: string, known: Record<string, string>): string {
  return value.replaceAll(/\$(?:(\$)|\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (_, dollar, braced, otherwise, plain) => {
    if (dollar !== undefined) return "$";
    const name = (braced ?? plain) as string;
    const found = known[name] ?? (otherwise as string | undefined);
    if (found === undefined) throw new ComposeUnsupported(`it needs the variable ${name}`);
    return found;
  });
}

/** A service after those that it waits for. */
function inOrder(services: readonly Service[]): Service[] {
  const ordered: Service[] = [];
  const visiting = new Set<string>();
  const add = (service: Service) => {
    if (ordered.includes(service)) return;
    if (visiting.has(service.name)) throw new ComposeUnsupported(`its service ${service.name} waits for itself`);
    visiting.add(service.name);
    for (const { service: name } of service.dependsOn) {
      const needed = services.find((other) => other.name === name);
      if (needed !== undefined) add(needed);
    }
    ordered.push(service);
  };
  for (const service of services) add(service);
  return ordered;
}
