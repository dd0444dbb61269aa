// Rules of the form `Read(priv/**)` and `Edit(priv/**)` that forbid or ask, held against a command: whatever it names, redirects to,
// or would read or change below a folder that it names. Looks at the file system to follow links and to expand globs.
import { globSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { matchPath } from "./match-path.ts";
import { type CommandReading, programName, type ShellCall, type ShellWord } from "./read-command.ts";

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

/** Programs that only read what they are given. */
const READERS = new Set(
  "cat head tail less more grep egrep fgrep rg ag ack ls dir wc diff cmp comm file stat readlink realpath basename dirname echo printf test [ cd pushd popd pwd uniq cut tr nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum cksum jq tree du df column fold fmt rev tac which type".split(
    " ",
  ),
);
const READING_GIT = new Set(
  "log diff show status blame grep ls-files ls-tree rev-parse describe cat-file remote branch".split(" "),
);
/** Programs that read everything below a folder that they are given, or below where they are. */
const READS_BELOW = new Set("grep egrep fgrep rg ag ack tar zip cp rsync scp diff find fd fdfind cat xargs".split(" "));
/** Programs that change everything below a folder that they are given. */
const CHANGES_BELOW = new Set("rm mv chmod chown chgrp rsync shred find fd fdfind git".split(" "));
/** Programs that work on the current folder when none is named. */
const WORKS_WHERE_IT_IS = new Set("grep egrep fgrep rg ag ack find fd fdfind git".split(" "));
const CHANGING_GIT = new Set("clean checkout restore reset stash rm mv".split(" "));

/** True when the command may read what the pattern protects. */
export function mayRead(pattern: string, reading: CommandReading, world: PathWorld): boolean {
  if (!reading.whole) return true;
  const paths = new Paths(pattern, reading, world);
  return (
    paths.anyNamed([...reading.words, ...reading.written, ...reading.calls.flatMap(({ words }) => words)]) ||
    reading.calls.some((call) => readsBelow(call, reading) && paths.protectedBelow(call))
  );
}

/** True when the command may change what the pattern protects. */
export function mayEdit(pattern: string, reading: CommandReading, world: PathWorld): boolean {
  if (!reading.whole) return true;
  const paths = new Paths(pattern, reading, world);
  if (paths.anyNamed(reading.written)) return true;
  const changing = reading.calls.filter((call) => !onlyReads(call));
  return (
    changing.some(({ words }) => paths.anyNamed(words)) ||
    // Words that no call holds, such as a here-document or a variable, count when anything changes.
    (changing.length > 0 && paths.anyNamed(reading.words)) ||
    changing.some((call) => changesBelow(call) && paths.protectedBelow(call))
  );
}

/** True when a folder or file lies where the pattern protects: also the folder itself. */
function isProtected(pattern: string, path: string, roots: PathWorld["roots"]): boolean {
  if (matchPath(pattern, path, roots)) return true;
  const base = baseOf(pattern, roots);
  return base !== null && path === base;
}

/** The folder that a pattern names before its first wildcard; null when there is none. */
function baseOf(pattern: string, { cwd, home }: PathWorld["roots"]): string | null {
  const fixed = /^[^*?[{]*(?=\/[^/]*[*?[{])/.exec(pattern)?.[0];
  if (fixed === undefined || fixed.replace(/^\.?\/*/, "") === "") return null;
  if (fixed.startsWith("//")) return resolve(fixed.slice(1));
  if (fixed.startsWith("~/")) return join(home, fixed.slice(2));
  return resolve(cwd, fixed.replace(/^\//, ""));
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

function readsBelow(call: ShellCall, reading: CommandReading): boolean {
  const { name, sub } = programOf(call);
  const has = (option: RegExp) => call.words.some(({ text }) => option.test(text));
  if (name === "git") return sub === "grep" || sub === "archive";
  if (/^[ef]?grep$/.test(name)) return has(/^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive|--directories=recurse)/);
  if (name === "cp" || name === "scp" || name === "diff") return has(/^(?:-[a-zA-Z]*[rRa]|--(?:recursive|archive))/);
  if (name === "find" || name === "fd" || name === "fdfind")
    return (
      has(/^(?:-exec|-execdir|-ok|-x|-X|--exec)/) || reading.calls.some((one) => /^(?:xargs|parallel)$/.test(programOf(one).name))
    );
  return READS_BELOW.has(name) && name !== "cat" && name !== "xargs";
}

function changesBelow(call: ShellCall): boolean {
  const { name, sub } = programOf(call);
  return CHANGES_BELOW.has(name) && (name !== "git" || CHANGING_GIT.has(sub));
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

  /** True when something protected lies below a folder that the call names, or below where it runs when it names none. */
  protectedBelow(call: ShellCall): boolean {
    const named = call.words.slice(1).flatMap(({ text }) =>
      this.#cwds.flatMap((cwd) => {
        const path = resolve(cwd, expandHome(text, this.#world.roots.home));
        const found = statSync(path, { throwIfNoEntry: false });
        return found === undefined ? [] : [{ path, folder: found.isDirectory() }];
      }),
    );
    const folders =
      named.length === 0 && WORKS_WHERE_IT_IS.has(programOf(call).name)
        ? this.#cwds
        : named.filter(({ folder }) => folder).map(({ path }) => path);
    const base = baseOf(this.#pattern, this.#world.roots);
    return folders.some((folder) => (base !== null ? isBelow(base, this.#world.resolve(folder)) : this.#findBelow(folder)));
  }

  #names(word: ShellWord): boolean {
    return tokensOf(word).some((token) => {
      if (++this.#tokens > MOST_TOKENS) return true;
      return this.#cwds.some((cwd) => {
        const path = expandHome(token, this.#world.roots.home);
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

function expandHome(token: string, home: string): string {
  return token === "~" || token.startsWith("~/") ? join(home, token.slice(1)) : token;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
