// The name of a session's folder, from the session's own id. Apart from everything else, for a program that must start fast.

/** Letters, digits and hyphens only. */
export function sessionKey(session: string): string {
  return session.replaceAll(/[^A-Za-z0-9-]/g, "-").slice(-64);
}
