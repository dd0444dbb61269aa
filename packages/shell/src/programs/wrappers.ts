// Programs that run another command given as their words: the inner command is looked at as if it stood alone.

import type { Effect } from "../effects.ts";
import { type Argument, decidedLater } from "../grammar/argument.ts";
import { noteAssignment } from "../grammar/assignments.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { enter } from "../paths/cwds.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";
import { handleReader } from "./readers.ts";

type Wrapper = {
  /** Options with a value. */
  readonly letters?: string;
  readonly long?: readonly string[];
  /** Operands before the command (a duration, a lock file, a new root). */
  readonly skip?: number;
  readonly effect?: Effect;
};

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  setsid: {},
  time: { letters: "f:o:", effect: "unknown" },
  command: {},
  builtin: {},
  exec: { letters: "a:" },
  nice: { letters: "n:", long: ["adjustment="] },
  ionice: { letters: "c:n:p:", long: ["class=", "classdata="] },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  stdbuf: { letters: "i:o:e:", long: ["input=", "output=", "error="] },
  timeout: { letters: "k:s:", long: ["kill-after=", "signal="], skip: 1 },
  gtimeout: { letters: "k:s:", long: ["kill-after=", "signal="], skip: 1 },
  watch: { letters: "n:q:", long: ["interval="], effect: "unknown" },
  strace: { letters: "e:o:p:s:u:", effect: "unknown" },
  ltrace: { letters: "e:o:p:s:u:", effect: "unknown" },
  flock: { letters: "w:E:c:", long: ["command="], skip: 1, effect: "unknown" },
  script: { letters: "c:I:O:", long: ["command="], effect: "unknown" },
  chronic: {},
  caffeinate: { letters: "t:w:" },
  unbuffer: {},
  busybox: {},
  toybox: {},
  "dbus-run-session": {},
  "xvfb-run": { letters: "e:f:n:p:s:w:", effect: "unknown" },
  chroot: { skip: 1, long: ["userspec=", "groups="], effect: "privilege" },
  nsenter: { letters: "t:S:G:", long: ["target="], effect: "privilege" },
  unshare: { effect: "privilege" },
  setpriv: { effect: "privilege" },
  bwrap: { effect: "unknown" },
};

/** Take their command as one text too. */
const TAKES_TEXT = new Set(["flock", "script"]);

function handleWrapper(call: Call, wrapper: Wrapper): void {
  const options = readOptions(call.args, wrapper.letters, wrapper.long, true);
  const words = options.operands.slice(wrapper.skip ?? 0);
  if (wrapper.effect !== undefined)
    call.scan.note(wrapper.effect, `${call.program} runs ${show(words.map((word) => word.raw).join(" "))}`);
  for (const text of TAKES_TEXT.has(call.program) ? options.values("c", "command") : []) call.scan.runText(text.text, call.stdin);
  if (words.length > 0) call.scan.runCall(words, call.stdin);
}

/** `env`: alone it prints every variable; otherwise it sets some and runs the rest. */
function handleEnv({ scan, args, stdin }: Call): void {
  const options = readOptions(args, "u:C:S:", ["unset=", "chdir=", "split-string="], true);
  const firstWord = options.operands.findIndex((word) => !/^\w+=/.test(word.text));
  const assignments = firstWord < 0 ? options.operands : options.operands.slice(0, firstWord);
  for (const arg of assignments) {
    const equals = arg.text.indexOf("=");
    noteAssignment(scan, arg.text.slice(0, equals), {
      ...arg,
      text: arg.text.slice(equals + 1),
      raw: arg.text.slice(equals + 1),
    });
  }
  if (options.has("C", "chdir")) scan.cwds = enter(scan.cwds, undefined, undefined);
  const split = options.values("S", "split-string");
  for (const text of split) scan.runText(text.text, stdin);
  if (firstWord >= 0) scan.runCall(options.operands.slice(firstWord), stdin);
  else if (split.length === 0) scan.note("credentials", "env prints every variable of the environment");
}

/** `xargs` and `parallel`: the command gets words that only exist at run time. */
function handleXargs({ scan, program, args, stdin }: Call): void {
  const options = readOptions(
    args,
    "I:i:n:P:L:d:E:s:a:j:",
    ["max-args=", "max-procs=", "delimiter=", "arg-file=", "replace=", "jobs="],
    true,
  );
  const later = decidedLater("a line of the input");
  const mark = options.values("I", "replace")[0]?.text ?? "{}";
  const words = options.operands.map(
    (word): Argument =>
      word.text.includes(mark) ? { ...word, text: word.text.replaceAll(mark, "$line"), certainty: "dynamic" } : word,
  );
  if (words.length > 0) scan.runCall(options.has("I", "replace") ? words : [...words, later], stdin);
  else if (program === "parallel") scan.note("unseen_interpreter", "parallel runs the lines of its input as commands");
}

/** `fd -x command`. */
function handleFd(call: Call): void {
  const at = call.args.findIndex((arg) => /^(?:-[xX]|--exec|--exec-batch)$/.test(arg.text));
  if (at < 0) handleReader(call);
  else call.scan.runCall([...call.args.slice(at + 1), decidedLater("a match of fd")], call.stdin);
}

/** Programs that run other commands. */
export const WRAPPER_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...Object.entries(WRAPPERS).map(([name, wrapper]) => [name, (call: Call) => handleWrapper(call, wrapper)] as const),
  ["env", handleEnv],
  ["xargs", handleXargs],
  ["parallel", handleXargs],
  ["fd", handleFd],
  ["fdfind", handleFd],
];
