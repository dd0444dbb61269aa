// The permission modes: those of the flat dialect and those of Claude's clients.

export const PERMISSION_MODES = [
  "default",
  "interactive",
  "acceptEdits",
  "plan",
  "auto",
  "deny",
  "dontAsk",
  "bypassPermissions",
] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** True for a word that is a mode. */
export function isPermissionMode(word: unknown): word is PermissionMode {
  return PERMISSION_MODES.includes(word as PermissionMode);
}
