// Interpreters. Code that stands in the command is visible: shell code is looked at, other code is `unknown`. Code that comes
// from a pipe, a substitution, or a file that this command itself fetched or wrote is `unseen_interpreter` (D11).
import type { Argument } from "../grammar/argument.ts";
import { type Options, readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { noteSecret, readPath, resolveArgument } from "../grammar/touch-path.ts";
import { show } from "../show.ts";
import { noteSigns } from "./code-signs.ts";
import type { Handler } from "./handler.ts";

const SHELLS = ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh"];
const FOREIGN_SHELLS = ["pwsh", "powershell", "cmd", "nu", "xonsh", "elvish"];

type Interpreter = {
  /** Options with a value. */
  readonly letters: string;
  readonly long?: readonly string[];
  /** Those of them whose value is code. */
  readonly code: readonly string[];
  /** Options that make the first operand code. */
  readonly firstIsCode?: readonly string[];
  /** Has verbs: `run file`, `eval code`. */
  readonly verbs?: true;
};

const JS_LONG = ["eval=", "require=", "import=", "env-file=", "loader=", "preload="];

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: { code: ["c"], letters: "c:m:W:X:Q:" },
  pypy: { code: ["c"], letters: "c:m:W:X:" },
  node: { code: ["e", "eval"], letters: "e:r:C:", long: JS_LONG, firstIsCode: ["p", "print"] },
  bun: { code: ["e", "eval"], letters: "e:r:", long: JS_LONG, firstIsCode: ["p", "print"], verbs: true },
  deno: { code: [], letters: "c:", verbs: true },
  tsx: { code: ["e", "eval"], letters: "e:", long: JS_LONG, firstIsCode: ["p", "print"] },
  perl: { code: ["e", "E"], letters: "e:E:I:M:m:" },
  ruby: { code: ["e"], letters: "e:I:r:" },
  php: { code: ["r", "R", "B", "E"], letters: "r:R:B:E:d:f:" },
  lua: { code: ["e"], letters: "e:l:" },
  luajit: { code: ["e"], letters: "e:l:" },
  rscript: { code: ["e"], letters: "e:" },
  tclsh: { code: [], letters: "" },
  expect: { code: ["c"], letters: "c:f:" },
  groovy: { code: ["e"], letters: "e:" },
  ed: { code: [], letters: "p:" },
};

function noteCode({ scan, program }: Call, code: Argument): void {
  if (code.certainty !== "exact")
    scan.note("unseen_interpreter", `${program} runs code that is put together at run time: ${show(code.raw)}`);
  scan.note("unknown", `${program} runs the code ${show(code.text)}`);
  noteSigns(scan, program, code.text);
}

function noteShellCode({ scan, program, stdin }: Call, code: Argument): void {
  if (code.certainty !== "exact")
    scan.note("unseen_interpreter", `${program} runs text that is put together at run time: ${show(code.raw)}`);
  scan.runText(code.text, stdin.kind === "text" ? { kind: "inherited" } : stdin);
}

/** A script file: fetched or written by this very command, from a substitution, or simply not shown. */
function noteScript({ scan, program }: Call, file: Argument): void {
  const fromHere = resolveArgument(scan, file).some((path) => scan.written.has(path));
  if (fromHere || file.certainty !== "exact" || /^\/dev\/(?:stdin|fd\/|tcp\/)|^\/proc\/self\/fd|^https?:/.test(file.text)) {
    scan.note("unseen_interpreter", `${program} runs ${show(file.raw)}, which cannot be seen before it runs`);
    return;
  }
  scan.note("unknown", `${program} runs the file ${show(file.raw)}, whose content is not shown`);
  readPath(scan, file, program);
}

function noteInput(call: Call, note: (call: Call, code: Argument) => void): void {
  const { scan, program, stdin } = call;
  if (stdin.kind === "pipe") scan.note("unseen_interpreter", `${program} runs what a pipe gives it`);
  else if (stdin.kind === "text") note(call, stdin.text);
  else if (stdin.kind === "file") noteScript(call, stdin.file);
  else scan.note("unknown", `${program} waits for commands`);
}

function handleShell(call: Call): void {
  // `+e` switches an option off; it is no script.
  const args = call.args.filter((arg) => !/^\+[A-Za-z]+$/.test(arg.text));
  const options = readOptions(args, "o:O:", ["rcfile=", "init-file=", "command="], true);
  const [first] = options.operands;
  for (const file of options.values("rcfile", "init-file")) noteScript(call, file);
  for (const code of options.values("command")) noteShellCode(call, code);
  if (options.has("c")) {
    if (first !== undefined) noteShellCode(call, first);
  } else if (first === undefined || options.has("s") || first.text === "-") noteInput(call, noteShellCode);
  else noteScript(call, first);
}

function handleInterpreter(call: Call, interpreter: Interpreter): void {
  const options = readOptions(call.args, interpreter.letters, interpreter.long, true);
  const module = call.program.startsWith("py") ? options.values("m")[0] : undefined;
  if (module !== undefined) {
    noteModule(call, module, options.operands);
    return;
  }
  const verb = interpreter.verbs === undefined ? undefined : options.operands[0]?.text;
  const operands = verb === "run" || verb === "eval" ? options.operands.slice(1) : options.operands;
  if (verb !== undefined && verb !== "run" && verb !== "eval" && /^[a-z]+$/.test(verb)) {
    call.scan.note("network", `${call.program} ${verb} may fetch from the network`);
    call.scan.note("unknown", `${call.program} ${verb} runs code that is not shown`);
    return;
  }
  const code = codeOf(interpreter, options, operands, verb === "eval");
  for (const text of code) noteCode(call, text);
  for (const operand of operands) noteSecret(call.scan, operand, call.program);
  const [first] = operands;
  if (code.length > 0) return;
  if (first === undefined || first.text === "-") noteInput(call, noteCode);
  else noteScript(call, first);
}

function codeOf(interpreter: Interpreter, options: Options, operands: readonly Argument[], isEval: boolean): readonly Argument[] {
  const given = options.values(...interpreter.code);
  const first = isEval || options.has(...(interpreter.firstIsCode ?? [])) ? operands.slice(0, 1) : [];
  return given.length > 0 ? given : first;
}

/** `python -m pip` is pip; other modules run code that is not shown. */
function noteModule({ scan, stdin, program }: Call, module: Argument, rest: readonly Argument[]): void {
  if (module.text === "http.server") scan.note("network", "python serves the current folder to the network");
  if (module.text === "pip" || module.text === "twine") scan.runCall([module, ...rest], stdin);
  else scan.note("unknown", `${program} runs the module ${show(module.raw)}`);
}

/** `eval`: its words joined are a command. */
function handleEval(call: Call): void {
  const dynamic = call.args.some((arg) => arg.certainty !== "exact");
  const text = call.args.map((arg) => arg.text).join(" ");
  noteShellCode(call, { text, raw: text, certainty: dynamic ? "dynamic" : "exact" });
}

/** `source file`, `. file`. */
function handleSource(call: Call): void {
  const [file] = call.args;
  if (file !== undefined) noteScript(call, file);
}

const handleForeign: Handler = ({ scan, program }) =>
  scan.note("opaque", `${program} reads a shell language that is not looked at here`);

/** Programs that run code. */
export const INTERPRETER_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...SHELLS.map((name) => [name, handleShell] as const),
  ...FOREIGN_SHELLS.map((name) => [name, handleForeign] as const),
  ...Object.entries(INTERPRETERS).map(
    ([name, interpreter]) => [name, (call: Call) => handleInterpreter(call, interpreter)] as const,
  ),
  ["eval", handleEval],
  ["source", handleSource],
  [".", handleSource],
];
