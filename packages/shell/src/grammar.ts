// The shell grammar for callers that hold rules of their own against a command: its tree, and what its words will be.
export { forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
export type { Argument } from "./grammar/argument.ts";
export { evaluateWord } from "./grammar/evaluate-word.ts";
export { readingSteps } from "./grammar/reading-steps.ts";
