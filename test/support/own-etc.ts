// Another /etc for a program, and another user: what an administrator installs is tested without a trace on this machine. Needs root.
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A user without rights, on every system. */
export const NOBODY = 65_534;

/** What programs look for there. */
const KEPT = ["passwd", "group", "nsswitch.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "ssl"];

const made: string[] = [];
afterAll(() => {
  for (const etc of made) rmSync(etc, { recursive: true, force: true });
});

/** A folder to stand for /etc, gone afterwards. */
export function ownEtc(): string {
  if (process.getuid?.() !== 0) throw new Error("This test mounts a folder over /etc for its own processes: run it as root.");
  const etc = mkdtempSync(join(tmpdir(), "hap-etc-"));
  chmodSync(etc, 0o755);
  for (const name of KEPT)
    if (existsSync(join("/etc", name))) cpSync(join("/etc", name), join(etc, name), { recursive: true, verbatimSymlinks: true });
  made.push(etc);
  return etc;
}

/** The words that run a command with that folder as /etc, as this user. The mount is the command's own. */
export function withEtc(etc: string, user: number, command: readonly string[]): [string, string[]] {
  const script =
    'etc=$1; user=$2; shift 2; mount --bind "$etc" /etc && exec setpriv --reuid="$user" --regid="$user" --clear-groups -- "$@"';
  return ["unshare", ["--mount", "--propagation", "private", "sh", "-c", script, "sh", etc, String(user), ...command]];
}
