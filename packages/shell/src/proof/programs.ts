// The table of harmless programs: what is not written here is not harmless. Options that differ between GNU and BSD
// (a value here, none there) are left out, because a value mistaken for an option would be a path nobody looked at.
import { readFind } from "./find.ts";
import { readGit } from "./git.ts";
import { LOOKS_AT_NOTHING, type Reader } from "./reading.ts";
import type { GivenOptions, Rule } from "./rule.ts";
import { isSafeGlob } from "./safe-glob.ts";
import { readAwk, readBracket, readJq, readPrintf, readSed, readTest } from "./text-programs.ts";

const GREP: Rule = {
  letters: "EFGPivwxcoqsnHhlLabrA:B:C:m:e:",
  long: [
    ...[
      "color=?",
      "include=",
      "exclude=",
      "exclude-dir=",
      "line-number",
      "ignore-case",
      "count",
      "files-with-matches",
      "recursive",
    ],
    ...[
      "word-regexp",
      "only-matching",
      "invert-match",
      "extended-regexp",
      "fixed-strings",
      "perl-regexp",
      "max-count=",
      "context=",
    ],
    ...[
      "after-context=",
      "before-context=",
      "no-filename",
      "with-filename",
      "quiet",
      "no-messages",
      "regexp=",
      "files-without-match",
    ],
  ],
  operands: "contents",
  patternUnless: ["e", "regexp"],
  here: true,
  // A recursive search prints `.env` too, unless it looks only at ordinary extensions.
  guard: (options, operands) => isRecursive(options) || operands.length > 0,
  trees: (options) => {
    if (!isRecursive(options)) return undefined;
    // Beside an --exclude, files that no pattern names are searched as well.
    const only = options.has("exclude") ? undefined : options.get("include");
    return only?.every(isSafeGlob) === true ? "safe" : { hidden: true };
  },
};

function isRecursive(options: GivenOptions): boolean {
  return options.has("r") || options.has("recursive");
}

const RIPGREP: Rule = {
  letters: "nNiwlcovFSsxUHIPqpt:T:g:A:B:C:m:e:",
  long: [
    ...[
      "line-number",
      "no-line-number",
      "ignore-case",
      "smart-case",
      "word-regexp",
      "fixed-strings",
      "files-with-matches",
      "count",
    ],
    ...[
      "files",
      "type=",
      "type-not=",
      "glob=",
      "max-count=",
      "max-depth=",
      "context=",
      "after-context=",
      "before-context=",
      "regexp=",
    ],
    ...[
      "color=",
      "sort=",
      "heading",
      "no-heading",
      "multiline",
      "only-matching",
      "invert-match",
      "json",
      "stats",
      "trim",
      "column",
      "vimgrep",
    ],
  ],
  operands: "contents",
  patternUnless: ["e", "regexp", "files"],
  here: true,
  // ripgrep leaves hidden and ignored files out, but a glob, or a line like `!.env` in an ignore file, brings them back.
  guard: (options) => [...(options.get("g") ?? []), ...(options.get("glob") ?? [])].every(isSafeGlob),
  trees: () => ({ hidden: true }),
};

const contents = (letters: string, more: Partial<Rule> = {}): Rule => ({ letters, operands: "contents", ...more });
const names = (letters: string, more: Partial<Rule> = {}): Rule => ({ letters, operands: "names", ...more });
const alone = (letters = ""): Rule => ({ letters, operands: "none" });
const words = (letters: string, like?: RegExp): Rule => ({ letters, operands: "words", ...(like && { like }) });
const versionOnly: Rule = { long: ["version"], operands: "none", guard: (options) => options.has("version") };
/** diff of two folders prints every file in them. */
const areFiles: Rule["guard"] = (_options, operands) => !operands.some((path) => /(?:^|\/)\.{0,2}$/.test(path));
const anything: Reader = () => LOOKS_AT_NOTHING;
/** Other options change how the words behind them are expanded. */
const isStricterSet: Rule["guard"] = (options) =>
  options.size > 0 && (options.get("o") ?? []).every((name) => /^(?:pipefail|errexit|nounset|xtrace)$/.test(name));
const changes = (operands: Rule["operands"], letters: string, more: Partial<Rule> = {}): Rule => ({ letters, operands, ...more });

/** Program name to rule, or to a reader where a rule is not enough. */
export const PROVEN_PROGRAMS: ReadonlyMap<string, Rule | Reader> = new Map<string, Rule | Reader>([
  [
    "ls",
    names("1aAcCdFgGhiklLmnopqrRsStuUxX", {
      long: ["all", "almost-all", "color=?", "human-readable", "recursive", "reverse"],
      here: true,
    }),
  ],
  ["tree", names("adfshDL:I:P:", { long: ["dirsfirst", "noreport"], here: true })],
  ["find", readFind],
  ["fd", names("HIisapF1t:e:E:d:", { patternUnless: [], here: true })],
  ["stat", names("Lc:t")],
  ["file", names("bihL", { long: ["brief", "mime", "mime-type"] })],
  ["du", names("hsackmd:", { long: ["max-depth=", "summarize", "human-readable"], here: true })],
  ["df", alone("hkmTi")],
  ["wc", names("lwcmL", { long: ["lines", "words", "bytes", "chars"] })],
  ["realpath", names("esm")],
  ["readlink", names("fen")],
  ["basename", words("as:")],
  ["dirname", words("")],
  ["cat", contents("AbeEnstTuv", { long: ["number", "show-all"] })],
  ["head", contents("n:c:qv", { long: ["lines=", "bytes=", "quiet"], number: true })],
  ["tail", contents("n:c:qv", { long: ["lines=", "bytes=", "quiet"], number: true })],
  ["nl", contents("b:w:s:n:")],
  ["tac", contents("")],
  ["rev", contents("")],
  ["cut", contents("d:f:c:b:s", { long: ["delimiter=", "fields=", "characters=", "complement", "output-delimiter="] })],
  [
    "sort",
    contents("bdfghiMnrRsuVzck:t:", {
      long: ["reverse", "numeric-sort", "unique", "key=", "field-separator=", "human-numeric-sort"],
    }),
  ],
  ["uniq", contents("cdiuf:s:", { long: ["count", "repeated", "unique", "ignore-case"], most: 1 })],
  ["paste", contents("d:s")],
  ["comm", contents("123i")],
  ["column", contents("ts:")],
  ["fold", contents("w:s")],
  [
    "diff",
    contents("uU:qwbBiy", {
      long: ["unified=?", "brief", "color=?", "side-by-side", "ignore-all-space"],
      most: 2,
      guard: areFiles,
    }),
  ],
  ["cmp", contents("sl", { most: 2 })],
  ["od", contents("cxA:t:N:j:v")],
  ["hexdump", contents("Cn:s:v")],
  ["md5sum", contents("")],
  ["sha1sum", contents("")],
  ["sha256sum", contents("")],
  ["shasum", contents("a:")],
  ["cksum", contents("")],
  ["grep", GREP],
  ["egrep", GREP],
  ["fgrep", GREP],
  ["rg", RIPGREP],
  ["sed", readSed],
  ["awk", readAwk],
  ["jq", readJq],
  ["tr", words("cdsC")],
  ["seq", words("ws:", /^\d{1,6}$/)],
  ["echo", anything],
  ["printf", readPrintf],
  ["true", anything],
  ["false", anything],
  [":", anything],
  ["test", readTest],
  ["[", readBracket],
  ["sleep", words("", /^\d{1,4}(?:\.\d+)?s?$/)],
  ["exit", words("", /^\d{1,3}$/)],
  ["set", { letters: "euxo:", operands: "none", guard: isStricterSet }],
  ["pwd", alone("LP")],
  ["whoami", alone()],
  ["id", alone("ugGnr")],
  ["groups", alone()],
  ["hostname", alone("sf")],
  ["uname", alone("amnprsvio")],
  ["uptime", alone()],
  ["nproc", alone()],
  ["arch", alone()],
  ["tty", alone()],
  ["free", alone("hmgb")],
  ["ps", { letters: "efAxu", operands: "words", like: /^(?:aux|ax|x|u)$/ }],
  ["date", { letters: "uR", long: ["utc", "iso-8601=?", "rfc-3339="], operands: "words", like: /^\+/, most: 1 }],
  ["which", words("a")],
  ["type", words("at")],
  ["command", { letters: "vV", operands: "words", guard: (options) => options.has("v") || options.has("V") }],
  // Options that follow links, keep links, make backups, take folders or name a target elsewhere are left out.
  ["mkdir", changes("folders", "pv", { long: ["parents", "verbose"] })],
  ["rmdir", changes("folders", "v")],
  ["touch", changes("writes", "acm")],
  ["tee", changes("writes", "a", { long: ["append"] })],
  ["cp", changes("copies", "fnpv", { long: ["no-clobber", "force", "verbose"] })],
  ["mv", changes("moves", "fnv", { long: ["no-clobber", "force", "verbose"] })],
  ["rm", changes("removes", "fv", { long: ["force", "verbose"] })],
  ["git", readGit],
  ["node", versionOnly],
  ["python", versionOnly],
  ["python3", versionOnly],
  ["ruby", versionOnly],
  ["docker", versionOnly],
  ["gcc", versionOnly],
  ["make", versionOnly],
]);
