// The interface of a sandbox: it starts the shell, runs the tests beside it, and closes.
import type { Launch } from "../terminal/terminal-options.ts";
import type { ContainerEngine } from "./container-engine.ts";

/** `none` is only used when it is named. */
export const SANDBOX_KINDS = ["bwrap", "userns", "docker", "podman", "none"] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

/** One folder that the sandbox can see. */
export type Mount = { host: string; inside: string; writable: boolean };

/** What a sandbox is made from. All folders exist on the host. */
export type SandboxSpec = {
  /** A private folder of this trial; the sandbox may put its own files into it. */
  base: string;
  control: string;
  /** Where commands begin, as the host sees it; it is among the mounts. */
  cwd: string;
  mounts: Mount[];
  network: boolean;
  mark: string;
  memoryMb: number | null;
  processes: number | null;
  container: ContainerSpec | null;
};

/** What only a container needs. */
export type ContainerSpec = {
  engine: ContainerEngine;
  image: string;
  /** The image's own first folder; null where it does not matter. */
  workdir: string | null;
  /** Null for all processors. */
  cpus: number | null;
  /** User of the agent's commands and of the tests; null for the image's. */
  users: { agent: string | null; tests: string | null };
  /** Other options of `run`: what a compose file says of this container. */
  options: readonly string[];
  /** The image's entry point with its command, which runs beside the shell; null without one. */
  entrypoint: readonly string[] | null;
  /** Options that join the network of the services beside it; null without services. */
  network: readonly string[] | null;
  /** Cancels a start. */
  signal: AbortSignal;
};

/** A program to run in the same world as the shell, with its output in a file. */
export type Execution = {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  logPath: string;
  timeoutMs: number;
};

/** How it ended; null when it was stopped for its time. */
export type ExecutionResult = { exitCode: number | null };

export interface Sandbox {
  readonly kind: SandboxKind;
  /** How memory and processes are limited, or that they are not. */
  readonly limits: "cgroup" | "docker" | "podman" | "absent";
  readonly launch: Launch;
  /** A host path as programs inside see it. */
  inside(host: string): string;
  /** `shellPid` is the process that holds the terminal. */
  execute(execution: Execution, shellPid: number | undefined): Promise<ExecutionResult>;
  close(): Promise<void>;
}

/** The environment of commands: nothing of the caller's but what is named here. */
export function shellEnvironment(spec: SandboxSpec, path: string, home: string): Record<string, string> {
  return {
    PATH: path,
    HOME: home,
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    // A pager would wait for keys that nobody sends.
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    DEBIAN_FRONTEND: "noninteractive",
    HAP_TERM_MARK: spec.mark,
  };
}

/** A host path as it is inside, by the longest mount that holds it. */
export function mapPath(mounts: readonly Mount[], host: string): string {
  const fitting = mounts.filter((mount) => host === mount.host || host.startsWith(`${mount.host}/`));
  const [best] = fitting.sort((a, b) => b.host.length - a.host.length);
  return best === undefined ? host : best.inside + host.slice(best.host.length);
}
