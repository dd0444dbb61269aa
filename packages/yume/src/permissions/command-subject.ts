// What rules may ask about a command. Loaded with the first command, because the shell grammar takes time to load.
import { mayRun } from "./match-command-rule.ts";
import { mayEdit, mayRead, type PathWorld } from "./match-path-rule.ts";
import { readCommand } from "./read-command.ts";
import type { CommandSubject } from "./rules.ts";

/** A command for rules that forbid or ask. */
export function commandSubject(command: string, world: PathWorld): CommandSubject {
  const reading = readCommand(command, { cwd: world.cwd, home: world.roots.home });
  return {
    mayRun: (pattern) => mayRun(pattern, reading),
    mayRead: (pattern) => mayRead(pattern, reading, world),
    mayEdit: (pattern) => mayEdit(pattern, reading, world),
    mayReach: (host) => !reading.whole || reading.words.some(({ text }) => text.toLowerCase().includes(host.toLowerCase())),
  };
}
