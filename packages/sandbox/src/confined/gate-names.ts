// Names that arm a gate or run by themselves, wherever in a project they lie. Existing ones are read-only for a confined command;
// ones that appear during a run are moved to quarantine.

const ANYWHERE: ReadonlySet<string> = new Set([
  ...[".git", ".gitmodules", ".gitconfig", ".githooks", ".husky"],
  ...[".claude", ".claude.json", ".codex", ".cursor", ".gemini", ".windsurf", ".mcp.json", ".hap"],
  ...[".pre-commit-config.yaml", ".pre-commit-config.yml"],
  ...["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"],
  ...["lefthook-local.yml", "lefthook-local.yaml", ".lefthook-local.yml", ".lefthook-local.yaml"],
  ...[".envrc", ".vscode", ".idea"],
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc", ".login", ".logout"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc"],
]);

/** Folders of installed packages. Packages ship editor and agent settings of their own there, which nothing reads; git does. */
const DEPENDENCIES: ReadonlySet<string> = new Set(["node_modules", "site-packages", "vendor", "target", ".venv", "venv", ".tox"]);

/** True for a folder of installed packages. */
export function holdsDependencies(name: string): boolean {
  return DEPENDENCIES.has(name);
}

/** True for a name that arms a gate. `dependencies`: it lies below a folder of installed packages. */
export function isGateName(name: string, dependencies: boolean): boolean {
  const folded = name.toLowerCase();
  return dependencies ? folded === ".git" : ANYWHERE.has(folded);
}

/** Names in a git dir that run code or lead git elsewhere. Objects, refs, logs, index and message files stay writable. */
export const GIT_GATE_NAMES = [
  ...["config", "config.worktree", "commondir", "gitdir", "hooks", "info", "modules"],
  ...["rebase-merge", "rebase-apply", "sequencer"],
] as const;

/** The same in the git dir of each linked worktree, where these two must exist. */
export const WORKTREE_GATE_NAMES = [
  "commondir",
  "gitdir",
  "config.worktree",
  "hooks",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
] as const;
