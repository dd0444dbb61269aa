// `@hap/shell/sandbox`: what of a host a command in a sandbox may see, and bubblewrap's arguments for it (D30). An allow-list: no
// home, no /run, no /tmp, no sockets, no keys, no password hashes. Pure: whoever looks at the disk says what is there.

/** HOME inside: an empty folder in memory. */
export const SANDBOX_HOME = "/home/agent";

/** Where programs are found inside. */
export const SANDBOX_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Folders with programs and libraries; on most systems all but /usr are links into it. */
const PROGRAM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

const ETC = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates.conf",
  "debian_version",
  "group",
  "hosts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "profile",
  "protocols",
  "python3",
  "services",
  "shells",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

/** What is bound, and what is a link. */
export type SystemFolders = { bind: string[]; links: { path: string; target: string }[] };

/** What stands at a path: nothing, a link (its text), or anything else. */
export type Look = (path: string) => null | { link: string | null };

/** The system's folders and files that a sandbox sees, read-only. Name resolution only where there is a network. */
export function systemFolders(network: boolean, look: Look): SystemFolders {
  const bind: string[] = [];
  const links: SystemFolders["links"] = [];
  for (const path of PROGRAM_FOLDERS) {
    const found = look(path);
    if (found === null) continue;
    if (found.link === null) bind.push(path);
    else links.push({ path, target: found.link });
  }
  // A link in /etc is bound as what it leads to.
  const etc = [...ETC, ...(network ? ["resolv.conf"] : [])].map((name) => `/etc/${name}`);
  return { bind: [...bind, ...etc.filter((path) => look(path) !== null)], links };
}

/** A folder of the host inside. */
export type SandboxMount = { host: string; inside: string; writable: boolean };

export type BubblewrapPlan = {
  system: SystemFolders;
  mounts: readonly SandboxMount[];
  network: boolean;
  hostname: string;
  cwd: string;
  /** Keeps what runs inside from the caller's terminal; needless where it has one of its own. */
  newSession: boolean;
};

/** Arguments of bubblewrap, up to the command: namespaces of its own for everything, no capabilities, ends with its parent. */
export function bubblewrapArguments({ system, mounts, network, hostname, cwd, newSession }: BubblewrapPlan): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", ...(newSession ? ["--new-session"] : []), "--cap-drop", "ALL", "--hostname", hostname],
    ...system.bind.flatMap((path) => ["--ro-bind", path, path]),
    ...system.links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", SANDBOX_HOME, "--dir", "/run"],
    ...mounts.flatMap(({ host, inside, writable }) => [writable ? "--bind" : "--ro-bind", host, inside]),
    ...["--remount-ro", "/", "--chdir", cwd, "--"],
  ];
}
