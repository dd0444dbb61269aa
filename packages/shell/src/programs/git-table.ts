// git's sub-commands and what they do, as a table. Every row whose `when` holds counts; a sub-command without a row is unknown.
// "Irreversible" is what git itself cannot bring back, or brings back only for somebody who knows the reflog.
import type { Effect } from "../effects.ts";
import type { Options } from "../grammar/read-options.ts";

/** One row: the effect, when it holds (always, if not said), and the words for it. */
export type GitRow = { readonly effect: Effect; readonly what: string; readonly when?: (options: Options) => boolean };

const reads: GitRow = { effect: "read_inside", what: "shows the repository" };
const unseen: GitRow = { effect: "unknown", what: "takes changes that are not shown" };
const writes: GitRow = { effect: "write_inside", what: "changes the repository or the working tree" };
const fetches: GitRow = { effect: "network", what: "talks to a remote" };
const sends: GitRow = { effect: "send_data", what: "sends the repository's data to a remote" };
const loses = (what: string, when?: (options: Options) => boolean): GitRow => ({
  effect: "irreversible_vcs",
  what,
  ...(when && { when }),
});
const rewrites = loses("rewrites history, and whether it is published cannot be seen");

const looksLikeFile = (word: string): boolean => /^\.{0,2}\/|\/$|\.[A-Za-z]{1,5}$/.test(word) || word === "." || word === "*";
const forces = (options: Options): boolean => options.has("f", "force");
const firstIs =
  (...words: readonly string[]) =>
  (options: Options): boolean =>
    words.includes(options.words[0] ?? "");

/** Options with a value, where a value could be taken for an operand. What is not listed takes none. */
export const GIT_VALUED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    commit: "m:F:C:c:t:",
    tag: "m:F:u:",
    merge: "m:F:X:s:",
    stash: "m:",
    push: "o:",
    archive: "o:",
    clone: "b:o:c:j:u:",
    rebase: "x:X:s:",
    difftool: "x:",
    restore: "s:",
    revert: "m:X:",
    "cherry-pick": "m:X:",
  }),
);

/** The same for long options, of every sub-command. */
export const GIT_LONG = [
  "message=",
  "file=",
  "exec=",
  "output=",
  "upload-pack=",
  "receive-pack=",
  "strategy=",
  "config=",
  "template=",
  "source=",
];

/** Sub-command to rows. */
export const GIT_TABLE: ReadonlyMap<string, readonly GitRow[]> = new Map(
  Object.entries<readonly GitRow[]>({
    ...Object.fromEntries(
      [
        "status",
        "log",
        "diff",
        "show",
        "blame",
        "branch",
        "tag",
        "remote",
        "describe",
        "shortlog",
        "grep",
        "reflog",
        "stash",
      ].map((name) => [name, [reads]]),
    ),
    ...Object.fromEntries(
      ["rev-parse", "rev-list", "ls-files", "ls-tree", "cat-file", "merge-base", "show-ref", "worktree"].map((name) => [
        name,
        [reads],
      ]),
    ),
    ...Object.fromEntries(
      ["add", "commit", "mv", "merge", "cherry-pick", "revert", "init", "notes", "bisect"].map((name) => [name, [writes]]),
    ),
    push: [
      sends,
      loses(
        "overwrites or deletes branches of a remote",
        (options) =>
          options.has("f", "force", "force-with-lease", "force-if-includes", "d", "delete", "mirror", "prune") ||
          options.words.some((word) => /^[+:]/.test(word)),
      ),
    ],
    fetch: [fetches, writes],
    pull: [fetches, writes, { ...rewrites, when: (options) => options.has("r", "rebase") }],
    clone: [fetches, writes],
    "ls-remote": [fetches],
    submodule: [writes, fetches],
    "send-email": [sends],
    "request-pull": [fetches],
    reset: [writes, loses("throws uncommitted work away", (options) => options.has("hard", "merge", "keep"))],
    clean: [
      { ...reads, when: (options) => options.has("n", "dry-run") },
      { effect: "delete_inside", what: "deletes untracked files", when: (options) => !options.has("n", "dry-run") },
      loses("deletes files that git does not keep", (options) => !options.has("n", "dry-run")),
    ],
    checkout: [
      writes,
      loses(
        "throws uncommitted work away",
        (options) => forces(options) || options.has("B", "ours", "theirs") || discards(options),
      ),
    ],
    switch: [
      writes,
      loses("throws uncommitted work away", (options) => forces(options) || options.has("discard-changes", "C", "force-create")),
    ],
    restore: [
      writes,
      loses("throws uncommitted work away", (options) => !options.has("S", "staged") || options.has("W", "worktree")),
    ],
    rm: [
      { effect: "delete_inside", what: "deletes files", when: (options) => !options.has("cached") },
      { ...writes, when: (options) => options.has("cached") },
      loses("deletes changed files", forces),
    ],
    rebase: [writes, rewrites],
    "filter-branch": [rewrites],
    "filter-repo": [rewrites],
    apply: [writes, unseen],
    am: [writes, unseen],
    "fast-import": [writes, unseen],
    replace: [rewrites],
    gc: [writes, loses("deletes what only the reflog still knows", (options) => options.has("prune", "aggressive"))],
    prune: [loses("deletes unreachable objects")],
    "update-ref": [writes, loses("moves or deletes a reference")],
    "symbolic-ref": [writes],
    config: [
      {
        effect: "gate_files",
        what: "changes git's configuration, which names programs that git runs",
        when: (options) => !isConfigRead(options),
      },
      reads,
    ],
    credential: [{ effect: "credentials", what: "hands out or stores credentials" }],
    daemon: [sends],
    "http-backend": [sends],
    archive: [reads, { ...fetches, when: (options) => options.has("remote") }],
    bundle: [reads, writes],
    "format-patch": [writes],
  }),
);

/** Further rows for sub-commands that mostly only show. */
export const GIT_CHANGES: ReadonlyMap<string, readonly GitRow[]> = new Map(
  Object.entries<readonly GitRow[]>({
    branch: [
      { ...writes, when: (options) => options.operands.length > 0 },
      loses("deletes or moves a branch", (options) => options.has("D", "M", "C") || forces(options)),
    ],
    tag: [
      { ...writes, when: (options) => options.operands.length > 0 },
      loses("deletes or moves a tag", (options) => options.has("d", "delete") || forces(options)),
    ],
    remote: [
      { ...writes, when: firstIs("add", "remove", "rm", "rename", "set-url", "set-head", "prune") },
      { ...fetches, when: firstIs("update", "show", "prune") },
    ],
    reflog: [loses("deletes the reflog", firstIs("expire", "delete"))],
    stash: [writes, loses("throws stashed work away", firstIs("drop", "clear"))],
    worktree: [
      { ...writes, when: firstIs("add", "move", "lock", "unlock", "repair") },
      { effect: "delete_inside", what: "deletes a working tree", when: firstIs("remove", "prune") },
    ],
  }),
);

/** `checkout -- file`, `checkout .`, `checkout main file`: files are overwritten. */
function discards(options: Options): boolean {
  if (options.has("b", "orphan")) return false;
  return options.operands.length > 1 || options.words.some(looksLikeFile);
}

function isConfigRead(options: Options): boolean {
  const [first] = options.words;
  return options.has("get", "get-all", "get-regexp", "l", "list") || first === "get" || first === "list";
}
