// What rules may ask about a command. Loaded with the first command, because the shell grammar takes time to load.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isShell, programName } from "./command-programs.ts";
import { mayRun } from "./match-command-rule.ts";
import { mayEdit, mayRead, type PathWorld } from "./match-path-rule.ts";
import { type CommandReading, readCommand } from "./read-command.ts";
import type { CommandSubject } from "./rules.ts";

const LONGEST_SCRIPT = 65_536;

/** A command for rules that forbid or ask. Read when the first rule asks. */
export function commandSubject(
  command: string,
  world: PathWorld & { env: Readonly<Record<string, string | undefined>> },
): CommandSubject {
  let read: CommandReading | null = null;
  const reading = () => {
    const { cwd, env, roots } = world;
    read ??= readCommand(command, { cwd, home: roots.home, env, readScript: (path) => readScript(resolve(cwd, path)) });
    return read;
  };
  return {
    mayRun: (pattern) => mayRun(pattern, reading()),
    mayRead: (pattern) => mayRead(pattern, reading(), world),
    mayEdit: (pattern) => mayEdit(pattern, reading(), world),
    mayReach: (host) => {
      const { whole, words } = reading();
      return !whole || words.some(({ text }) => text.toLowerCase().includes(host.toLowerCase()));
    },
  };
}

/** A shell script on disk; null for what is not one. */
function readScript(path: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > LONGEST_SCRIPT) return null;
    const text = readFileSync(path, "utf8");
    const interpreter = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text);
    if (interpreter === null) return /\.(?:ba|da|k|z)?sh$/.test(path) || !text.includes("\0") ? text : null;
    const name = programName(interpreter[1] ?? "");
    return isShell(name === "env" ? programName(interpreter[2] ?? "") : name) ? text : null;
  } catch {
    return null;
  }
}
