// The shape of the tables of tools whose meaning lies in their verbs.
import type { Effect, Need } from "../effects.ts";

/** One row: a pattern over the words joined by spaces, options included, and the effects that it means. */
type VerbRow = readonly [pattern: RegExp, effects: readonly Effect[], what: string, network?: "registries"];

/** A family of tools that share their verbs. */
export type VerbTable = {
  readonly programs: readonly string[];
  readonly rows: readonly VerbRow[];
  /** What such a tool does when no row matches. */
  readonly else: readonly Effect[];
  /** What such a tool always needs. */
  readonly need?: Need;
  /** Where no row matches, it may still ask a package registry (`cargo build`). */
  readonly registries?: true;
  /** Its first word is itself a program (`npx rimraf`). */
  readonly runsFirstWord?: true;
};
