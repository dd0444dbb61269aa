// From a simple command to its effects: the table of proven programs first, then the program's own handler, otherwise `unknown`.
import { type Argument, decidedLater, exactly } from "../grammar/argument.ts";
import { findProduction } from "../grammar/production-words.ts";
import type { Call, Scan, Stdin } from "../grammar/scan.ts";
import { noteGate, noteSecret, resolveArgument } from "../grammar/touch-path.ts";
import { matchCommand } from "../proof/match-command.ts";
import { PROVEN_PROGRAMS } from "../proof/programs.ts";
import { show } from "../show.ts";
import { noteEmbedded } from "./embedded.ts";
import { handleReader } from "./readers.ts";
import { LOCAL_HANDLERS, REMOTE_HANDLERS } from "./registry.ts";

const SYSTEM_FOLDERS = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\//;

/** Notes the effects of one simple command; `words` starts with the program. */
export function dispatch(scan: Scan, words: readonly Argument[], stdin: Stdin): void {
  const [name = decidedLater(""), ...args] = words;
  scan.calls.push(words.map(({ text }) => text));
  if (name.certainty !== "exact") {
    noteHiddenProgram(scan, name, args, stdin);
    return;
  }
  if (/[^\x21-\x7e\r]/.test(name.text))
    scan.note("opaque", `the program's name ${show(name.raw)} has letters that only look familiar`);
  if (name.raw === name.text && words.every((word) => word.certainty === "exact")) {
    const plain = words.map(({ text }) => ({ text, glob: false, revision: false }));
    // What ran before is not known here, so nothing that depends on it is taken for shown.
    const one = { words: plain, inputs: [], outputs: [], afterSuccess: false, always: false };
    const match = matchCommand(one, scan.cwds, scan.context, true);
    if (match !== undefined) {
      for (const finding of match.findings) scan.note(finding.effect, finding.what);
      scan.cwds = match.cwds;
      return;
    }
  }
  const before = scan.notes;
  const call = { name: name.text, program: programOf(name.text), args, stdin, scan };
  if (isOwnFile(name.text)) noteOwnFile(call, name);
  handle(call);
  if (scan.notes === before) scan.note("unknown", `${call.program} is used in a way whose effects are not known`);
}

function handle(call: Call): void {
  const local = LOCAL_HANDLERS.get(call.program);
  const remote = REMOTE_HANDLERS.get(call.program);
  const entry = PROVEN_PROGRAMS.get(call.program);
  const reader = entry === undefined || ("operands" in entry && entry.operands === "none") ? undefined : handleReader;
  const handler = local ?? remote ?? reader ?? noteUnknown;
  handler(call);
  noteGates(call);
  if (handler === local || handler === reader) return;
  const production = findProduction(call.args);
  if (production !== undefined) call.scan.note("production", `${call.program} is told ${show(production.raw)}`);
}

/** A gate path among the words asks, unless the program is known to read it; git and `cd` say for themselves. */
function noteGates({ scan, program, name, args }: Call): void {
  if (program === "git" || program === "cd" || program === "pushd") return;
  const entry = PROVEN_PROGRAMS.get(program);
  const reads = typeof entry === "function" || (entry !== undefined && /^(?:none|words|names|contents)$/.test(entry.operands));
  for (const arg of args) if (!reads || arg.text.startsWith("-")) noteGate(scan, arg, show(name));
}

/** Case is folded because some file systems do; a version behind the name (`python3.12`) says nothing new. */
function programOf(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return base.replace(/(?<=^(?:python|pip|ruby|perl|php|lua|node))[\d.]+$/, "").replace(/\.exe$|(?<=^mkfs)\..*$/, "");
}

/** A plain variable may be harmless (`$EDITOR`); anything put together here hides what runs. */
function noteHiddenProgram(scan: Scan, name: Argument, args: readonly Argument[], stdin: Stdin): void {
  const variable = /^"?\$\{?([A-Za-z]\w*)\}?"?$/.exec(name.raw)?.[1];
  const setHere = variable !== undefined && scan.mentions(variable);
  const effect = variable === undefined || setHere ? "opaque" : "unknown";
  scan.note(effect, `the program that runs is only known at run time: ${show(name.raw)}`);
  for (const arg of args) noteSecret(scan, arg, name.raw);
  if (variable === "SHELL" || variable === "BASH") scan.runCall([exactly("sh"), ...args], stdin);
  else noteEmbedded({ scan, args, stdin });
}

function isOwnFile(name: string): boolean {
  return name.includes("/") && !SYSTEM_FOLDERS.test(name);
}

function noteOwnFile(call: Call, name: Argument): void {
  const wrote = resolveArgument(call.scan, name).some((path) => call.scan.written.has(path));
  if (wrote) call.scan.note("unseen_interpreter", `${show(name.raw)} runs a file that this command itself wrote`);
  else call.scan.note("unknown", `${show(name.raw)} runs a file whose content is not shown`);
}

function noteUnknown(call: Call): void {
  const by = call.program === "" ? "an empty name" : show(call.name);
  if (!isOwnFile(call.name)) call.scan.note("unknown", `${by} is not a program whose effects are known`);
  for (const arg of call.args) noteSecret(call.scan, arg, by);
  noteEmbedded(call);
}
