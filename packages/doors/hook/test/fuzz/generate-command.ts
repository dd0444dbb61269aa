// Composes shell commands from the allowlist's own grammar, and changes them the way an attacker would: real options that are not in
// the allowlist, abbreviations, attached values, other quotes, globs, braces, links, redirections, lists. Pure; one seed, one sequence.
import { GIT_SUBCOMMANDS } from "../../../../shell/src/proof/git.ts";
import { PROVEN_PROGRAMS } from "../../../../shell/src/proof/programs.ts";
import type { Rule } from "../../../../shell/src/proof/rule.ts";
import { FOUND_BYPASSES, KNOWN_BYPASSES } from "../fixtures/bypasses.ts";

/** Random numbers that a seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PLAIN = [
  "a.txt",
  "f",
  "s.json",
  "package.json",
  "src",
  "src/a.ts",
  "'src/b file.ts'",
  "lib",
  "lib/a.ts",
  ".",
  "./a.txt",
  "new.txt",
];
const MORE_PLAIN = [
  "src/new.ts",
  "dist",
  "dist/x/y",
  "lib/",
  "packages/core/index.js",
  "src/../a.txt",
  ".gitattributes",
  "HEAD",
  "HEAD~1",
  "main",
];
const GLOBS = [
  "*.txt",
  "src/*.ts",
  "*",
  ".*",
  "s*",
  "?",
  "lib/*",
  ".e*",
  "*/a.ts",
  "evil/*",
  "evil/.*",
  "src/?.ts",
  "tricky/*",
  "tricky/?",
];
const ODD = [
  ...[
    "out",
    "out/x",
    "'my link/x'",
    "notes",
    "dangling",
    "later-hook",
    "loop",
    "same-as-env",
    "same-as-config",
    "pipe",
    "bare",
    "bare/config",
  ],
  ...[
    ".env",
    ".git/config",
    ".git/hooks/x",
    ".claude/settings.json",
    ".mcp.json",
    ".envrc",
    "evil/.envrc",
    "evil/.mcp.json",
    "evil.sh",
  ],
  ...[
    "../secret.txt",
    "../foo",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "$HOME/.npmrc",
    "node_modules/@x/core/../../../foo",
    "node_modules/@x/core",
  ],
  ...["'-rf'", "--", "-", "''", ".GIT/config", "HEAD:.env", "HEAD:a.txt", ":0:a.txt", "a{.txt,}", "{a.txt,f}", "x^", "s.json:"],
];
const VALUES = [
  "1",
  "5",
  "1,3",
  "x",
  "a",
  "'*.ts'",
  "'.e*'",
  ",",
  "'%h %s'",
  "%G?",
  "utc",
  "./evil.sh",
  ".git/hooks/x",
  "pipefail",
  "2020-01-01",
];
const SCRIPTS = [
  "1,2p",
  "'s/a/b/'",
  "'s/a/id/e'",
  "'w x'",
  "'{print $1}'",
  "'{print > \"x\"}'",
  ".a",
  ".a.b",
  "env",
  "-n",
  "+%s",
  "one",
  "export",
];

/** Options that programs really have and that the allowlist leaves out: they write, run, follow or read lists. */
const REAL_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  sort: [
    "-o x",
    "--output=x",
    "-o.envrc",
    "--compress-program=./evil.sh",
    "--files0-from=f",
    "-T src",
    "-m",
    "-S 1",
    "--comp=./evil.sh",
  ],
  find: [
    "-delete",
    "-exec cat {} +",
    "-exec ./evil.sh {} \\;",
    "-fprint x",
    "-fls .envrc",
    "-ok cat {} \\;",
    "-files0-from f",
    "-L",
  ],
  grep: ["-f .env", "-R", "-d recurse", "-z", "--exclude-from=f", "-D read", "--include='.e*'", "--binary-files=text"],
  rg: ["--pre ./evil.sh", "--hidden", "-uuu", "-f .env", "-z", "--follow", "-L", "--ignore-file f"],
  sed: ["-i", "-i.bak", "-e w -e x", "-f f", "-s", "--in-place=.x", "--follow-symlinks"],
  awk: ["-f f", "-i inplace", "-l x", "-o.envrc", "-p"],
  jq: ["-f f", "--slurpfile a .env", "--rawfile a .env", "-L src", "--args", "--from-file f"],
  cp: [
    "-a",
    "-r",
    "-R",
    "-l",
    "-s",
    "-t lib",
    "--target lib",
    "--parents",
    "-b",
    "--backup=simple",
    "-S .x",
    "-L",
    "-P",
    "-T",
    "--remove-destination",
  ],
  mv: ["-t lib", "--target-directory=lib", "-b", "--suffix=.x", "-T", "--exchange"],
  rm: ["-r", "-rf", "-d", "--no-preserve-root", "--recursive", "-I"],
  mkdir: ["-m 777", "--mode=777", "-Z"],
  touch: ["-r .env", "-d 2020-01-01", "-t 202001010000", "-h"],
  tee: ["-i", "-p", "--output-error=warn"],
  tree: ["-o x", "-R", "--fromfile", "--info", "-H ."],
  file: ["-C", "-m f", "-f f", "-z", "-s"],
  date: ["-s 2020-01-01", "-f f", "-r f", "--set=2020-01-01"],
  uniq: ["x", "-D", "-z"],
  diff: ["-r", "--to-file=f", "-x a", "--from-file=f", "-N"],
  ls: ["-Z", "--hyperlink", "-D", "-w 5", "-T 3"],
  head: ["-z", "--bytes=5"],
  tail: ["-f", "-F", "--retry", "--follow=name"],
  wc: ["--files0-from=f"],
  du: ["-X f", "--files0-from=f", "-L", "--exclude-from=f"],
  cat: ["-Z", "--squeeze-blank"],
  git: [
    "-c core.fsmonitor=./evil.sh",
    "--exec-path=evil",
    "-C bare",
    "--git-dir=bare",
    "--work-tree=..",
    "-p",
    "--config-env=a.b=C",
    "--bare",
  ],
};
const GIT_OPTIONS = [
  ...[
    "--output=x",
    "--ext-diff",
    "--textconv",
    "-O f",
    "--no-index",
    "--show-signature",
    "-S",
    "--gpg-sign",
    "--trailer a:b",
    "-F f",
  ],
  ...[
    "--template=f",
    "-e",
    "--edit",
    "-p",
    "-i",
    "--patch",
    "--pathspec-from-file=f",
    "--contents f",
    "--open-files-in-pager=./evil.sh",
  ],
  ...[
    "--exec=./evil.sh",
    "--upload-pack=./evil.sh",
    "-D",
    "-f",
    "--track",
    "-u origin",
    "--recurse-submodules",
    "--chmod=+x",
    "--hard",
  ],
];
const WRITES_BEYOND = [
  ...["cp -r evil/. .", "cp -a evil/. .", "cp evil/.* .", "git checkout other", "git merge other", "git stash", "git stash pop"],
  ...[
    "gunzip -k envrc.gz -c > x",
    "gunzip .envrc.gz",
    "git restore --source=other .",
    "git checkout other -- .",
    "git read-tree -u -m other",
  ],
  ...[
    "mv evil/.* .",
    "cp -r evil x && mv x/.* .",
    "tar xf evil.tar",
    "git switch other",
    "git cherry-pick other",
    "rsync -a evil/ .",
  ],
];

/** One command after another. */
export function* generateCommands(seed: number): Generator<string, never> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const path = (): string => (chance(0.72) ? pick(chance(0.7) ? PLAIN : MORE_PLAIN) : pick(chance(0.4) ? GLOBS : ODD));
  const names = [...PROVEN_PROGRAMS.keys()];
  const changing = ["mkdir", "touch", "cp", "mv", "rm", "rmdir", "tee", "git"];
  const verbs = [...GIT_SUBCOMMANDS.keys()];

  const options = (rule: Rule): string[] => {
    const given: string[] = [];
    for (let count = Math.floor(random() * 3); count > 0; count -= 1) {
      const letters = [...(rule.letters ?? "").matchAll(/([A-Za-z0-9])([:?]?)/g)];
      if (letters.length > 0 && chance(0.6)) {
        const [, letter = "", kind = ""] = pick(letters);
        given.push(kind === ":" ? (chance(0.5) ? `-${letter} ${pick(VALUES)}` : `-${letter}${pick(VALUES)}`) : `-${letter}`);
      } else if ((rule.long?.length ?? 0) > 0) {
        const long = pick(rule.long ?? []);
        const name = long.replace(/=\??$/, "");
        const shown = chance(0.1) ? name.slice(0, Math.max(2, name.length - 2)) : name;
        given.push(long.endsWith("=") || (long.endsWith("=?") && chance(0.5)) ? `--${shown}=${pick(VALUES)}` : `--${shown}`);
      }
    }
    return given;
  };
  const operands = (rule: Rule | undefined): string[] => {
    const count = rule?.operands === "none" ? Math.floor(random() * 1.2) : 1 + Math.floor(random() * 2.4);
    const words = Array.from({ length: count }, path);
    return rule?.patternUnless !== undefined || rule === undefined ? [pick(SCRIPTS), ...words] : words;
  };
  const one = (): string => {
    if (chance(0.04)) return pick(WRITES_BEYOND);
    if (chance(0.03)) return pick([...KNOWN_BYPASSES, ...FOUND_BYPASSES])[1];
    const program = chance(0.45) ? pick(changing) : pick(names);
    const entry = PROVEN_PROGRAMS.get(program);
    const words = [program];
    if (chance(0.06)) words.push(pick(REAL_OPTIONS[program] ?? ["--help"]));
    if (program === "git") {
      const verb = pick(verbs);
      const rule = GIT_SUBCOMMANDS.get(verb) as Rule;
      words.push(verb, ...options(rule));
      if (verb === "commit" && chance(0.8)) words.push("-m", "'a: b'");
      if (chance(0.08)) words.push(pick(GIT_OPTIONS));
      if (chance(0.6)) words.push(...operands({ operands: rule.operands }));
    } else if (typeof entry === "object") words.push(...options(entry), ...operands(entry));
    else if (program === "find") words.push(path(), pick(["-name '*.ts'", "-type f", "-print", "-maxdepth 2", ""]));
    else words.push(...operands(undefined));
    if (program !== "git" && chance(0.05)) words.push(pick(REAL_OPTIONS[program] ?? GIT_OPTIONS));
    if (chance(0.12)) words.push(pick([">", ">>", "<", "2>", "2>>", "3>", ">|", "&>"]), path());
    return words.filter((word) => word !== "").join(" ");
  };
  const mutate = (command: string): string => {
    const at = Math.floor(random() * command.length);
    const put = (text: string) => command.slice(0, at) + text + command.slice(at);
    switch (Math.floor(random() * 9)) {
      case 0:
        return put(pick(["*", "?", "'", '"', "\\", " ", "\n", ";", "$HOME", "~", "^", "{a,b}", "=", "#", "&", "|", "\t"]));
      case 1:
        return command.slice(0, at) + command.slice(at + 1);
      case 2:
        return `${pick(["PATH=. ", "GIT_DIR=bare ", "X=1 ", "LC_ALL=C "])}${command}`;
      case 3:
        return command.replace(/[a-z]/, (letter) => letter.toUpperCase());
      case 4:
        return command.replace(/ ([^ -][^ ]*)$/, (_, word) => ` "${word}"`);
      case 5:
        return command.replace(/--?(\w+)/, (option) => option.slice(0, -1));
      case 6:
        return `cd ${pick(["src", "lib", "bare", "out", ".", "'my link'", "packages"])} ${pick(["&&", ";", "||", "|"])} ${command}`;
      case 7:
        return command.replaceAll("a.txt", pick(ODD));
      default:
        return `${command} # x`;
    }
  };
  for (;;) {
    let command = one();
    while (chance(0.22)) command += ` ${pick(["&&", "||", ";", "|", "\n"])} ${one()}`;
    while (chance(0.2)) command = mutate(command);
    yield command;
  }
}
