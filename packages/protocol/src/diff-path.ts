// The path that a file of a diff is about: from `+++`, else from `rename to`, else from the line that opens it.
// Only for showing and ordering; the header's own lines are hashed as they are, but for the time behind a name.

/** A name line without its time: diff tools put a tab between the two, and a path with a tab is quoted. */
export function withoutTime(line: string): string {
  const tab = line.indexOf("\t");
  return tab === -1 ? line : line.slice(0, tab);
}

/** The path of a file, its new one where it has two; `""` when its header names none. */
export function pathOfHeader(header: readonly string[]): string {
  const after = (start: string) => header.find((line) => line.startsWith(start))?.slice(start.length);
  const names = header.findIndex((line) => line.startsWith("+++ "));
  if (names > 0) return choose((header[names - 1] as string).slice(4), (header[names] as string).slice(4));
  const target = after("rename to ") ?? after("copy to ");
  if (target !== undefined) return unquote(target);
  const git = after("diff --git ");
  if (git !== undefined) return choose(...splitPair(git));
  return unquote(after("diff --cc ") ?? after("diff --combined ") ?? after("Index: ") ?? "");
}

/** The new name, or the old one of a file that is deleted, without the `a/` and `b/` that git puts before them. */
function choose(oldQuoted: string, newQuoted: string): string {
  const oldName = unquote(oldQuoted);
  const newName = unquote(newQuoted);
  const name = newName === "/dev/null" ? oldName : newName;
  return hasPrefixes(oldName, newName) ? name.slice(2) : name;
}

/** Two names of one change have prefixes only when these differ: `a/x` twice is a folder called a. */
function hasPrefixes(oldName: string, newName: string): boolean {
  const prefixed = (name: string) => name === "/dev/null" || /^[abciow12]\//.test(name);
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

/** Undo git's quoting: C escapes, and bytes of UTF-8 in octal. What does not decode stays as it stands. */
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
    return name;
  }
}
