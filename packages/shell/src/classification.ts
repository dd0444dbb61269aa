// What a classifier is given and what it returns. `ask` always comes with at least one finding that says why.
import type { Effect } from "./effects.ts";

/** Where a command would run; everything that the classifier may know of the world. */
export type ShellContext = {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home?: string;
  /** The shell that will read the text; default "posix". Nothing is harmless in an unknown one. */
  readonly dialect?: "posix" | "bash" | "unknown";
};

/** One reason: an effect, and the part of the command that has it. */
export type Finding = { readonly effect: Effect; readonly what: string };

/** The verdict on a command or a file change. `effects` is sorted and has no duplicates. */
export type Classification = {
  readonly verdict: "harmless" | "ask";
  readonly effects: Effect[];
  readonly findings: Finding[];
};

/** Puts findings into a classification; equal ones count once. */
export function conclude(verdict: Classification["verdict"], findings: readonly Finding[]): Classification {
  const unique = new Map(findings.map((finding) => [`${finding.effect} ${finding.what}`, finding]));
  const effects = [...new Set(findings.map((finding) => finding.effect))].sort();
  return { verdict, effects, findings: [...unique.values()] };
}
