// Rules of the form `Read(priv/**)` and `Edit(priv/**)` that forbid or ask, held against a command: whatever it names, redirects to,
// or would read or change below a folder that it names. Looks at the file system to follow links and to expand globs.
import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInterpreter, programName } from "./command-programs.ts";
import { baseOf, matchPath } from "./match-path.ts";
import type { CommandReading, ShellCall, ShellWord } from "./read-command.ts";

export type PathWorld = {
  roots: { cwd: string; home: string };
  /** Where the command would run. */
  cwd: string;
  /** The real path, links followed. */
  resolve: (path: string) => string;
};

const MOST_TOKENS = 4_000;
const MOST_GLOBBED = 2_000;
const MOST_WALKED = 5_000;

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Programs that only read what they are given. */
const READERS = names(`
  cat head tail less more grep egrep fgrep rg ag ack ls dir wc diff cmp comm file stat readlink realpath basename dirname echo printf
  test [ cd pushd popd pwd uniq cut tr nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum cksum jq tree du df column fold
  fmt rev tac which type`);
const READING_GIT = names("log diff show status blame grep ls-files ls-tree rev-parse describe cat-file remote branch");
/** Programs that show, copy or send what a file holds. */
const SHOWS_CONTENT = names(`
  cat tac head tail less more grep egrep fgrep zgrep rg ag ack diff cmp comm uniq cut nl od xxd hexdump strings jq yq column fold fmt
  rev sed awk gawk mawk sort paste join split cp mv ln tar zip gzip curl wget scp rsync dd base64 openssl source . vim vi ed ex
  python python3 node perl ruby cpio nc xargs`);
/** Programs that print names of files. */
const LISTS_NAMES = names("find fd fdfind ls dir git rg grep egrep fgrep ag ack tree du locate");
/** Programs that read everything below a folder that they are given, or below where they are. */
const READS_BELOW = names("grep egrep fgrep rg ag ack tar zip cp rsync scp diff");
/** Programs that change the files which they name. */
const CHANGES_NAMED = names(
  "rm mv cp ln tee touch truncate chmod chown chgrp dd shred unlink rmdir install rsync patch sed mkdir setfacl chattr",
);
/** Programs that change everything below a folder that they are given, or unpack what nobody has seen below where they are. */
const CHANGES_BELOW = names("rm mv chmod chown chgrp rsync shred find fd fdfind git");
const UNPACKS = names("unzip cpio patch 7z bsdtar");
/** Programs that work on the current folder when none is named. */
const WORKS_WHERE_IT_IS = names("grep egrep fgrep rg ag ack find fd fdfind git tar unzip cpio patch 7z bsdtar ls dir tree du");
const CHANGING_GIT = names(
  "clean checkout restore reset stash rm mv apply am pull merge rebase switch cherry-pick revert read-tree checkout-index sparse-checkout",
);

/** True when the command may read what the pattern protects. */
export function mayRead(pattern: string, reading: CommandReading, world: PathWorld): boolean {
  if (!reading.whole) return true;
  const paths = new Paths(pattern, reading, world);
  const calls = certain(reading);
  return (
    paths.anyNamed([...reading.words, ...reading.written, ...calls.flatMap(({ words }) => words)]) ||
    calls.some(({ words: [first, ...args] }) => isInterpreter(nameOf(first)) && paths.anyGlobbed(args)) ||
    calls.some((call) => readsBelow(call) && paths.protectedBelow(call)) ||
    readsUnknown(calls, paths)
  );
}

/** Paths that other programs' words may name are found in the words themselves. */
const certain = ({ calls }: CommandReading) => calls.filter(({ guess }) => !guess);

/** True when a file whose name is decided later may be read: one that was listed, or any. */
function readsUnknown(calls: readonly ShellCall[], paths: Paths): boolean {
  const showing = calls.filter(({ words: [first] }) => SHOWS_CONTENT.has(nameOf(first)));
  if (!showing.some(({ words }) => words.slice(1).some((word) => paths.mayBeAnywhere(word)))) return false;
  const listing = calls.filter(({ words: [first] }) => LISTS_NAMES.has(nameOf(first)));
  return listing.length === 0 || listing.some((call) => paths.protectedBelow(call));
}

/** True when the command may change what the pattern protects. */
export function mayEdit(pattern: string, reading: CommandReading, world: PathWorld): boolean {
  if (!reading.whole) return true;
  const paths = new Paths(pattern, reading, world);
  if (paths.anyNamed(reading.written) || reading.written.some((word) => paths.mayBeAnywhere(word))) return true;
  const changing = certain(reading).filter((call) => !onlyReads(call));
  return (
    changing.some(({ words }) => paths.anyNamed(words)) ||
    // Words that no call holds, such as a here-document or a variable, count when anything changes.
    (changing.length > 0 && paths.anyNamed(reading.words)) ||
    changing.some((call) => changesBelow(call) && paths.protectedBelow(call)) ||
    changing.some(
      ({ words: [first, ...args] }) => CHANGES_NAMED.has(nameOf(first)) && args.some((word) => paths.mayBeAnywhere(word)),
    )
  );
}

const nameOf = (word: ShellWord | undefined) => programName(word?.text ?? "");

/** True when a folder or file lies where the pattern protects: also the folder itself. */
function isProtected(pattern: string, path: string, roots: PathWorld["roots"]): boolean {
  if (matchPath(pattern, path, roots)) return true;
  const base = baseOf(pattern, roots);
  return base !== null && path === base;
}

function programOf({ words }: ShellCall): { name: string; sub: string } {
  const name = programName(words[0]?.text ?? "");
  const sub = words.slice(1).find(({ text }) => /^[a-z]/.test(text))?.text ?? "";
  return { name, sub };
}

function onlyReads(call: ShellCall): boolean {
  if (call.words[0]?.known === false) return false;
  const { name, sub } = programOf(call);
  const has = (option: RegExp) => call.words.some(({ text }) => option.test(text));
  if (name === "git") return READING_GIT.has(sub);
  if (name === "find") return !has(/^-(?:delete|exec|execdir|ok|okdir|fprint|fls)/);
  if (name === "sort") return !has(/^(?:-o|--output)/);
  if (name === "sed") return !has(/^(?:-[a-zA-Z]*i|--in-place)|\bw\s/);
  return READERS.has(name);
}

function readsBelow(call: ShellCall): boolean {
  const { name, sub } = programOf(call);
  const has = (option: RegExp) => call.words.some(({ text }) => option.test(text));
  if (name === "git") {
    if (sub === "log" || sub === "stash") return has(/^(?:-[a-zA-Z]*[pu]|--patch)/);
    return /^(?:grep|archive|diff|show|format-patch|whatchanged|difftool)$/.test(sub);
  }
  if (/^[ef]?grep$/.test(name))
    return has(/^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive|--directories=recurse|recurse$|-drecurse)/);
  if (name === "cp" || name === "scp" || name === "diff") return has(/^(?:-[a-zA-Z]*[rRa]|--(?:recursive|archive))/);
  if (name === "find" || name === "fd" || name === "fdfind") return has(/^(?:-exec|-execdir|-ok|-x|-X|--exec)/);
  return READS_BELOW.has(name) && !(name === "tar" && unpacks(call));
}

/** `tar xf`, whichever way it is written. */
function unpacks({ words }: ShellCall): boolean {
  return words.some(
    ({ text }, index) => /^(?:-[a-zA-Z]*x|--extract|--get)/.test(text) || (index === 1 && /^[a-zA-Z]*x/.test(text)),
  );
}

function changesBelow(call: ShellCall): boolean {
  const { name, sub } = programOf(call);
  if (name === "tar") return unpacks(call);
  return UNPACKS.has(name) || (CHANGES_BELOW.has(name) && (name !== "git" || CHANGING_GIT.has(sub)));
}

class Paths {
  readonly #pattern: string;
  readonly #world: PathWorld;
  readonly #cwds: string[];
  #tokens = 0;

  constructor(pattern: string, reading: CommandReading, world: PathWorld) {
    this.#pattern = pattern;
    this.#world = world;
    this.#cwds = possibleFolders(reading, world.cwd);
  }

  anyNamed(words: readonly ShellWord[]): boolean {
    return words.some((word) => this.#names(word));
  }

  /** The same for code: what looks like a pattern may be one. */
  anyGlobbed(words: readonly ShellWord[]): boolean {
    return words.some((word) =>
      tokensOf(word).some((token) => token.includes("/") && this.#cwds.some((cwd) => this.#globs(token, cwd))),
    );
  }

  /** True for a word that is decided later and does not begin with a folder that has nothing to do with the pattern. */
  mayBeAnywhere({ text, known }: ShellWord): boolean {
    if (known) return false;
    const fixed = /^[^$`<>]*/.exec(text)?.[0] ?? "";
    if (fixed.startsWith("-")) return false;
    const base = baseOf(this.#pattern, this.#world.roots);
    const folder = fixed.includes("/") ? resolve(this.#world.cwd, fixed.slice(0, fixed.lastIndexOf("/") + 1)) : null;
    return folder === null || base === null || isBelow(base, folder) || isBelow(folder, base);
  }

  /** True when something protected lies below a folder that the call names, or below where it runs when it names none. */
  protectedBelow(call: ShellCall): boolean {
    if (programOf(call).name === "git" && programOf(call).sub !== "clean" && !this.#isTracked()) return false;
    const { name } = programOf(call);
    const named = call.words
      .slice(1)
      .flatMap((word, index, args) => this.#existing(word, /^-[Cd]$/.test(args[index - 1]?.text ?? "")));
    const folders =
      named.length === 0 && WORKS_WHERE_IT_IS.has(name)
        ? this.#cwds
        : named.filter(({ folder }) => folder).map(({ path }) => path);
    if (UNPACKS.has(name) || unpacks(call)) folders.push(...(named.some(({ folder }) => folder) ? [] : this.#cwds));
    const base = baseOf(this.#pattern, this.#world.roots);
    return folders.some((folder) => (base !== null ? isBelow(base, this.#world.resolve(folder)) : this.#findBelow(folder)));
  }

  /** The files and folders that a word names; one that is the target of an option need not exist yet. */
  #existing({ text, glob }: ShellWord, isTarget: boolean): { path: string; folder: boolean }[] {
    return this.#cwds.flatMap((cwd) => {
      const name = expandHome(text, this.#world.roots.home, cwd);
      let found = [name];
      try {
        if (glob) found = globSync(name, { cwd }).slice(0, MOST_GLOBBED);
      } catch {
        // Taken as it stands.
      }
      return found.flatMap((one) => {
        const path = resolve(cwd, one);
        const stat = statSync(path, { throwIfNoEntry: false });
        return stat === undefined && !isTarget ? [] : [{ path, folder: stat?.isDirectory() ?? true }];
      });
    });
  }

  /** Whether git may know a protected file; only an index that can be read and names none says no. */
  #isTracked(): boolean {
    const base = baseOf(this.#pattern, this.#world.roots);
    const name = (base ?? this.#pattern.replace(/^(?:\*\*\/|\.\/)*/, ""))
      .split("/")
      .findLast((part) => part !== "" && !/[*?[{]/.test(part));
    try {
      const index = readFileSync(join(this.#world.roots.cwd, ".git", "index"));
      // The fourth version stores names in part.
      return index.readUInt32BE(4) > 3 || name === undefined || index.includes(name);
    } catch {
      return true;
    }
  }

  #names(word: ShellWord): boolean {
    return tokensOf(word).some((token) => {
      if (++this.#tokens > MOST_TOKENS) return true;
      return this.#cwds.some((cwd) => {
        const path = expandHome(token, this.#world.roots.home, cwd);
        return (
          this.#protects(resolve(cwd, path)) ||
          // What stands before it is not known.
          (!word.known && this.#protects(resolve(cwd, path.replace(/^\/+/, "")))) ||
          (word.glob && this.#globs(path, cwd))
        );
      });
    });
  }

  #protects(path: string): boolean {
    const { roots } = this.#world;
    return isProtected(this.#pattern, path, roots) || isProtected(this.#pattern, this.#world.resolve(path), roots);
  }

  #globs(pattern: string, cwd: string): boolean {
    if (!/[*?[{]/.test(pattern)) return false;
    try {
      const found = globSync(pattern, { cwd });
      return found.length > MOST_GLOBBED || found.some((name) => this.#protects(resolve(cwd, name)));
    } catch {
      return true;
    }
  }

  #findBelow(folder: string): boolean {
    let walked = 0;
    const waiting = [folder];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      let entries: { name: string; isDirectory: () => boolean }[];
      try {
        entries = readdirSync(next, { withFileTypes: true });
      } catch {
        continue;
      }
      for (const entry of entries) {
        if (++walked > MOST_WALKED) return true;
        const path = join(next, entry.name);
        if (matchPath(this.#pattern, path, this.#world.roots)) return true;
        if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") waiting.push(path);
      }
    }
    return false;
  }
}

/** Every folder in which some part of the command may run. */
function possibleFolders({ calls }: CommandReading, cwd: string): string[] {
  const folders = new Set([cwd]);
  const targets = calls.flatMap((call) => {
    const { name } = programOf(call);
    const words = call.words.map(({ text }) => text);
    if (name === "cd" || name === "pushd") return words.slice(1, 3);
    return words.flatMap((word, index) => (word === "-C" || word === "--directory" ? [words[index + 1] ?? ""] : []));
  });
  for (let round = 0; round < 3; round++)
    for (const target of targets) for (const folder of [...folders].slice(0, 20)) folders.add(resolve(folder, target));
  return [...folders].slice(0, 20);
}

/** A word and the parts of it that may be paths. */
function tokensOf({ text }: ShellWord): string[] {
  const parts = text.split(/[^\w./~*?[\]{}+@%-]+/).flatMap((part) => [part, part.replace(/^@/, ""), part.replace(/^-\w/, "")]);
  return [...new Set([text, text.slice(text.indexOf("=") + 1), ...parts, ...text.split(/[:,'"{}()=\s]+/)])].filter(
    (token) => token !== "" && token !== "/" && token !== "." && token.length < 4_096 && !token.includes("\0"),
  );
}

/** `~`, `~+`, and the links that every process has to its own folder and root. */
function expandHome(token: string, home: string, cwd: string): string {
  if (token === "~" || token.startsWith("~/")) return join(home, token.slice(1));
  if (token.startsWith("~+")) return join(cwd, token.slice(2));
  return token.replace(/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(cwd|root)(?=\/|$)/, (_, link: string) => (link === "cwd" ? cwd : ""));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
