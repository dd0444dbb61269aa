// How a mount plan becomes a running command: bubblewrap's arguments, or a script for `unshare` where bubblewrap is missing. Both
// start inside the session's namespaces, and end without capabilities, in a user namespace of their own. Pure.
import type { MountStep } from "./mount-plan.ts";

/** Who runs the command, where, and with which variables. */
export type Entry = {
  steps: readonly MountStep[];
  uid: number;
  gid: number;
  cwd: string;
  env: Readonly<Record<string, string>>;
  command: readonly string[];
};

/** bubblewrap's arguments. `seccomp`: the descriptor with a filter. `nested`: false forbids user namespaces inside. */
export function enterByBubblewrap(
  entry: Entry,
  { seccomp, disableUserns }: { seccomp: number; disableUserns: boolean },
): string[] {
  const { steps, uid, gid, cwd, env, command } = entry;
  return [
    ...["bwrap", "--unshare-user", "--uid", String(uid), "--gid", String(gid), ...(disableUserns ? ["--disable-userns"] : [])],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
    ...steps.flatMap(argumentsOf),
    // Of the session's process namespace; as a whole read-only, since root's files in /proc/sys are root's even without capabilities.
    ...["--ro-bind", "/proc", "/proc", "--dev", "/dev"],
    ...["--remount-ro", "/", "--chdir", cwd, "--seccomp", String(seccomp)],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...command,
  ];
}

function argumentsOf(step: MountStep): string[] {
  if (step.do === "bind") return [step.writable ? "--bind" : "--ro-bind", step.from, step.at];
  return step.do === "link" ? ["--symlink", step.target, step.at] : ["--dir", step.at];
}

/** The same by `unshare` and `mount`. `root`: an empty folder to build in; `isFolder` looks at what is bound. */
export function enterByUnshare(entry: Entry, root: string, isFolder: (path: string) => boolean): string[] {
  const { steps, uid, gid, cwd, env, command } = entry;
  const lines = [
    "set -e",
    `mount -t tmpfs -o mode=755,nosuid,nodev tmpfs ${quote(root)}`,
    ...steps.flatMap((step) => mountLines(step, root, isFolder)),
    `cd ${quote(root)}`,
    "mkdir -p proc dev/pts dev/shm",
    // Not as a whole: the last step writes its own user map. These are root's files even without capabilities.
    "mount --rbind /proc proc",
    'for name in sys sysrq-trigger irq bus fs acpi scsi driver mtrr; do [ ! -e "proc/$name" ] || { mount --bind "proc/$name" "proc/$name"; mount -o remount,bind,ro,nosuid,nodev,noexec "proc/$name"; }; done',
    "mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm",
    ...["null", "zero", "full", "random", "urandom", "tty"].map(
      (name) => `: > dev/${name}; mount --bind /dev/${name} dev/${name}`,
    ),
    "mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts",
    "ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/0 dev/stdin; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr",
    "mkdir .old; pivot_root . .old; cd /; umount -l /.old; rmdir /.old; mount -o remount,ro /",
    `cd ${quote(cwd)}`,
    'exec "$@"',
  ];
  const bare = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--pdeathsig", "KILL"];
  return [
    ...["unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", lines.join("\n"), "sh"],
    // Nobody but the caller exists inside, and the new session keeps the command from the caller's terminal.
    ...["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "setpriv", ...bare],
    ...["setsid", "--wait", "env", "-i", ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command],
  ];
}

function mountLines(step: MountStep, root: string, isFolder: (path: string) => boolean): string[] {
  const at = quote(root + step.at);
  if (step.do === "folder") return [`mkdir -p ${at}`];
  if (step.do === "link") return [`mkdir -p "$(dirname ${at})"; ln -s ${quote(step.target)} ${at}`];
  const make = isFolder(step.from) ? `mkdir -p ${at}` : `mkdir -p "$(dirname ${at})"; [ -e ${at} ] || : > ${at}`;
  const lock = step.writable ? "" : `; mount -o remount,bind,ro,nosuid,nodev ${at}`;
  return [`${make}; mount --${step.writable ? "r" : ""}bind ${quote(step.from)} ${at}${lock}`];
}

/** A word as a shell reads it back. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
