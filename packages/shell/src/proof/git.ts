// git commands that show, and those that write only the repository itself: index, objects, references. What writes the working tree
// (checkout, stash, merge) is not here: the names that it would write are known to git alone, and could be gate paths. git also
// runs programs that its configuration names; whether any could run is shown by git-repository.ts.
import type { GitUse, Reader, Reading } from "./reading.ts";
import { type GivenOptions, type Rule, readByRule } from "./rule.ts";
import { isSafeGlob } from "./safe-glob.ts";

const DIFF = [
  ...[
    "stat=?",
    "numstat",
    "shortstat",
    "dirstat=?",
    "summary",
    "name-only",
    "name-status",
    "patch",
    "no-patch",
    "raw",
    "minimal",
  ],
  ...["no-ext-diff", "no-textconv", "color=?", "no-color", "word-diff=?", "unified=", "ignore-all-space", "ignore-space-change"],
  ...[
    "ignore-blank-lines",
    "find-renames=?",
    "no-renames",
    "diff-filter=",
    "full-index",
    "binary",
    "function-context",
    "no-prefix",
  ],
];
const REVISIONS = [
  "all",
  "branches=?",
  "tags=?",
  "remotes=?",
  "first-parent",
  "no-merges",
  "merges",
  "reverse",
  "max-count=",
  "skip=",
];
const COMMITS = [
  ...["oneline", "graph", "decorate=?", "no-decorate", "format=", "pretty=?", "abbrev-commit", "abbrev=?", "date=", "author="],
  ...["committer=", "grep=", "since=", "until=", "after=", "before=", "follow", "cherry-pick", "left-right", "topo-order"],
  ...["date-order", "regexp-ignore-case", "fixed-strings", "pickaxe-regex", "relative-date", "count", "no-notes"],
];

const NEW_NAME = /^[A-Za-z0-9][\w./-]*$/;
const isNewName = (name: string): boolean => NEW_NAME.test(name);

/** `%G?` and `%(signature)` start gpg. */
function formats(options: GivenOptions): boolean {
  const texts = ["format", "pretty", "sort"].flatMap((name) => options.get(name) ?? []);
  return texts.every((text) => !/%G|signature/i.test(text));
}

const LOG: Rule = {
  letters: "n:pusU?MwbRzriS?G?",
  long: [...DIFF, ...REVISIONS, ...COMMITS],
  number: true,
  operands: "contents",
  guard: formats,
};
const LIST: Rule = { operands: "none" };

/** Sub-commands and their safe options. `here` commands show the working tree itself. */
const RULES: Readonly<Record<string, Rule>> = {
  status: {
    letters: "sbvu?z",
    long: ["short", "branch", "porcelain=?", "long", "untracked-files=?", "ignored=?", "show-stash"],
    operands: "names",
  },
  log: LOG,
  show: LOG,
  diff: {
    letters: "pusU?MwbRz",
    long: [...DIFF, "cached", "staged", "merge-base", "quiet", "exit-code", "check"],
    operands: "contents",
  },
  shortlog: { letters: "sne", long: [...REVISIONS, "summary", "numbered", "email", "since=", "until="], operands: "contents" },
  blame: { letters: "wlstepL:", long: ["porcelain", "line-porcelain", "date=", "show-email"], operands: "contents" },
  branch: {
    letters: "arvi",
    long: [
      "all",
      "remotes",
      "verbose",
      "list",
      "show-current",
      "merged=?",
      "no-merged=?",
      "sort=",
      "format=",
      "color=?",
      "no-color",
    ],
    operands: "words",
    // A name alone makes a branch at HEAD; a second one could make it follow a remote, which writes the configuration.
    guard: (options, operands) =>
      formats(options) &&
      (operands.length === 0 ||
        ["list", "merged", "no-merged"].some((name) => options.has(name)) ||
        (options.size === 0 && operands.length === 1 && operands.every(isNewName))),
  },
  tag: {
    letters: "ln?i",
    long: ["list", "sort=", "format=", "points-at="],
    operands: "words",
    guard: (options, operands) => formats(options) && (operands.length === 0 || options.has("list") || options.has("l")),
  },
  remote: { letters: "v", long: ["verbose"], operands: "none" },
  "stash list": { ...LOG, operands: "none" },
  "worktree list": { letters: "v", long: ["porcelain"], operands: "none" },
  "remote get-url": { operands: "words", most: 1 },
  reflog: { ...LOG, operands: "none" },
  "rev-parse": {
    long: [
      "abbrev-ref",
      "show-toplevel",
      "short=?",
      "verify",
      "is-inside-work-tree",
      "show-prefix",
      "show-cdup",
      "git-dir",
      "quiet",
    ],
    letters: "q",
    operands: "names",
  },
  "rev-list": { ...LOG, long: [...REVISIONS, ...COMMITS] },
  "merge-base": { letters: "a", long: ["all", "is-ancestor", "fork-point"], operands: "names" },
  describe: { long: ["tags", "always", "dirty=?", "abbrev=", "long", "all", "exact-match", "match="], operands: "names" },
  "ls-files": {
    letters: "cdmoszt",
    long: ["cached", "deleted", "modified", "others", "stage", "exclude-standard", "error-unmatch", "full-name"],
    operands: "names",
  },
  "ls-tree": { letters: "rtdlz", long: ["name-only", "full-tree", "long", "name-status"], operands: "names" },
  "cat-file": { letters: "tspe", operands: "contents" },
  "show-ref": { letters: "hdqs", long: ["heads", "tags", "head", "verify", "hash=?"], operands: "names" },
  "for-each-ref": { long: ["format=", "sort=", "count=", "merged=?", "contains=?"], operands: "names", guard: formats },
  "check-ignore": { letters: "vqn", operands: "names" },
  "count-objects": { letters: "vH", operands: "none" },
  grep: {
    letters: "nilcwvhHEFGPqoe:A:B:C:",
    long: ["line-number", "ignore-case", "files-with-matches", "count", "word-regexp", "cached", "heading", "break"],
    operands: "contents",
    patternUnless: ["e"],
  },
  version: LIST,
  add: {
    letters: "AuvNf",
    long: ["all", "update", "verbose", "intent-to-add", "force", "no-all"],
    operands: "contents",
    guard: namesWhat,
  },
  "restore --staged": { letters: "q", long: ["quiet"], operands: "contents", guard: (_options, operands) => operands.length > 0 },
  reset: { letters: "q", long: ["quiet", "mixed"], operands: "contents" },
  commit: {
    letters: "aqvm:",
    long: ["all", "message=", "quiet", "verbose", "amend", "no-edit", "allow-empty", "signoff", "date="],
    operands: "contents",
    // Without a message an editor starts.
    guard: (options) => options.has("m") || options.has("message") || (options.has("amend") && options.has("no-edit")),
  },
  "checkout -b": { operands: "words", like: NEW_NAME, most: 1, guard: (_options, operands) => operands.length === 1 },
  "switch -c": { operands: "words", like: NEW_NAME, most: 1, guard: (_options, operands) => operands.length === 1 },
};

function namesWhat(options: GivenOptions, operands: readonly string[]): boolean {
  return operands.length > 0 || options.has("A") || options.has("all") || options.has("u") || options.has("update");
}

/** What each sub-command does; what is not named here only shows. */
const USES: Readonly<Record<string, GitUse>> = {
  status: "diffs",
  diff: "diffs",
  show: "diffs",
  log: "diffs",
  reflog: "diffs",
  "stash list": "diffs",
  blame: "diffs",
  grep: "diffs",
  describe: "diffs",
  "ls-files": "diffs",
  add: "index",
  "restore --staged": "index",
  reset: "index",
  commit: "refs",
  "checkout -b": "refs",
  "switch -c": "refs",
};

/** A map, because every object also has `constructor` and its kind. */
export const GIT_SUBCOMMANDS: ReadonlyMap<string, Rule> = new Map(Object.entries(RULES));

/** git with `--no-pager` or nothing before the sub-command. */
export const readGit: Reader = (args) => {
  const [first, second, ...rest] = args[0] === "--no-pager" ? args.slice(1) : args;
  if (first === "--version" && second === undefined) return { names: [], contents: [] };
  const two = `${first} ${second}`;
  const name = GIT_SUBCOMMANDS.has(two) ? two : (first ?? "");
  const rule = GIT_SUBCOMMANDS.get(name);
  if (rule === undefined || first === undefined) return undefined;
  const reading = readByRule(rule, name === two ? rest : second === undefined ? [] : [second, ...rest]);
  const use = name === "branch" && rest.length === 0 && second?.startsWith("-") === false ? "refs" : (USES[name] ?? "shows");
  return reading === undefined ? undefined : inRepository(reading, use);
};

/** `HEAD:.env` shows a file too, so what stands behind a colon is a path; and git reads globs in paths by itself. */
function inRepository(reading: Reading, git: GitUse): Reading | undefined {
  const operands = [...reading.names, ...reading.contents];
  if (operands.some((operand) => operand.startsWith(":") || (/[*?[\\]/.test(operand) && !isSafeGlob(operand)))) return undefined;
  const files = operands.flatMap((operand) => operand.split(":").slice(1));
  return { names: reading.names, contents: [...reading.contents, ...files.filter((file) => file !== "")], git };
}
