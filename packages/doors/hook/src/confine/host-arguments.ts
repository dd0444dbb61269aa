// The words that the host was started with: they can hold settings and rules of their own. Null where they cannot be read for certain.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { findHostProcess } from "@hap/sandbox/host-process";

/** The arguments of the host above a process. */
export function hostArguments(pid: number, platform: NodeJS.Platform = process.platform, ps: Ps = askPs): string[] | null {
  if (platform === "darwin") return onMac(pid, ps);
  return argumentsOf(findHostProcess(pid)?.pid);
}

/** The arguments of a process, from /proc. */
export function argumentsOf(pid: number | undefined): string[] | null {
  if (pid === undefined) return null;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(1, -1);
  } catch {
    return null;
  }
}

/** Runs `ps` with one column for one process; null where it does not answer. */
export type Ps = (column: "ppid" | "comm" | "command", pid: number) => string | null;

const askPs: Ps = (column, pid) => {
  const { status, stdout } = spawnSync("/bin/ps", ["-ww", "-o", `${column}=`, "-p", String(pid)], {
    encoding: "utf8",
    timeout: 5_000,
  });
  return status === 0 ? stdout.trim() : null;
};

const SHELL = /^-?(?:sh|bash|zsh|dash|ksh|fish|env)$/;
const MOST_SHELLS = 20;

/** `ps` shows the words without saying where each ends. Where one may hold settings or rules, nothing is certain. */
function onMac(from: number, ps: Ps): string[] | null {
  let pid = from;
  for (let above = 0; above < MOST_SHELLS; above++) {
    const [name, parent] = [ps("comm", pid), Number(ps("ppid", pid) ?? "0")];
    if (name === null || parent < 1) return null;
    if (!SHELL.test(basename(name))) {
      const text = ps("command", pid);
      if (text === null || /--(?:settings|(?:dis)?allowed-?tools|setting-sources)/i.test(text)) return null;
      return text.split(/\s+/).slice(1);
    }
    pid = parent;
  }
  return null;
}
