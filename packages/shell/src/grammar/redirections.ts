// Redirections: a target that is written or read is a path like any other; the input decides what an interpreter runs.
import type { Redirection } from "unbash";
import { type Argument, decidedLater } from "./argument.ts";
import { evaluateWord, type KnownVariables } from "./evaluate-word.ts";
import type { Scan, Stdin } from "./scan.ts";
import { readPath, writePath } from "./touch-path.ts";

/** Notes the redirections' effects and returns where the command's input comes from after them. */
export function followRedirections(scan: Scan, redirects: readonly Redirection[], known: KnownVariables, before: Stdin): Stdin {
  let stdin = before;
  for (const redirect of redirects) stdin = followOne(scan, redirect, known) ?? stdin;
  return stdin;
}

function followOne(scan: Scan, redirect: Redirection, known: KnownVariables): Stdin | undefined {
  if (redirect.type === "HereDoc") {
    const expands = redirect.body.parts?.some((part) => part.type !== "Literal") === true;
    return { kind: "text", text: { text: redirect.body.text, raw: redirect.operator, certainty: expands ? "dynamic" : "exact" } };
  }
  const target = redirect.target === undefined ? decidedLater(redirect.operator) : evaluateWord(redirect.target, known);
  if (redirect.type === "HereString") return { kind: "text", text: target };
  const isProcess = redirect.target?.parts?.some((part) => part.type === "ProcessSubstitution") === true;
  const onStdin =
    redirect.descriptor === undefined || (redirect.descriptor.type === "FileDescriptor" && redirect.descriptor.value === 0);
  switch (redirect.operator) {
    case "<":
      if (!isProcess) readPath(scan, target, "<");
      return onStdin ? inputFrom(target, isProcess) : undefined;
    case "<&":
      return onStdin ? { kind: "pipe" } : undefined;
    case ">&":
      if (!/^(?:\d+-?|-)$/.test(target.text)) writePath(scan, target, redirect.operator);
      return undefined;
    case "<>":
      readPath(scan, target, redirect.operator);
      writePath(scan, target, redirect.operator);
      return onStdin ? { kind: "pipe" } : undefined;
    default:
      if (!isProcess) writePath(scan, target, redirect.operator);
      return undefined;
  }
}

function inputFrom(target: Argument, isProcess: boolean): Stdin {
  return isProcess || target.certainty === "dynamic" ? { kind: "pipe" } : { kind: "file", file: target };
}
