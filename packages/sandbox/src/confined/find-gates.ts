// Finds every gate path in a project, by the same table that judges commands (@hap/shell/paths). Names are read as bytes: a folder
// whose name is not UTF-8 hides nothing, and neither does one that its owner made unreadable.
import { type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { nodeDisk } from "@hap/shell/disk";
import { GIT_GATE_NAMES, gatesInProject, isGitFolder } from "@hap/shell/paths";
import { SandboxError } from "../sandbox-error.ts";
import { bytesOf, rawOf, textOf } from "./raw-path.ts";
import { unlockFolder } from "./unlock-folder.ts";

/** A gate path that exists: its path as bytes in Latin-1, what it is, and which file it is. */
export type Gate = {
  readonly raw: string;
  readonly kind: "folder" | "file" | "link";
  readonly id: string;
  readonly link: string | null;
};

/** More than this take longer to scan than most commands to run. */
export const MOST_FOLDERS = 400_000;

/** Folders of installed packages. Packages ship editor and agent settings that no program reads there; git does read `.git`. */
const DEPENDENCIES: ReadonlySet<string> = new Set(["node_modules", "site-packages", "vendor", "target", ".venv", "venv", ".tox"]);

type Folder = { raw: string; text: string; dependencies: boolean };

/**
 * All gate paths below a folder. Links are not followed, and gates are not searched. `path`: the PATH of the session. `most`: refuse
 * a larger project; only before a run, since a command could make folders to escape the search.
 */
export function findGates(root: string, path: string, most = Number.POSITIVE_INFINITY): Gate[] {
  const isGate = gatesInProject(root, nodeDisk(path));
  const found: Gate[] = [];
  const waiting: Folder[] = [{ raw: rawOf(root), text: root, dependencies: false }];
  const locked: (() => void)[] = [];
  let seen = 0;
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (++seen > most)
        throw new SandboxError(
          "place_refused",
          `${root} has more than ${most} folders, which takes too long to scan. Work in a smaller project.`,
        );
      locked.push(unlockFolder(folder.raw, 0o500));
      const entries = entriesOf(folder.raw);
      const names = new Set(entries.map(({ name }) => name));
      const git = isGitFolder((name) => names.has(name));
      for (const entry of entries) {
        const raw = `${folder.raw}/${entry.name}`;
        const text = `${folder.text}/${textOf(entry.name)}`;
        const { dependencies } = folder;
        const gate = (git && GIT_GATE_NAMES.includes(entry.name)) || (dependencies ? isDotGit(entry.name) : isGate(text));
        const there = gate ? lookAtGate(raw) : null;
        if (there !== null) found.push(there);
        else if (entry.isDirectory()) waiting.push({ raw, text, dependencies: dependencies || DEPENDENCIES.has(entry.name) });
      }
    }
  } finally {
    for (const lock of locked.reverse()) lock();
  }
  return found;
}

function isDotGit(name: string): boolean {
  return name.toLowerCase() === ".git";
}

/** No program can name a longer path. */
const LONGEST = 4095;

/** What is at a path now, or null. */
export function lookAtGate(raw: string): Gate | null {
  if (raw.length > LONGEST) return null;
  const stat = lstatSync(bytesOf(raw), { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const kind = stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "folder" : "file";
  const link = kind === "link" ? readlinkSync(bytesOf(raw), { encoding: "latin1" }) : null;
  return { raw, kind, id: `${stat.dev}:${stat.ino}`, link };
}

/**
 * The entries of a folder. Skipped are one that vanished, one of another user that we cannot read (and the command cannot write),
 * and one whose path is too long for any program to name.
 */
function entriesOf(raw: string): Dirent[] {
  try {
    return readdirSync(bytesOf(raw), { withFileTypes: true, encoding: "latin1" as "utf8" });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ENOTDIR", "EACCES", "ENAMETOOLONG"].includes(code)) return [];
    throw error;
  }
}
