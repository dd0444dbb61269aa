// How a rule's patterns match. `*` stands for anything but `/` in a path, `**` for anything.
// A command is allowed only as one plain command: what a shell would expand, join or redirect never matches an allow.
// A path is allowed only under its real name: `src/../.ssh/id` lies not in `src`.

/** One step of a pattern. `dirs`: nothing, or anything that ends in a slash. */
type Step = { readonly is: "text"; readonly text: string } | { readonly is: "one" | "star" | "any" | "dirs" };

const cache = new Map<string, readonly Step[]>();

function stepsOf(glob: string, acrossSlashes: boolean): readonly Step[] {
  const key = `${acrossSlashes ? "c" : "p"}${glob}`;
  let steps = cache.get(key);
  if (steps === undefined) {
    steps = (glob.match(/\*\*\/|\*\*|[\s\S]/gu) ?? []).map((part): Step => {
      if (part === "**/") return { is: "dirs" };
      if (part === "**" || (part === "*" && acrossSlashes)) return { is: "any" };
      if (part === "*") return { is: "star" };
      return part === "?" ? { is: "one" } : { is: "text", text: part };
    });
    cache.set(key, steps);
  }
  return steps;
}

/** Whether a pattern matches the whole text: all its places are followed at once, so the time is the product of both lengths. */
function matches(glob: string, text: string, acrossSlashes: boolean): boolean {
  const steps = stepsOf(glob, acrossSlashes);
  // A place per step, and a second one behind the last for what a `dirs` has begun.
  let at = new Uint8Array(steps.length + 1);
  let begun = new Uint8Array(steps.length + 1);
  at[0] = 1;
  skip(steps, at);
  for (const char of text) {
    const next = new Uint8Array(steps.length + 1);
    const open = new Uint8Array(steps.length + 1);
    for (let place = 0; place < steps.length; place += 1) {
      const step = steps[place] as Step;
      if (step.is === "dirs" && (at[place] === 1 || begun[place] === 1)) {
        open[place] = 1;
        if (char === "/") next[place + 1] = 1;
      }
      if (at[place] !== 1) continue;
      if (step.is === "any" || (step.is === "star" && char !== "/")) next[place] = 1;
      else if ((step.is === "one" && (acrossSlashes || char !== "/")) || (step.is === "text" && step.text === char))
        next[place + 1] = 1;
    }
    skip(steps, next);
    at = next;
    begun = open;
  }
  return at[steps.length] === 1;
}

/** Steps that may match nothing are passed over. */
function skip(steps: readonly Step[], at: Uint8Array): void {
  for (const [place, step] of steps.entries())
    if (at[place] === 1 && (step.is === "star" || step.is === "any" || step.is === "dirs")) at[place + 1] = 1;
}

/** True when one of the patterns matches the whole text. */
export function matchesGlob(patterns: string | readonly string[], text: string): boolean {
  return [patterns].flat().some((glob) => matches(glob, text, false));
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
  const fits = (text: string): boolean => [patterns].flat().some((glob) => matches(glob, text, true));
  const trimmed = command.trim();
  if (loosening) return plainCommand.test(trimmed) && fits(trimmed);
  const parts = [trimmed, ...trimmed.split(/[;&|\n`(){}]+/).map((part) => part.replace(/^[\s$!]+/, "").trim())];
  return [...new Set(parts)].some((part) => part !== "" && fits(part));
}
