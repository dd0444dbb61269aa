// Gate paths: files that arm the gate or run by themselves. Host settings, HAP's own folder, all of git's folder, hook managers,
// editor tasks, start-up files. Changing one can switch the gate off or run code later unseen, so it always asks.
import { foldName, LONGEST_PATH } from "./fold-name.ts";

const GATE = [
  /\/\.hap(?:\/|$)/,
  /\/\.claude(?:\/|$|\.json$)/,
  /\/(?:claude-?code|claudecode)\/managed-(?:settings|mcp)[^/]*(?:\/|$)/,
  /\/\.codex(?:\/|$)/,
  /\/etc\/codex(?:\/|$)/,
  /\/\.(?:cursor|gemini|windsurf|opencode|continue|cline|roo|kiro|amp|qwen|factory|augment)(?:\/|$)/,
  /\/\.(?:aider\.conf\.yml|clinerules|roorules|windsurfrules|cursorrules)$/,
  /\/\.config\/(?:opencode|zed|goose|amp)(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/(?:hap-hook(?:\.cjs)?|doors\/hook\/(?:bin|dist)(?:\/.*)?)$/,
  // Written by git's own verbs too, which name no path in it.
  /\/\.git(?:\/|$)/,
  /\/\.(?:gitconfig|gitmodules)$/,
  /\/\.config\/git(?:\/|$)/,
  /\/\.(?:githooks|husky|lefthook|devcontainer)(?:\/|$)/,
  /\/\.?(?:lefthook(?:-local)?\.(?:ya?ml|toml|json)|pre-commit-config\.ya?ml|overcommit\.yml|huskyrc[^/]*|devcontainer\.json)$/,
  /\/\.vscode\/(?:tasks|launch|settings|mcp)\.json$|\/\.vscode$/,
  /\/\.(?:idea|zed|fleet|nova)(?:\/|$)/,
  /\/(?:\.exrc|\.vimrc|\.nvimrc|\.nvim\.lua|\.gvimrc|\.emacs|\.dir-locals(?:-2)?\.el)$|\.code-workspace$|\.sublime-project$/,
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc|login|logout)$/,
  /\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|envrc|gdbinit|lldbinit|pdbrc)$/,
  /\/\.config\/(?:fish|autostart|systemd|powershell|direnv|nvim)(?:\/|$)/,
  /\/library\/launch(?:agents|daemons)(?:\/|$)/,
  /^\/etc\/(?:profile|bash\.bashrc|bashrc|zshrc|zshenv|zprofile|zsh|environment|ld\.so\.preload|gitconfig)/,
  /^\/etc\/(?:systemd|cron[^/]*|init\.d|rc[^/]*)(?:\/|$)/,
  /^\/var\/spool\/cron(?:\/|$)/,
];

/** Whether changing this path could disarm the gate or make something run later. */
export function isGatePath(path: string): boolean {
  if (path.length > LONGEST_PATH) return true;
  const folded = foldName(path.startsWith("/") ? path : `/${path}`);
  return GATE.some((pattern) => pattern.test(folded));
}
