// A task, whatever the format of its folder: what to do, where, how it is judged, and what it needs.
import type { Build } from "../sandbox/container-image.ts";
import type { Compose, Healthcheck } from "./service.ts";

export type Task = {
  name: string;
  format: "harbor" | "terminal-bench-1" | "plain";
  folder: string;
  instruction: string;
  difficulty: string | null;
  /** Time limit of the agent; null where the task sets none. */
  agentTimeoutSeconds: number | null;
  verifierTimeoutSeconds: number;
  /** Copied in after the agent has ended. With `sameShell` they run in the agent's shell. */
  tests: {
    folder: string;
    /** Null: pytest over the folder, as Terminal-Bench 1 does for a task without a script. */
    script: string | null;
    parser: "exit" | "pytest";
    sameShell: boolean;
    /** The tests must leave a reward. */
    mustReward: boolean;
    /** Set for the tests alone. */
    env: Record<string, string>;
  };
  /** Set for every command, the agent's and the tests'. */
  env: Record<string, string>;
  /** First folder of commands, inside; null for the environment's own. */
  workdir: string | null;
  solution: Solution | null;
  /** Files that are copied into the work folder, and a script that prepares it. */
  files: string | null;
  setup: string | null;
  /** A container is needed, and this is what its image is built from. */
  build: Build | null;
  /** An existing image, in place of a build. */
  image: string | null;
  /** Why no sandbox but a container will do; null if one will. */
  container: string | null;
  /** The task's compose file. */
  compose: Compose | null;
  /** Users of the container; null for the image's. */
  users: { agent: string | null; tests: string | null };
  /** Must succeed in the container before the agent starts. */
  healthcheck: Healthcheck | null;
  /** What the task asks for that term cannot do. */
  unsupported: string | null;
  /** Programs that must be installed. */
  requires: string[];
  network: boolean;
  memoryMb: number | null;
  /** Of a container. */
  cpus: number | null;
  buildTimeoutSeconds: number;
};

/** What the oracle runs: a script with its folder and variables, or keys to type (Terminal-Bench 1). */
export type Solution =
  | { kind: "script"; folder: string; script: string; env: Record<string, string> }
  | { kind: "keys"; keys: SolutionKeys[] };

/** One entry of a `solution.yaml`. With `block` the next entry waits until the command has ended. */
export type SolutionKeys = { keystrokes: string; block: boolean; seconds: number };
