// The shape of the tables of tools whose meaning lies in their verbs.
import type { Effect } from "../effects.ts";

/** One row: a pattern over the words joined by spaces, options included, and the effects that it means. */
type VerbRow = readonly [pattern: RegExp, effects: readonly Effect[], what: string];

/** A family of tools that share their verbs. */
export type VerbTable = {
  readonly programs: readonly string[];
  readonly rows: readonly VerbRow[];
  /** What such a tool does when no row matches. */
  readonly else: readonly Effect[];
  /** Its first word is itself a program (`npx rimraf`). */
  readonly runsFirstWord?: true;
};
