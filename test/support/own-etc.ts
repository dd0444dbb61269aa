// Another /etc for a program, and another user: what an administrator installs is tested without a trace on this machine. Needs root.
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** This checkout. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The outermost folder around the checkout that only its owner can pass, such as /root or that of `mktemp -d`; or none. */
function closedFolder(): string {
  const around: string[] = [];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) around.unshift(folder);
  return around.find((folder) => (statSync(folder).mode & 0o001) === 0) ?? "";
}

/** Where a closed folder is in the way of the user, an open one with nothing but the checkout takes its place. */
const OPEN_THE_WAY = `if [ -n "$closed" ]; then
  mount --bind "$root" /mnt && mount -t tmpfs -o mode=755 tmpfs "$closed" || exit 1
  mkdir -p "$root" && mount --bind /mnt "$root" && umount /mnt || exit 1
fi`;
const SCRIPT = `etc=$1 user=$2 root=$3 closed=$4; shift 4
${OPEN_THE_WAY}
if [ -n "$etc" ]; then mount --bind "$etc" /etc || exit 1; fi
exec setpriv --reuid="$user" --regid="$user" --clear-groups -- "$@"`;

/** The words that run a command as this user, who may use this checkout wherever it lies. */
export function asUser(user: number, command: readonly string[]): [string, string[]] {
  return withEtc("", user, command);
}

/** The same with that folder as /etc. The mounts are the command's own. */
export function withEtc(etc: string, user: number, command: readonly string[]): [string, string[]] {
  const given = [etc, String(user), root, closedFolder(), ...command];
  return ["unshare", ["--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh", ...given]];
}
