// bubblewrap's arguments for a sandbox (D30). Pure.
import { SANDBOX_HOME, type SystemFolders } from "./allow-list.ts";

/** A folder of the host inside. */
type SandboxMount = { host: string; inside: string; writable: boolean };

export type BubblewrapPlan = {
  system: SystemFolders;
  mounts: readonly SandboxMount[];
  /** Covered: a folder is empty, a file cannot be opened. */
  hidden?: readonly { path: string; folder: boolean }[];
  network: boolean;
  hostname: string;
  cwd: string;
  /** Keeps what runs inside from the caller's terminal; needless where it has one of its own. */
  newSession: boolean;
};

/** Arguments of bubblewrap, up to the command: namespaces of its own for everything, no capabilities, ends with its parent. */
export function bubblewrapArguments({
  system,
  mounts,
  hidden = [],
  network,
  hostname,
  cwd,
  newSession,
}: BubblewrapPlan): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", ...(newSession ? ["--new-session"] : []), "--cap-drop", "ALL", "--hostname", hostname],
    ...system.bind.flatMap((path) => ["--ro-bind", path, path]),
    ...system.links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", SANDBOX_HOME, "--dir", "/run"],
    ...mounts.flatMap(({ host, inside, writable }) => [writable ? "--bind" : "--ro-bind", host, inside]),
    ...hidden.flatMap(({ path, folder }) =>
      folder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path],
    ),
    ...["--remount-ro", "/", "--chdir", cwd, "--"],
  ];
}
