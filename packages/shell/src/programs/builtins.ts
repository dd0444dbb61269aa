// The shell's own words that move, define, schedule or print.

import { isSecretVariable } from "../grammar/constructs.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { listPath } from "../grammar/touch-path.ts";
import { enter } from "../paths/cwds.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

/** `cd`: outside or unknown folders are noted, because whatever follows happens there. */
function handleCd({ scan, program, args }: Call): void {
  const path = args.find((arg) => !/^-[LPe@]$|^--$/.test(arg.text));
  if (path !== undefined) listPath(scan, path, program);
  else scan.note("read_outside", `${program} goes to the home folder`);
  const target = path === undefined ? "~" : path.text;
  const known = path === undefined || (path.certainty === "exact" && target !== "-" && !target.startsWith("~"));
  const steady = scan.repeats === 0 || target.startsWith("/") || target.startsWith("~");
  const stack = program === "popd" || (program === "pushd" && path === undefined);
  scan.cwds = enter(scan.cwds, known && steady && !stack ? target : undefined, scan.context.home);
}

/** `alias x='...'`: the text is a command that runs later under another name. */
function handleAlias({ scan, args, stdin }: Call): void {
  for (const arg of args) {
    const equals = arg.text.indexOf("=");
    if (equals < 0) continue;
    scan.note("unknown", `alias gives ${show(arg.raw)} another name`);
    scan.runText(arg.text.slice(equals + 1), stdin);
  }
}

/** `trap '...' EXIT`. */
function handleTrap({ scan, args, stdin }: Call): void {
  const [text] = readOptions(args).operands;
  if (text === undefined || text.text === "-" || text.text === "") return;
  scan.note("unknown", `trap runs ${show(text.raw)} later`);
  scan.runText(text.text, stdin);
}

/** `export`, `declare` and their kind: without a name they print every variable. */
function handleDeclare({ scan, program, args }: Call): void {
  const names = args.filter((arg) => !arg.text.startsWith("-"));
  if (names.length === 0) scan.note("credentials", `${program} without a name prints every variable`);
  else scan.note("unknown", `${program} changes the shell's variables`);
}

/** `set`: without arguments it prints every variable. */
const handleSet: Handler = ({ scan, args }) => {
  if (args.length === 0) scan.note("credentials", "set without arguments prints every variable");
  else scan.note("unknown", "set changes how the shell reads and runs");
};

/** `printenv`: everything, or one variable. */
function handlePrintenv({ scan, args }: Call): void {
  const names = args.filter((arg) => !arg.text.startsWith("-"));
  const secret = names.length === 0 || names.some((name) => name.certainty !== "exact" || isSecretVariable(name.text));
  if (secret) scan.note("credentials", "printenv prints variables that may hold secrets");
}

/** Programs that run their input, or a file, at another time. */
function handleSchedule({ scan, program, args, stdin }: Call): void {
  scan.note("process_control", `${program} makes something run later`);
  const option = args.find((arg) => /^-[lr]$/.test(arg.text))?.text;
  if (option === "-r") scan.note("delete_outside", `${program} deletes everything that was to run later`);
  if (option !== undefined) return;
  if (stdin.kind === "text" && stdin.text.certainty === "exact") scan.runText(stdin.text.text, { kind: "inherited" });
  else
    scan.note(
      "unseen_interpreter",
      `${program} takes its commands from ${stdin.kind === "pipe" ? "a pipe" : "a place not shown"}`,
    );
}

/** A confined session sees no processes but its own, so signals need nothing; stopping the machine does. */
const handleKill: Handler = ({ scan, program, args }) => {
  const what = `${program} stops or signals ${show(args.map((arg) => arg.raw).join(" ") || "processes")}`;
  scan.note("process_control", what, SIGNALS.has(program) ? null : undefined);
};
const SIGNALS = new Set(["kill", "pkill", "killall", "skill", "fuser"]);

/** `systemctl status` and its kind only look. */
function handleService({ scan, program, args }: Call): void {
  const looks = args.some((arg) => /^(?:status|is-active|is-enabled|list|show|list-units|print|cat)$/.test(arg.text));
  scan.note(looks ? "unknown" : "process_control", `${program} ${show(args.map((arg) => arg.raw).join(" "))}`, "processes");
}

/** Types into another terminal, where nobody looks at what is typed. */
const handleOtherTerminal: Handler = ({ scan, program, args }) => {
  const types = args.some((arg) => /^(?:send-keys|send|stuff|-X|run-shell|pipe-pane|if-shell|respawn-pane)$/.test(arg.text));
  const what = `${program} acts in another terminal: ${show(args.map((arg) => arg.raw).join(" "))}`;
  scan.note(types ? "opaque" : "unknown", what, "processes");
};

/** The shell's own words, and processes. */
export const BUILTIN_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...["cd", "chdir", "pushd", "popd"].map((name) => [name, handleCd] as const),
  ...["export", "declare", "typeset", "readonly", "local"].map((name) => [name, handleDeclare] as const),
  ...["at", "batch", "crontab"].map((name) => [name, handleSchedule] as const),
  ...["kill", "pkill", "killall", "skill", "xkill", "fuser", "shutdown", "reboot", "halt", "poweroff", "init"].map(
    (name) => [name, handleKill] as const,
  ),
  ...["systemctl", "service", "launchctl", "rc-service", "supervisorctl", "pm2"].map((name) => [name, handleService] as const),
  ...["tmux", "screen", "zellij", "osascript"].map((name) => [name, handleOtherTerminal] as const),
  ["alias", handleAlias],
  ["set", handleSet],
  ["trap", handleTrap],
  ["printenv", handlePrintenv],
];
