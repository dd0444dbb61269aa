// The end of the bridge's input, passed on to the agent without cutting off replies. An agent that reads its input to the end must see
// the end, or it waits forever; an agent that reads one line a reply must not, while a question is open.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** How often the agent is looked at once the input has ended. */
const LOOK_MS = 100;

type Facts = {
  /** False where nothing was ever piped in, such as from /dev/null. */
  hadInput: boolean;
  /** True while a question waits for its reply. */
  waiting: () => boolean;
};

/**
 * Close the agent's standard input as soon as no question is open and the agent waits for input. Where that cannot be seen (an event
 * loop, or not Linux), it is closed if something was piped in, and stays open for replies if nothing was. Returns how to stop looking.
 */
export function passEndOn(child: ChildProcess, { hadInput, waiting }: Facts): () => void {
  const timer = setInterval(() => {
    if (waiting()) return;
    const reads = child.pid === undefined ? null : readsInput(child.pid);
    if (reads === true || (reads === null && hadInput)) {
      clearInterval(timer);
      child.stdin?.end();
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** `read` and `epoll_wait`/`epoll_pwait`/`poll`/`select` kin, by their numbers on x64 and arm64. */
const CALLS = process.arch === "arm64" ? { read: [63], loop: [22, 73, 72] } : { read: [0], loop: [232, 281, 7, 271, 23, 270] };

/** Whether a process, or one below it, is blocked reading standard input; null if that cannot be seen. */
function readsInput(pid: number): boolean | null {
  const seen = family(pid).map((one) => blockedIn(one));
  if (seen.includes("read")) return true;
  return seen.length === 0 || seen.includes("unknown") ? null : false;
}

function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return [pid, ...(children === "" ? [] : children.split(" ").flatMap((child) => family(Number(child))))];
  } catch {
    // It has exited, or there is no /proc.
    return [];
  }
}

function blockedIn(pid: number): "read" | "unknown" | "busy" {
  try {
    const [call, descriptor] = readFileSync(`/proc/${pid}/syscall`, "utf8").split(" ");
    if (CALLS.loop.includes(Number(call))) return "unknown";
    return CALLS.read.includes(Number(call)) && descriptor === "0x0" ? "read" : "busy";
  } catch {
    return "unknown";
  }
}
