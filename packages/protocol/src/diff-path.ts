// The path that a file of a diff is about: from `+++`, else from `rename to`, else from the line that opens it.
// Only for showing and ordering; the header's own lines are hashed as they are, but for the time behind a name.

/** What stands for a file that is not there before or after. */
const nothing = "/dev/null";

/** A name line without its time: diff tools put a tab between the two, and a path with a tab is quoted. */
export function withoutTime(line: string): string {
  const tab = line.indexOf("\t");
  return tab === -1 ? line : line.slice(0, tab);
}

/** The paths of one file: `path` is its new one, or its old one when it is deleted; `oldPath` is there when it moves. */
export type Paths = { path: string; oldPath?: string };

/** Where `--- x` stands with `+++ y` right behind it, or -1. */
export function nameLine(lines: readonly string[]): number {
  return lines.findIndex((line, at) => line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") === true);
}

/** The paths that a header names; `""` when it names none. */
export function pathsOfHeader(header: readonly string[]): Paths {
  const after = (start: string) => header.find((line) => line.startsWith(start))?.slice(start.length);
  const names = nameLine(header);
  if (names !== -1) return fromPair((header[names] as string).slice(4), (header[names + 1] as string).slice(4));
  const [renamedFrom, target] = [after("rename from "), after("rename to ") ?? after("copy to ")];
  if (target !== undefined)
    return { path: unquote(target), ...(renamedFrom === undefined ? {} : { oldPath: unquote(renamedFrom) }) };
  const git = after("diff --git ");
  if (git !== undefined) return fromPair(...splitPair(git));
  return { path: unquote(after("diff --cc ") ?? after("diff --combined ") ?? after("Index: ") ?? "") };
}

/** Both names without the `a/` and `b/` that git puts before them. */
function fromPair(oldQuoted: string, newQuoted: string): Paths {
  const names = [unquote(oldQuoted), unquote(newQuoted)] as const;
  const [oldPath, newPath] = names.map((name) => (name !== nothing && hasPrefixes(...names) ? name.slice(2) : name)) as [
    string,
    string,
  ];
  if (newPath === nothing) return { path: oldPath };
  return oldPath === nothing || oldPath === newPath ? { path: newPath } : { path: newPath, oldPath };
}

/** Two names of one change have prefixes only when these differ: `a/x` twice is a folder called a. */
function hasPrefixes(oldName: string, newName: string): boolean {
  const prefixed = (name: string) => name === nothing || /^[abciow12]\//.test(name);
  return prefixed(oldName) && prefixed(newName) && oldName[0] !== newName[0];
}

/** Both names of `diff --git`: quoted, or two halves of one length, as they are unless the file was renamed. */
function splitPair(text: string): [string, string] {
  const quoted = /^("[^"\\]*(?:\\.[^"\\]*)*") (.*)$/.exec(text) ?? /^(.*) ("[^"\\]*(?:\\.[^"\\]*)*")$/.exec(text);
  if (quoted !== null) return [quoted[1] as string, quoted[2] as string];
  const middle = (text.length - 1) / 2;
  return text[middle] === " " ? [text.slice(0, middle), text.slice(middle + 1)] : [text, text];
}

const escapes: Record<string, string> = {
  a: "%07",
  b: "%08",
  t: "%09",
  n: "%0A",
  v: "%0B",
  f: "%0C",
  r: "%0D",
  '"': "%22",
  "\\": "%5C",
};

/** Undo git's quoting: C escapes, and bytes of UTF-8 in octal. What does not decode keeps its escapes. */
function unquote(name: string): string {
  const inner = /^"([^"\\]*(?:\\.[^"\\]*)*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  const encoded = inner
    .replaceAll("%", "%25")
    .replace(/\\([0-3][0-7]{2}|["\\abfnrtv])/g, (_, code: string) =>
      code.length === 3 ? `%${Number.parseInt(code, 8).toString(16).padStart(2, "0")}` : (escapes[code] as string),
    );
  try {
    return decodeURIComponent(encoded);
  } catch {
    return inner;
  }
}
