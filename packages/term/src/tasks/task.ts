// A task, whatever its folder looks like: what to do, where, how it is judged, and what it needs.

export type Task = {
  name: string;
  format: "harbor" | "terminal-bench-1" | "plain";
  folder: string;
  instruction: string;
  difficulty: string | null;
  /** How long the agent may take; null where the task does not say. */
  agentTimeoutSeconds: number | null;
  verifierTimeoutSeconds: number;
  /** Copied in only after the agent is done. With `sameShell` they run in the agent's shell. */
  tests: {
    folder: string;
    /** Null: pytest over the folder, as Terminal-Bench 1 does without a script of the task's own. */
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
  /** Where commands begin, inside; null for the place that the environment gives. */
  workdir: string | null;
  solution: { folder: string; script: string } | null;
  /** Files that lie in the work folder from the beginning, and a script that prepares it. */
  files: string | null;
  setup: string | null;
  /** A container is needed: the folder with the Dockerfile. */
  dockerfile: string | null;
  /** An image that is there already, instead of a Dockerfile. */
  image: string | null;
  /** Why no sandbox but a container will do; null when one will. */
  container: string | null;
  /** Programs that must exist. */
  requires: string[];
  network: boolean;
  memoryMb: number | null;
  /** Of a container. */
  cpus: number | null;
  buildTimeoutSeconds: number;
};
