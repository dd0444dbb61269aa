// Which bridge serves a command in a folder: a note with its process id, so that a run that was killed is told apart from one
// that still goes on.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The note of one command in one folder. */
export class RunLock {
  readonly #path: string;

  constructor(home: string, folder: string, label: string) {
    const name = createHash("sha256")
      .update(JSON.stringify([folder, label]))
      .digest("hex")
      .slice(0, 32);
    mkdirSync(join(home, ".hap", "bridge"), { recursive: true, mode: 0o700 });
    this.#path = join(home, ".hap", "bridge", `${name}.pid`);
  }

  /** Take it; false when another process that is alive has it. */
  take(): boolean {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(this.#path, String(process.pid), { flag: "wx", mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        if (isAlive(this.#holder())) return false;
        rmSync(this.#path, { force: true });
      }
    }
    return false;
  }

  #holder(): number {
    try {
      return Number(readFileSync(this.#path, "utf8"));
    } catch {
      return 0;
    }
  }

  release(): void {
    if (this.#holder() === process.pid) rmSync(this.#path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
