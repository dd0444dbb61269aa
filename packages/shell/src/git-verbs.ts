// `@hap/shell/git`: which commands name a git verb that writes the repository. The one place that says so: the sandbox makes the git dir
// writable for these. Generous, because the git dir's hooks and configuration stay read-only either way.
import type { Effect } from "./effects.ts";
import { GIT_CHANGES, GIT_TABLE } from "./programs/git-table.ts";

const CHANGES: ReadonlySet<Effect> = new Set<Effect>(["write_inside", "delete_inside", "irreversible_vcs"]);

/** Verbs of scripts and of git's own parts, which the table of effects leaves unknown. */
const PARTS = [
  ...["commit-tree", "hash-object", "lfs", "maintenance", "pack-refs", "read-tree", "repack", "sparse-checkout", "stage"],
  ...["update-index", "write-tree"],
];

const WRITING: ReadonlySet<string> = new Set([
  ...PARTS,
  ...[...GIT_TABLE, ...GIT_CHANGES].flatMap(([verb, rows]) => (rows.some(({ effect }) => CHANGES.has(effect)) ? [verb] : [])),
]);

/** True when a command names git and a verb that writes the repository, anywhere in its text. */
export function writesGit(command: string): boolean {
  const words = command.split(/[\s;|&()`'"]+/);
  return words.some((word) => word === "git" || word.endsWith("/git")) && words.some((word) => WRITING.has(word));
}
