// One process at a time on a session. Everybody who wants it puts a file of its own into the lock's folder, then looks who else is
// there: of two, the one that came later sees the other, so that both can never have it. A file of a dead process is nobody's; since
// no name is ever used twice, removing one cannot take away a lock that somebody got meanwhile.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomUuid } from "../random-uuid.ts";

const POLL_MS = 5;
const LONGEST_WAIT_MS = 5_000;
const HELD = "held";

export type SessionLock = { release(): void };

/** Take the lock, or tell which process has it. */
export function takeLock(folder: string): SessionLock | { holder: number } {
  const own = claim(folder);
  const release = () => {
    rmSync(join(folder, own), { force: true });
    removeEmpty(folder);
  };
  try {
    for (const until = Date.now() + LONGEST_WAIT_MS; ; ) {
      const others = livingOthers(folder, own);
      if (others.length === 0) {
        writeFileSync(join(folder, own), HELD);
        return { release };
      }
      // Of several who came at once the first by name goes on, and waits until the others have seen that and left.
      const before = others.find((name) => name < own || isHeld(join(folder, name)));
      if (before !== undefined || Date.now() > until) {
        release();
        return { holder: pidOf(before ?? (others[0] as string)) };
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  } catch (error) {
    release();
    throw error;
  }
}

function claim(folder: string): string {
  const name = `${process.pid}.${startOf("self") ?? 0}.${randomUuid()}`;
  for (;;) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(join(folder, name), "", { flag: "wx", mode: 0o600 });
      return name;
    } catch (error) {
      // Somebody who left took the empty folder along.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** The others that live; what the dead left is removed. */
function livingOthers(folder: string, own: string): string[] {
  const names = readdirSync(folder).filter((name) => name !== own);
  const dead = names.filter((name) => !isAlive(name));
  for (const name of dead) rmSync(join(folder, name), { force: true });
  return names.filter((name) => !dead.includes(name));
}

function isHeld(path: string): boolean {
  try {
    return readFileSync(path, "utf8") === HELD;
  } catch {
    return false;
  }
}

function isAlive(name: string): boolean {
  const pid = pidOf(name);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // A number that was given again belongs to a process that started at another time.
  const [started, now] = [name.split(".")[1], startOf(pid)];
  return started === "0" || now === null || now === started;
}

/** When a process started, in ticks since the machine did; null where nobody tells. */
function startOf(pid: number | "self"): string | null {
  try {
    // The name of the program, in brackets, may hold anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function pidOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else is in it.
  }
}
