// A service of a compose file, as far as term runs it.
import type { Build } from "../sandbox/container-image.ts";

/** A volume: a folder or file of the task, a named one that services share, or an anonymous one. */
export type Volume = {
  source: { kind: "task"; path: string } | { kind: "named"; name: string } | null;
  target: string;
  writable: boolean;
};

/** When a service that others wait for counts as ready. */
export type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

/** A command that exits with 0 when a container is ready. */
export type Healthcheck = {
  command: string[];
  intervalSeconds: number;
  timeoutSeconds: number;
  startPeriodSeconds: number;
  retries: number;
};

export type Service = {
  name: string;
  build: Build | null;
  image: string | null;
  entrypoint: string[] | null;
  command: string[] | null;
  env: Record<string, string>;
  volumes: Volume[];
  tmpfs: string[];
  extraHosts: string[];
  dns: string[];
  hostname: string | null;
  user: string | null;
  workdir: string | null;
  memoryMb: number | null;
  dependsOn: { service: string; condition: Condition }[];
  healthcheck: Healthcheck | null;
};

/** The compose file of a task: the container that the agent gets, and the others. */
export type Compose = { main: Service; others: Service[] };
