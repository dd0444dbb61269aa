// What of the host a sandbox may see, read-only: programs and libraries, and the few files of /etc that they need (D30).
// An allow-list: no home, no /run, no /tmp, no sockets, no keys, no password hashes.
import { existsSync, lstatSync, readlinkSync } from "node:fs";

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

/** The system's folders of this host. Name resolution only where there is a network. */
export function systemFolders(network: boolean): SystemFolders {
  const present = PROGRAM_FOLDERS.filter((path) => existsSync(path));
  const links = present.filter((path) => lstatSync(path).isSymbolicLink());
  const etc = [...ETC, ...(network ? ["resolv.conf"] : [])].map((name) => `/etc/${name}`).filter((path) => existsSync(path));
  return {
    bind: [...present.filter((path) => !links.includes(path)), ...etc],
    links: links.map((path) => ({ path, target: readlinkSync(path) })),
  };
}
