// The container engines: Docker, and Podman (rootless where the caller is not root). Which one answers, and what it can limit.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

export const ENGINE_KINDS = ["docker", "podman"] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

export type ContainerEngine = {
  kind: EngineKind;
  /** The program and its global options. */
  program: readonly string[];
  /** Options of every `run`. */
  runOptions: readonly string[];
  /** Which limits the engine enforces here. Rootless Podman needs them delegated by cgroup v2. */
  limits: { memory: boolean; processes: boolean; cpus: boolean };
};

/** Podman takes many seconds on a loaded machine. */
const ANSWER_MS = 60_000;
const run = promisify(execFile);
const found = new Map<EngineKind, ContainerEngine | null>();

/** The engine of a kind, or null if it does not answer here. Tried once. */
export function findEngine(kind: EngineKind): ContainerEngine | null {
  let engine = found.get(kind);
  if (engine === undefined) {
    engine = kind === "docker" ? findDocker() : findPodman();
    found.set(kind, engine);
  }
  return engine;
}

/** Run the engine's program and return its standard output. */
export async function callEngine({ program }: ContainerEngine, ...args: string[]): Promise<string> {
  const [file = "", ...options] = program;
  return (await run(file, [...options, ...args])).stdout;
}

function findDocker(): ContainerEngine | null {
  // Some versions exit with 0 although no daemon answered; then they print nothing.
  const version = answer("docker", ["info", "--format", "{{.ServerVersion}}"]);
  if (version === null || version.trim() === "") return null;
  return { kind: "docker", program: ["docker"], runOptions: [], limits: { memory: true, processes: true, cpus: true } };
}

type PodmanInfo = {
  host?: {
    cgroupVersion?: string;
    cgroupControllers?: string[] | null;
    ociRuntime?: { name?: string };
    security?: { rootless?: boolean };
  };
};

function findPodman(): ContainerEngine | null {
  const text = answer("podman", ["info", "--format", "json"]);
  if (text === null) return null;
  let host: NonNullable<PodmanInfo["host"]>;
  try {
    host = (JSON.parse(text) as PodmanInfo).host ?? {};
  } catch {
    return null;
  }
  const controllers = host.cgroupControllers ?? [];
  const limited = (name: string) =>
    host.security?.rootless !== true || (host.cgroupVersion === "v2" && controllers.includes(name));
  return {
    kind: "podman",
    program: ["podman", ...runtimeOption(host)],
    // SELinux would refuse the trial's folders; relabelling a folder given with --cwd would change the caller's files.
    runOptions: ["--security-opt", "label=disable", ...(host.security?.rootless === true ? [] : ulimitOptions())],
    limits: { memory: limited("memory"), processes: limited("pids"), cpus: limited("cpu") },
  };
}

/** Podman as root raises two limits, which fails where root lacks CAP_SYS_RESOURCE. These stay below what it starts with. */
function ulimitOptions(): string[] {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const files = /^Max open files +\S+ +(\d+)/m.exec(limits)?.[1];
  return ["--ulimit", "nproc=32768:32768", ...(files === undefined ? [] : ["--ulimit", `nofile=${files}:${files}`])];
}

/** crun refuses to start anything where both cgroup versions are mounted; runc does not. */
function runtimeOption({ cgroupVersion, ociRuntime }: NonNullable<PodmanInfo["host"]>): string[] {
  const hybrid = cgroupVersion === "v1" && existsSync("/sys/fs/cgroup/unified/cgroup.controllers");
  const swap = hybrid && ociRuntime?.name === "crun" && answer("runc", ["--version"]) !== null;
  return swap ? ["--runtime", "runc"] : [];
}

/** What a program prints, or null if it fails, is missing or takes too long. */
function answer(program: string, args: string[]): string | null {
  const { status, stdout } = spawnSync(program, args, {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: ANSWER_MS,
    encoding: "utf8",
  });
  return status === 0 ? stdout : null;
}
