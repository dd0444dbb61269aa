// How a rule's patterns match. `*` stands for anything but `/` in a path, `**` for anything.
// A command is allowed only as one plain command: what a shell would expand, join or redirect never matches an allow.
// A path is allowed only under its real name: `src/../.ssh/id` lies not in `src`.

const cache = new Map<string, RegExp>();

function toRegExp(glob: string, acrossSlashes: boolean): RegExp {
  const key = `${acrossSlashes ? "c" : "p"}${glob}`;
  let pattern = cache.get(key);
  if (pattern === undefined) {
    const body = glob.replace(/\*\*\/?|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return acrossSlashes ? ".*" : "[^/]*";
      if (part === "?") return acrossSlashes ? "." : "[^/]";
      return `\\${part}`;
    });
    pattern = new RegExp(`^${body}$`, "su");
    cache.set(key, pattern);
  }
  return pattern;
}

/** True when one of the patterns matches the whole text. */
export function matchesGlob(patterns: string | readonly string[], text: string): boolean {
  return [patterns].flat().some((glob) => toRegExp(glob, false).test(text));
}

/** A leading `~` is the home folder. */
export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
}

/** The names of a file without detours: from the project's folder where it lies inside, and from the root where that is known. */
export function realNames(path: string, project: string | null): string[] {
  if (project?.startsWith("/") !== true) return [withoutDetours(path)];
  const root = withoutDetours(project).replace(/(?<=.)\/$/, "");
  const absolute = withoutDetours(path.startsWith("/") ? path : `${root}/${path}`).replace(/(?<=.)\/$/, "");
  if (absolute === root) return ["", absolute];
  const below = root === "/" ? "/" : `${root}/`;
  return absolute.startsWith(below) ? [absolute.slice(below.length), absolute] : [absolute];
}

/** `.`, `..` and doubled slashes resolved in the text. */
function withoutDetours(path: string): string {
  const rooted = path.startsWith("/");
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!rooted) kept.push(part);
  }
  const end = path.endsWith("/") && kept.length > 0 ? "/" : "";
  return `${rooted ? "/" : ""}${kept.join("/")}${end}` || ".";
}

const plainCommand = /^[A-Za-z0-9_@%+=:,./ -]+$/;

/** To allow: the command is plain and matches whole. To ask or deny: it, or any part of it, matches. */
export function matchesCommand(patterns: string | readonly string[], command: string, loosening: boolean): boolean {
  const tests = [patterns].flat().map((glob) => toRegExp(glob, true));
  const trimmed = command.trim();
  if (loosening) return plainCommand.test(trimmed) && tests.some((test) => test.test(trimmed));
  const parts = [trimmed, ...trimmed.split(/[;&|\n`(){}]+/).map((part) => part.replace(/^[\s$!]+/, "").trim())];
  return parts.some((part) => part !== "" && tests.some((test) => test.test(part)));
}
