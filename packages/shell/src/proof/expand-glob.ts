// Expands `*` and `?` against the disk, as a shell does before a program starts. Hidden names are matched as well, because a shell
// may be set to do so: what is proven holds either way.
import type { Disk } from "../paths/disk.ts";

const MOST_MATCHES = 500;
const MOST_LOOKED_AT = 5_000;

/** Every match, as the words that the program gets; undefined: none, too many, or it cannot be told. */
export function expandGlob(pattern: string, cwd: string, disk: Disk): readonly string[] | undefined {
  if (pattern.includes("**") || /(?:^|\/)\.\.?(?:\/|$)/.test(pattern.replace(/^\.\//, ""))) return undefined;
  let found = [pattern.startsWith("/") ? "" : "."];
  let looked = 0;
  for (const part of pattern.split("/").filter((name, index) => name !== "" && !(index === 0 && name === "."))) {
    const next: string[] = [];
    for (const folder of found) {
      if (!/[*?]/.test(part)) {
        next.push(`${folder}/${part}`);
        continue;
      }
      const names = disk.list(absolute(folder, cwd)) ?? [];
      looked += names.length;
      if (looked > MOST_LOOKED_AT) return undefined;
      for (const name of names) if (matches(part, name)) next.push(`${folder}/${name}`);
    }
    if (next.length > MOST_MATCHES) return undefined;
    found = next;
  }
  const exist = found.filter((path) => disk.look(absolute(path, cwd)) !== null);
  if (exist.length === 0 || pattern.endsWith("/")) return undefined;
  const words = exist.map((path) => (pattern.startsWith("/") || pattern.startsWith("./") ? path : path.slice(2)));
  // A file named like an option would take the word behind it, and which one that is depends on the shell's order.
  return words.some((word) => word.startsWith("-")) ? undefined : words;
}

function absolute(path: string, cwd: string): string {
  return path.startsWith("/") ? path : path === "." ? cwd : path === "" ? "/" : `${cwd}/${path.slice(2)}`;
}

/** One name against one part of a pattern, in linear time. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  let p = 0;
  while (at < name.length) {
    if (p < pattern.length && (pattern[p] === "?" || (pattern[p] === name[at] && pattern[p] !== "*"))) {
      p += 1;
      at += 1;
    } else if (pattern[p] === "*") {
      star = p;
      from = at;
      p += 1;
    } else if (star >= 0) {
      p = star + 1;
      from += 1;
      at = from;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
