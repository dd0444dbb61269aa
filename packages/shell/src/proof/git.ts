// git commands that only show. git runs programs named in its configuration (fsmonitor, external diff, textconv, pager):
// that configuration is the person's own, and changing it is `gate_files`; so `-c`, `--ext-diff`, `--textconv`, `--output`
// are refused here, and a sub-folder too, because a bare repository planted there brings a configuration of its own.
import type { Reader, Reading } from "./reading.ts";
import { type Rule, readByRule } from "./rule.ts";
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

const LOG: Rule = {
  letters: "n:pusU?MwbRzriS?G?",
  long: [...DIFF, ...REVISIONS, ...COMMITS],
  number: true,
  operands: "contents",
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
    guard: (options, operands) => operands.length === 0 || ["list", "merged", "no-merged"].some((name) => options.has(name)),
  },
  tag: {
    letters: "ln?i",
    long: ["list", "sort=", "format=", "points-at="],
    operands: "words",
    guard: (options, operands) => operands.length === 0 || options.has("list") || options.has("l"),
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
  "for-each-ref": { long: ["format=", "sort=", "count=", "merged=?", "contains=?"], operands: "names" },
  "check-ignore": { letters: "vqn", operands: "names" },
  "count-objects": { letters: "vH", operands: "none" },
  grep: {
    letters: "nilcwvhHEFGPqoe:A:B:C:",
    long: ["line-number", "ignore-case", "files-with-matches", "count", "word-regexp", "cached", "heading", "break"],
    operands: "contents",
    patternUnless: ["e"],
  },
  version: LIST,
};

/** A map, because every object also has `constructor` and its kind. */
const SUBCOMMANDS: ReadonlyMap<string, Rule> = new Map(Object.entries(RULES));

/** git with `--no-pager` or nothing before the sub-command. */
export const readGit: Reader = (args) => {
  const [first, second, ...rest] = args[0] === "--no-pager" ? args.slice(1) : args;
  if (first === "--version" && second === undefined) return { names: [], contents: [] };
  const two = SUBCOMMANDS.get(`${first} ${second}`);
  const rule = two ?? SUBCOMMANDS.get(first ?? "");
  if (rule === undefined || first === undefined) return undefined;
  const given = two === undefined ? (second === undefined ? [] : [second, ...rest]) : rest;
  const reading = readByRule(rule, given);
  return reading === undefined ? undefined : inRoot(reading);
};

/** `HEAD:.env` shows a file too, so what stands behind a colon is a path; and git reads globs in paths by itself. */
function inRoot(reading: Reading): Reading | undefined {
  const operands = [...reading.names, ...reading.contents];
  if (operands.some((operand) => operand.startsWith(":") || (/[*?[\\]/.test(operand) && !isSafeGlob(operand)))) return undefined;
  const files = operands.flatMap((operand) => operand.split(":").slice(1));
  return { names: reading.names, contents: [...reading.contents, ...files.filter((file) => file !== "")], inRoot: true };
}
