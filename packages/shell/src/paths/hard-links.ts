// A file with several names is the same file under each. Whether one of the other names arms the gate or is a secret is looked up by
// inode among the places where such files lie; the disk is asked only about files that have a second name.
import type { Disk, DiskEntry } from "./disk.ts";
import { isGatePath } from "./gate-files.ts";
import { isSecretPath } from "./secret-files.ts";

/** Folders, below the project and below home, whose files are compared. */
const IN_PROJECT = [
  "",
  ".git",
  ".git/hooks",
  ".git/info",
  ".claude",
  ".claude/hooks",
  ".codex",
  ".hap",
  ".husky",
  ".husky/_",
  ".vscode",
];
const IN_HOME = ["", ".claude", ".codex", ".hap", ".ssh", ".aws", ".config/gh", ".config/git", ".config/fish"];
const MOST = 2_000;

/** What else a file is. */
export function linkedTo(
  entry: DiskEntry | null,
  root: string | undefined,
  home: string | undefined,
  disk: Disk,
): { gate: boolean; secret: boolean } {
  const found = { gate: false, secret: false };
  if (entry === null || entry.kind !== "file" || entry.names < 2) return found;
  const folders = [
    ...(root === undefined ? [] : IN_PROJECT.map((name) => `${root}/${name}`)),
    ...(home === undefined ? [] : IN_HOME.map((name) => `${home}/${name}`)),
  ];
  for (const folder of folders) {
    for (const name of (disk.list(folder) ?? []).slice(0, MOST)) {
      const path = `${folder.replace(/\/$/, "")}/${name}`;
      const [gate, secret] = [isGatePath(path), isSecretPath(path, home)];
      if ((!gate && !secret) || disk.look(path)?.id !== entry.id) continue;
      found.gate ||= gate;
      found.secret ||= secret;
    }
  }
  return found;
}
