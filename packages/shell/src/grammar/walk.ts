// Walks the shell grammar's tree: every part of every list, pipeline, loop, function and substitution is looked at,
// also those that may never run. A part that the grammar could not read makes the command opaque.
import {
  type AndOr,
  type Command,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { rejoin } from "../paths/cwds.ts";
import { dispatch } from "../programs/dispatch.ts";
import { show } from "../show.ts";
import type { Argument } from "./argument.ts";
import { noteAssignment } from "./assignments.ts";
import { noteConstruct } from "./constructs.ts";
import { evaluateWord, type KnownVariables } from "./evaluate-word.ts";
import { followRedirections } from "./redirections.ts";
import type { Scan, Stdin } from "./scan.ts";

/** What the parts below a node share: the scan, and the input that they would read. */
type Position = { readonly scan: Scan; readonly stdin: Stdin };

const INHERITED: Stdin = { kind: "inherited" };
const FEEDS: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>(["Coproc", "ProcessSubstitution"]);
const REPEATED: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "Function",
  "For",
  "Select",
  "While",
  "ArithmeticFor",
]);

/** Parses a text as a shell script and notes the effects of all its parts. */
export function walkText(scan: Scan, text: string, stdin: Stdin = INHERITED): void {
  if (scan.mayRead(text)) visitScript(parse(text), { scan, stdin });
}

function visitScript(script: ParsedScript, position: Position): void {
  const error = script.errors?.[0];
  if (error !== undefined) position.scan.note("opaque", `the shell grammar cannot read the command: ${show(error.message)}`);
  for (const statement of script.commands) visit(statement, position);
}

function visit(node: SyntaxNode, position: Position): void {
  const { scan } = position;
  if (!scan.step()) return;
  if (node.type === "Statement") scan.cwds = rejoin(scan.cwds);
  noteConstruct(scan, node);
  if (node.type === "Script") visitScript(node, { scan, stdin: INHERITED });
  else if (node.type === "AndOr") visitAndOr(node, position);
  else if (node.type === "Pipeline") visitPipeline(node, position);
  else if (node.type === "Command") visitCommand(node, position);
  else if (FEEDS.has(node.type)) visitFed(node, scan);
  else if (node.type === "Redirected") visit(node.command, { scan, stdin: visitRedirections(node.redirects, position) });
  else {
    const repeats = REPEATED.has(node.type) ? 1 : 0;
    scan.repeats += repeats;
    forEachChild(node, (child) => visit(child, position));
    scan.repeats -= repeats;
  }
}

/** `>(...)` and `coproc` read what others write. */
function visitFed(node: SyntaxNode, scan: Scan): void {
  const fed = node.type === "Coproc" || (node.type === "ProcessSubstitution" && node.operator === ">");
  forEachChild(node, (child) => {
    if (child.type === "Script") visitScript(child, { scan, stdin: fed ? { kind: "pipe" } : INHERITED });
    else visit(child, { scan, stdin: fed ? { kind: "pipe" } : INHERITED });
  });
}

function visitAndOr(node: AndOr, position: Position): void {
  let onlyAnd = true;
  node.commands.forEach((command, index) => {
    onlyAnd = onlyAnd && (index === 0 || node.operators[index - 1] === "&&");
    // Only behind `&&` and nothing but `&&` is it certain that an earlier `cd` succeeded.
    if (!onlyAnd) position.scan.cwds = rejoin(position.scan.cwds);
    visit(command, position);
    if (command.type !== "Command") position.scan.cwds = rejoin(position.scan.cwds);
  });
}

function visitPipeline(node: Pipeline, position: Position): void {
  node.commands.forEach((command, index) => {
    visit(command, index === 0 ? position : { scan: position.scan, stdin: { kind: "pipe" } });
    position.scan.cwds = rejoin(position.scan.cwds);
  });
}

function visitCommand(node: Command, position: Position): void {
  const { scan } = position;
  const known = knownVariables(scan);
  const words: Argument[] = [];
  if (node.name !== undefined) words.push(evaluateWord(node.name, known));
  for (const arg of node.args) {
    if (arg.type === "Word") words.push(evaluateWord(arg, known));
    else
      words.push(assignmentArgument(arg.text, arg.name, arg.value.type === "Word" ? evaluateWord(arg.value, known) : undefined));
  }
  const before = scan.cwds;
  for (const child of [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.args]) {
    if (child.type === "Assignment")
      noteAssignment(scan, child.name, child.value.type === "Word" ? evaluateWord(child.value, known) : undefined);
    if (child.type === "Assignment" || child.type === "Word")
      forEachChild(child, (part) => visit(part, { scan, stdin: INHERITED }));
  }
  const stdin = visitRedirections(node.redirects, position);
  // A `cd` in a substitution moves only the substitution.
  const here = { current: before.current, possible: scan.cwds.possible };
  scan.cwds = here;
  if (words.length > 0) dispatch(scan, words, stdin);
  if (words[0]?.text !== "cd" && scan.cwds !== here) scan.cwds = rejoin(scan.cwds);
}

function assignmentArgument(text: string, name: string, value: Argument | undefined): Argument {
  return value === undefined
    ? { text, raw: text, certainty: "dynamic" }
    : { text: `${name}=${value.text}`, raw: text, certainty: value.certainty };
}

function visitRedirections(redirects: readonly Redirection[], { scan, stdin }: Position): Stdin {
  for (const redirect of redirects) forEachChild(redirect, (child) => visit(child, { scan, stdin: INHERITED }));
  return followRedirections(scan, redirects, knownVariables(scan), stdin);
}

/** `$HOME` and `$PWD` are known unless the command may set them. */
function knownVariables(scan: Scan): KnownVariables {
  const [pwd, ...others] = scan.cwds.current ?? [];
  return {
    home: scan.mentions("HOME") ? undefined : scan.context.home,
    pwd: others.length > 0 || scan.mentions("PWD") ? undefined : pwd,
  };
}

/** Notes the effects of words that are a command of their own, as in `env` or `xargs`. */
export function walkCall(scan: Scan, words: readonly Argument[], stdin: Stdin): void {
  if (scan.step() && words.length > 0) dispatch(scan, words, stdin);
}
