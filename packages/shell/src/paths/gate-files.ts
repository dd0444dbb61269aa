// The table of gate paths: files that arm the gate or run by themselves. Host settings, HAP's own folder, all of git's folder, hook
// managers, editor tasks, start-up files. Changing one can disable the gate or run code later, so it always asks. The sandbox
// mounts the same paths read-only.
import { foldName, LONGEST_PATH } from "./fold-name.ts";

/** The table. Matched against folded absolute paths. */
export const GATE_PATTERNS: readonly RegExp[] = [
  /\/\.hap(?:\/|$)/,
  /\/\.claude(?:\/|$|\.json$)/,
  /\/(?:claude-?code|claudecode)\/managed-(?:settings|mcp)[^/]*(?:\/|$)/,
  /\/\.codex(?:\/|$)/,
  /\/etc\/codex(?:\/|$)/,
  /\/\.(?:yume|cursor|gemini|windsurf|opencode|continue|cline|roo|kiro|amp|qwen|factory|augment)(?:\/|$)/,
  /\/\.(?:openhands|crush|kilocode|amazonq|junie|trae|rovodev|goose|copilot|pi|vibe|iflow|codebuddy|forge)(?:\/|$)/,
  /\/\.github\/hooks(?:\/|$)/,
  /\/(?:opencode\.jsonc?|\.?crush\.json)$/,
  /\/\.(?:aider\.conf\.yml|clinerules|roorules|windsurfrules|cursorrules)$/,
  /\/\.config\/(?:opencode|zed|goose|amp)(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/(?:hap-hook(?:\.cjs)?|doors\/hook\/(?:bin|dist)(?:\/.*)?)$/,
  // git's own verbs write here too, without naming a path in it.
  /\/\.git(?:\/|$)/,
  /\/\.(?:gitconfig|gitmodules)$/,
  /\/\.config\/git(?:\/|$)/,
  /\/\.(?:githooks|husky|lefthook|devcontainer)(?:\/|$)/,
  /\/\.?(?:lefthook(?:-local)?\.(?:ya?ml|toml|json)|pre-commit-config\.ya?ml|overcommit\.yml|huskyrc[^/]*|rusty-hook\.toml|devcontainer\.json)$/,
  /\/(?:captainhook\.json|grumphp\.ya?ml(?:\.dist)?|hk\.pkl|prek\.toml)$/,
  /\/\.vscode\/(?:tasks|launch|settings|mcp)\.json$|\/\.vscode$/,
  /\/\.(?:idea|zed|fleet|nova|helix|run)(?:\/|$)/,
  /\/\.?mise(?:\.[a-z]+)*\.toml$|\/\.?mise(?:\/(?:config[^/]*\.toml|conf\.d|tasks)|$)|\/\.config\/mise(?:\/|$)/,
  /\/(?:\.exrc|\.vimrc|\.nvimrc|\.nvim\.lua|\.gvimrc|\.emacs|\.dir-locals(?:-2)?\.el)$|\.code-workspace$|\.sublime-project$/,
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc|login|logout)$/,
  /\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|envrc|gdbinit|lldbinit|pdbrc|rvmrc|rprofile)$/,
  // Read by debuggers and prompts of languages from the folder in which a person starts them.
  /\/\.(?:irbrc|pryrc|ghci|iex\.exs|ocamlinit|octaverc|perldb|scalarc)$/,
  /\/\.config\/(?:fish|autostart|systemd|powershell|direnv|nvim)(?:\/|$)/,
  /\/library\/launch(?:agents|daemons)(?:\/|$)/,
  /^\/etc\/(?:profile|bash\.bashrc|bashrc|zshrc|zshenv|zprofile|zsh|environment|ld\.so\.preload|gitconfig)/,
  /^\/etc\/(?:systemd|cron[^/]*|init\.d|rc[^/]*)(?:\/|$)/,
  /^\/var\/spool\/cron(?:\/|$)/,
];

/** True if changing this path could disable the gate or make something run later. */
export function isGatePath(path: string): boolean {
  if (path.length > LONGEST_PATH) return true;
  const folded = foldName(path.startsWith("/") ? path : `/${path}`);
  return GATE_PATTERNS.some((pattern) => pattern.test(folded));
}

/**
 * Programs that a host, a shell prompt or HAP starts by name. A file of that name in a folder of the PATH would run instead of the
 * system's program. Interpreters and package managers are left out: a virtual environment has its own.
 */
const STARTED_BY_NAME = new Set(
  [
    "git ssh gpg env sh bash dash zsh fish ksh sudo su xargs ls cat head tail wc grep egrep fgrep sed awk find sort uniq cut tr",
    "tee touch mkdir rmdir rm cp mv ln stat file du df date id whoami hostname uname ps kill which dirname basename realpath",
    "readlink tty tput clear stty ip unshare nsenter setpriv bwrap mount tmux screen direnv starship",
  ].flatMap((names) => names.split(" ")),
);

/** True for a path that would be started instead of a system program. `folders`: those of the PATH, asked for only if needed. */
export function shadowsProgram(path: string, folders: () => readonly string[]): boolean {
  const slash = path.lastIndexOf("/");
  return STARTED_BY_NAME.has(path.slice(slash + 1)) && folders().includes(path.slice(0, slash));
}
