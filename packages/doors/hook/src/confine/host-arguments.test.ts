// The words of the host on a Mac, where only `ps` tells them.
import { expect, test } from "vitest";
import { hostArguments, type Ps } from "./host-arguments.ts";

const processes: Readonly<Record<number, readonly [parent: string, name: string, command: string]>> = {
  30: ["20", "/bin/sh", "sh -c hook"],
  20: ["10", "/opt/homebrew/bin/claude", "claude -p Go --model x"],
  31: ["21", "-zsh", "-zsh"],
  21: ["10", "node", 'node cli.js --settings {"permissions":{"deny":["Bash(a b)"]}}'],
  32: ["22", "bash", "bash"],
  22: ["10", "claude", "claude --disallowedTools Bash(rm *)"],
};
const ps: Ps = (column, pid) => processes[pid]?.[["ppid", "comm", "command"].indexOf(column)] ?? null;

test("[CONFINE-RULES-1] on a Mac words are taken from ps, and none where they may hold settings or rules", () => {
  expect(hostArguments(30, "darwin", ps)).toEqual(["-p", "Go", "--model", "x"]);
  expect(hostArguments(31, "darwin", ps)).toBeNull();
  expect(hostArguments(32, "darwin", ps)).toBeNull();
  expect(hostArguments(99, "darwin", ps)).toBeNull();
});
