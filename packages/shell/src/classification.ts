// What a classifier is given and what it returns. `proven` means that the allowlist covers every part of the command; whatever is
// not proven and needs nothing from outside can run confined (D33).
import { EFFECT_NEEDS, type Effect, NEEDS, type Need } from "./effects.ts";
import type { Disk } from "./paths/disk.ts";

/** Where a command would run; everything that the classifier may know of the world. */
export type ShellContext = {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home?: string;
  /** The shell that will read the text; default "posix". Nothing is proven in an unknown one. */
  readonly dialect?: "posix" | "bash" | "unknown";
  /** The machine's disk. Without one only the text counts: no link is followed, and no command that writes is proven. */
  readonly disk?: Disk;
  /** Further folders that arm the gate: the hook's own. */
  readonly gate?: readonly string[];
};

/** One reason: an effect, the part of the command that has it, and what it needs where that differs from the effect's own need. */
export type Finding = { readonly effect: Effect; readonly what: string; readonly need?: Need | "registries" | null };

/** The verdict on a command or a file change. `effects` is sorted and has no duplicates. */
export type Classification = {
  /** An allowlist covers the program, every option and every operand. */
  readonly proven: boolean;
  /** Why it cannot simply be confined; sorted, empty where it can. */
  readonly needs: readonly Need[];
  readonly effects: Effect[];
  readonly findings: Finding[];
};

/** Combine findings into a classification; duplicates count once. */
export function conclude(proven: boolean, findings: readonly Finding[]): Classification {
  const unique = new Map(findings.map((finding) => [`${finding.effect} ${finding.what}`, finding]));
  const effects = [...new Set(findings.map((finding) => finding.effect))].sort();
  const needs = new Set(findings.map(({ effect, need }) => (need === undefined ? EFFECT_NEEDS[effect] : need)));
  return {
    proven,
    needs: proven ? [] : NEEDS.filter((need) => needs.has(need)),
    effects,
    findings: [...unique.values()],
  };
}
