// What a host may offer as "always allow": the narrowest change that would have answered this call, in the words and places that
// Claude Code suggests. Nothing is suggested where no rule would open the call. Pure.
import { posix } from "node:path";
import type { CallFacts } from "../tools/tool.ts";
import type { PermissionUpdate, RuleValue } from "./permission-update.ts";
import { splitCommand } from "./split-command.ts";

/** Programs that run what their operands say, or destroy what they name: only the very same command is offered. */
const EXACT = new Set(
  "sh bash dash zsh ksh fish env sudo doas su xargs nohup timeout nice time eval exec source node python python2 python3 perl ruby php ssh npx bunx uvx rm rmdir mv dd chmod chown kill pkill killall".split(
    " ",
  ),
);

/** The suggestions for a call. */
export function suggestUpdates(facts: CallFacts): PermissionUpdate[] {
  const { callClass, subject } = facts;
  if (facts.mustAsk === true || facts.guards !== undefined) return [];
  if (callClass === "edit" || callClass === "edit_outside") return editing(facts);
  if (callClass === "read_outside" && subject.path !== undefined) {
    const folder = facts.isFolder === true ? subject.path : posix.dirname(subject.path);
    return [allow([{ toolName: "Read", ruleContent: `/${folder === "/" ? "" : folder}/**` }], "session")];
  }
  if (subject.command !== undefined) return running(subject.tool, subject.command, callClass === "command_outside");
  if (subject.host !== undefined)
    return [allow([{ toolName: subject.tool, ruleContent: `domain:${subject.host}` }], "localSettings")];
  return [allow([{ toolName: subject.tool }], "localSettings")];
}

function editing({ callClass, subject }: CallFacts): PermissionUpdate[] {
  const mode: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };
  if (callClass === "edit" || subject.path === undefined) return [mode];
  return [mode, { type: "addDirectories", directories: [posix.dirname(subject.path)], destination: "session" }];
}

function running(tool: string, command: string, exact: boolean): PermissionUpdate[] {
  if (/[$`]/.test(command)) return [];
  const { parts, plain } = splitCommand(command);
  // What is not plain is matched as it stands.
  const contents = plain ? parts.map((part) => (exact ? part : beginning(part))) : [command.trim()];
  return [
    allow(
      [...new Set(contents)].map((ruleContent) => ({ toolName: tool, ruleContent })),
      "localSettings",
    ),
  ];
}

/** `npm install left-pad` as `npm install *`; the command itself where its second word is no plain word. */
function beginning(command: string): string {
  const [program = "", verb = ""] = command.split(/\s+/);
  const isPlain = /^[a-z][\w.-]*$/i.test(program) && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/i.test(verb);
  return isPlain && !EXACT.has(program) ? `${program} ${verb} *` : command;
}

function allow(rules: RuleValue[], destination: "session" | "localSettings"): PermissionUpdate {
  return { type: "addRules", rules, behavior: "allow", destination };
}
