// Whether another process has come as far as waiting: it watches the store's bell then, and does so last of all.
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** True once the process waits for others to change the store. Linux only. */
export function watches(pid: number): boolean {
  const open = `/proc/${pid}/fd`;
  return readdirSync(open).some((name) => {
    try {
      return readlinkSync(join(open, name)).includes("inotify");
    } catch {
      return false;
    }
  });
}
