// The process inside that leads the command's own session.
import { readFileSync } from "node:fs";

/** The nearest descendant that leads a session. */
export function findSessionLeader(pid: number, childrenOf: (pid: number) => number[]): number | null {
  const waiting = childrenOf(pid);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (sessionOf(next) === next) return next;
    waiting.push(...childrenOf(next));
  }
  return null;
}

function sessionOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[3]);
  } catch {
    return null;
  }
}
