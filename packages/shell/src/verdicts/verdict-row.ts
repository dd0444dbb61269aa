// The shape of the verdict tables: what a security reviewer reads, and what verdicts.test.ts runs.
// Every row stands in /home/u/p, which is the project's root; the home folder is /home/u.

import type { Classification } from "../classification.ts";

/** `proven` runs as it is, `confined` in a sandbox, and for `asked` a person decides. */
export type Verdict = "proven" | "confined" | "asked";

/** The gate's verdict on a command, before any rule. */
export function verdictOf({ proven, needs }: Classification): Verdict {
  if (proven) return "proven";
  return needs.length === 0 ? "confined" : "asked";
}

/** The command, its verdict, its effects (sorted, by spaces), and why. */
export type VerdictRow = readonly [command: string, verdict: Verdict, effects: string, why: string];
