// Runs a program in the namespaces of a sandbox that is up: the tests see the servers and files that the agent left.
import { readdirSync, readFileSync } from "node:fs";
import { withoutDescriptors } from "@hap/sandbox";
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";
import type { Execution, ExecutionResult } from "./sandbox.ts";

/** Run a program beside the shell. */
export function executeInNamespaces(
  execution: Execution,
  shellPid: number | undefined,
  env: Record<string, string>,
): Promise<ExecutionResult> {
  const target = shellPid === undefined ? null : findShellParent(shellPid);
  if (target === null)
    throw new TermError("terminal_failed", "The sandbox ended before the tests could run in it; run the trial again.");
  const variables = Object.entries({ ...env, ...execution.env }).map(([name, value]) => `${name}=${value}`);
  const enter = ["nsenter", "-t", String(target), "-U", "-m", "-n", "-p", "-i", "-u", "--preserve-credentials"];
  const inside = ["/usr/bin/env", "-i", "-C", execution.cwd, ...variables, ...execution.command];
  const { logPath, timeoutMs } = execution;
  return runToFile(withoutDescriptors([...enter, "--", ...inside], null), {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    logPath,
    timeoutMs,
  });
}

/** The process inside that started the shell; it lives as long as the sandbox. */
function findShellParent(pid: number): number | null {
  const waiting = [pid];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (commandLine(next).at(-1) === INIT) return next;
    waiting.push(...children(next));
  }
  return null;
}

/** Where sandboxes see the control folder, and the shell's parent in it. */
export const CONTROL_INSIDE = "/.term";
const INIT = `${CONTROL_INSIDE}/init`;

function commandLine(pid: number): string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    return words[0]?.endsWith("sh") && words.length === 2 ? words : [];
  } catch {
    return [];
  }
}

function children(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
