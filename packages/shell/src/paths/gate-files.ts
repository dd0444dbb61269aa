// Files that arm the gate or run by themselves: host settings, HAP's own folder, git's configuration and hooks, start-up files.
// Changing one can switch the gate off or run code later unseen, so it always asks.
import { foldName, LONGEST_PATH } from "./fold-name.ts";

const GATE = [
  /\/\.hap(?:\/|$)/,
  /\/\.claude(?:$|\.json$|\/settings[^/]*\.json$|\/(?:hooks|plugins)(?:\/|$))/,
  /\/(?:claude-?code|claudecode)\/managed-(?:settings|mcp)[^/]*(?:\/|$)/,
  /\/\.codex(?:\/|$)/,
  /\/etc\/codex(?:\/|$)/,
  /\/\.(?:cursor|gemini|windsurf)\/(?:hooks|mcp|settings)[^/]*\.json$/,
  /\/\.mcp\.json$/,
  /\/\.git$/,
  /\/\.git\/(?:.*\/)?(?:hooks(?:\/|$)|config(?:\.worktree)?$|info\/attributes$)/,
  /\/\.(?:gitconfig|gitmodules)$/,
  /\/\.config\/git(?:\/|$)/,
  /\/\.(?:githooks|husky)(?:\/|$)/,
  /\/\.?(?:lefthook(?:-local)?\.ya?ml|pre-commit-config\.ya?ml)$/,
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc|login|logout)$/,
  /\/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|envrc)$/,
  /\/\.config\/(?:fish|autostart|systemd|powershell)(?:\/|$)/,
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
