// Limits for memory and processes by a control group of this trial's own, where the system lets us make one.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A control group: files that a process writes its number to, to come under it. */
export type Cgroup = { procs: string[]; remove(): Promise<void> };

/** A group with these limits, or null where none can be made. */
export function makeCgroup(name: string, limits: { memoryMb: number | null; processes: number | null }): Cgroup | null {
  if (limits.memoryMb === null && limits.processes === null) return null;
  const root = "/sys/fs/cgroup";
  const made: string[] = [];
  const make = (folder: string, values: Record<string, string | null>) => {
    mkdirSync(folder);
    made.push(folder);
    for (const [file, value] of Object.entries(values)) if (value !== null) writeFileSync(join(folder, file), value);
  };
  const bytes = limits.memoryMb === null ? null : String(limits.memoryMb * 1024 * 1024);
  const processes = limits.processes === null ? null : String(limits.processes);
  try {
    if (existsSync(join(root, "cgroup.controllers"))) {
      const controllers = readFileSync(join(root, "cgroup.subtree_control"), "utf8").split(/\s+/);
      if (!controllers.includes("memory") || !controllers.includes("pids")) return null;
      make(join(root, name), { "memory.max": bytes, "pids.max": processes });
    } else {
      for (const controller of ["memory", "pids"]) accessSync(join(root, controller, "cgroup.procs"), constants.W_OK);
      make(join(root, "memory", name), { "memory.limit_in_bytes": bytes });
      make(join(root, "pids", name), { "pids.max": processes });
    }
  } catch {
    for (const folder of made) remove(folder);
    return null;
  }
  return {
    procs: made.map((folder) => join(folder, "cgroup.procs")),
    async remove() {
      // The kernel lets a group go once its last process is reaped.
      for (const folder of made) for (let round = 0; round < 100 && !remove(folder); round++) await sleep(20);
    },
  };
}

function remove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
