// Instructions to agents from the files that are usual: AGENTS.md and CLAUDE.md of the user, of every folder above the working folder, and
// of the working folder itself, with `@path` imports. An import leads nowhere outside the project or the user's Claude folder, so that a
// repository cannot have a private file sent to a model.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

export type Instructions = { path: string; text: string };

const NAMES = ["AGENTS.md", "CLAUDE.md", join(".claude", "CLAUDE.md"), "CLAUDE.local.md"];
const FILE_LIMIT = 40_000;
const TOTAL_LIMIT = 120_000;
const DEEPEST_IMPORT = 5;

export type InstructionPlaces = {
  cwd: string;
  home: string;
  claudeFolder: string;
  user: boolean;
  project: boolean;
  /** Files that a rule forbids to read are not read here either. */
  hidden: (path: string) => boolean;
};

/** All that there are, the widest first. */
export function readInstructions(places: InstructionPlaces): Instructions[] {
  const found: Instructions[] = [];
  const seen = new Set<string>();
  const add = (path: string, within: readonly string[]) => readInto(found, seen, path, within, places, 0);
  if (places.user) add(join(places.claudeFolder, "CLAUDE.md"), [places.claudeFolder]);
  if (places.project) {
    const folders = foldersAbove(places.cwd, places.home);
    for (const folder of folders) for (const name of NAMES) add(join(folder, name), [folder, places.cwd, places.claudeFolder]);
  }
  return fit(found);
}

/** From the folder below home (or the root) down to the working folder. */
function foldersAbove(cwd: string, home: string): string[] {
  const folders = [cwd];
  for (let folder = dirname(cwd); folder !== dirname(folder) && folder !== home; folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}

function readInto(
  found: Instructions[],
  seen: Set<string>,
  path: string,
  within: readonly string[],
  places: InstructionPlaces,
  depth: number,
): void {
  let real: string;
  let text: string;
  try {
    real = realpathSync(path);
    if (seen.has(real) || places.hidden(real) || !within.some((folder) => isBelow(real, folder))) return;
    text = readFileSync(real, "utf8").slice(0, FILE_LIMIT).toWellFormed();
  } catch {
    return;
  }
  seen.add(real);
  // The same words under both names count once.
  if (!found.some((one) => one.text === text)) found.push({ path: shown(path, places.cwd), text });
  if (depth >= DEEPEST_IMPORT) return;
  for (const target of importsOf(text)) {
    const expanded = target.startsWith("~/") ? join(places.home, target.slice(2)) : resolve(dirname(real), target);
    readInto(found, seen, expanded, within, places, depth + 1);
  }
}

/** `@path` outside of code. */
function importsOf(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  return [...prose.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w.-][\w./-]*)/g)].map((match) =>
    (match[1] as string).replace(/[.,;:]$/, ""),
  );
}

function isBelow(path: string, folder: string): boolean {
  try {
    return path.startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

function shown(path: string, cwd: string): string {
  return path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : path;
}

/** The nearest instructions count most: what does not fit is left out from the front. */
function fit(found: readonly Instructions[]): Instructions[] {
  const kept: Instructions[] = [];
  let length = 0;
  for (const one of found.toReversed()) {
    length += one.text.length;
    if (length > TOTAL_LIMIT) break;
    kept.unshift(one);
  }
  return kept;
}
