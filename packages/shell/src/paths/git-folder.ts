// A folder with HEAD, objects and refs is a repository to git, whatever its name: git obeys the configuration and hooks in it.
// Completing such a folder, or changing what git obeys in one, is a change of a gate path.

/** Entries of a git folder that run code or lead git elsewhere. Objects, refs, logs, index and message files are not among them. */
export const GIT_GATE_NAMES: readonly string[] = [
  ...["config", "config.worktree", "commondir", "gitdir", "hooks", "info", "modules", "remotes", "branches"],
  ...["rebase-merge", "rebase-apply", "sequencer"],
];

/** True if git would take a folder with these entries for a repository. A linked worktree keeps objects and refs elsewhere. */
export function isGitFolder(has: (name: string) => boolean): boolean {
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

const PARTS = new Set(["HEAD", "objects", "refs", ...GIT_GATE_NAMES]);

/** True if making or changing `path` arms a git folder somewhere above it. `exists` looks at the disk. */
export function armsGitFolder(path: string, exists: (path: string) => boolean): boolean {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const slash = at.lastIndexOf("/");
    const name = at.slice(slash + 1);
    if (!PARTS.has(name)) continue;
    const folder = at.slice(0, slash);
    const has = (entry: string): boolean => exists(`${folder}/${entry}`);
    const complete = isGitFolder(has);
    if (complete ? GIT_GATE_NAMES.includes(name) : isGitFolder((entry) => entry === name || has(entry))) return true;
  }
  return false;
}
