// Holds one plain command against the table: the program, its options, and every path that it would look at.
import type { Finding, ShellContext } from "../classification.ts";
import { classifyPath } from "../paths/classify-path.ts";
import { allInside, type Cwds, enter } from "../paths/cwds.ts";
import { boundary } from "../paths/resolve-path.ts";
import { show } from "../show.ts";
import { PROVEN_PROGRAMS } from "./programs.ts";
import type { Reading } from "./reading.ts";
import { readByRule } from "./rule.ts";

/** What a harmless command reads, and where the next one stands. */
export type Match = { readonly findings: readonly Finding[]; readonly cwds: Cwds };

/** The match, or undefined: not in the table, an unknown option, a path outside, a secret. */
export function matchCommand(words: readonly string[], cwds: Cwds, context: ShellContext): Match | undefined {
  const [program = "", ...args] = words;
  if (!allInside(cwds, context)) return undefined;
  if (program === "cd") return matchCd(args, cwds, context);
  const entry = PROVEN_PROGRAMS.get(program);
  const reading = typeof entry === "function" ? entry(args) : entry && readByRule(entry, args);
  if (reading === undefined || !isReadable(reading, cwds, context)) return undefined;
  const paths = [...reading.names, ...reading.contents];
  const looks = paths.length > 0 || reading.inRoot === true;
  const what = `${program} reads ${paths.length > 0 ? show(paths.join(" ")) : "the project"}`;
  return { findings: looks ? [{ effect: "read_inside", what }] : [], cwds };
}

function isReadable(reading: Reading, cwds: Cwds, context: ShellContext): boolean {
  const root = boundary(context);
  return (cwds.current ?? []).every((cwd) => {
    const here = { ...context, cwd };
    return (
      (reading.inRoot !== true || cwd === root) &&
      reading.names.every((path) => isInside(path, here)) &&
      reading.contents.every((path) => isInside(path, here) && !classifyPath(path, here).secret)
    );
  });
}

/** By now quotes are gone, so a leading `~` is a name in a folder and no home; it is not worth telling them apart. */
function isInside(path: string, here: ShellContext): boolean {
  return path !== "" && !path.startsWith("~") && classifyPath(path, here).inside;
}

function matchCd(args: readonly string[], cwds: Cwds, context: ShellContext): Match | undefined {
  const [path = "", ...more] = args;
  if (more.length > 0 || path === "" || /^[-~]/.test(path)) return undefined;
  const next = enter(cwds, path, context.home);
  return allInside(next, context) ? { findings: [], cwds: next } : undefined;
}
