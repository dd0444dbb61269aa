// What of a host a command in a sandbox may see (D30): an allow-list without home, /run, /tmp, sockets, keys or password hashes.
// Pure: the caller looks at the disk.

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
