// The Seatbelt profile of a confined command on macOS (D30): nothing is allowed but what is listed, the project is writable, and the
// gate's own table is denied by pattern, names that do not exist yet included. The last rule that matches counts. Pure.
import { dirname, join } from "node:path";
import { GIT_GATE_NAMES } from "@hap/shell/paths";
import { isWithin } from "../confined/toolchains.ts";
import { escapePath, seatbeltPatterns } from "./gate-patterns.ts";

export type SeatbeltFacts = {
  /** Real paths: Seatbelt compares with every link followed. */
  project: string;
  /** The session's own folders: its home, temporary files and caches. */
  writable: readonly string[];
  toolchains: readonly string[];
  /** The gate's table (`GATE_PATTERNS` of @hap/shell/paths). */
  gates: readonly RegExp[];
  /** Existing gate paths that the table does not know by name: a folder of hooks, a bare repository, HAP's own programs. */
  readOnly: readonly string[];
  /** Git dirs and common dirs; writable for a command with a writing verb. */
  gitDirs: readonly string[];
  gitWritable: boolean;
  /** The one port of this machine that can be reached: the proxy. */
  proxyPort: number;
};

const SYSTEM = [
  ...["/usr", "/bin", "/sbin", "/System", "/Library/Apple", "/Library/Developer", "/Library/Frameworks", "/Library/Java"],
  ...["/Applications/Xcode.app", "/opt/homebrew", "/opt/local", "/private/etc/ssl", "/private/var/db/timezone"],
  ...["/private/var/db/xcode_select_link", "/private/var/select", "/usr/local"],
];
const SYSTEM_FILES = [
  ...["/", "/private", "/private/etc/hosts", "/private/etc/passwd", "/private/etc/group", "/private/etc/shells"],
  ...["/private/etc/localtime", "/private/etc/protocols", "/private/etc/services", "/private/etc/paths"],
  ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"],
];
/** Users and groups, logging, and certificates of TLS. Not the keychain, launchd, LaunchServices or Apple events. */
const SERVICES = [
  ...["com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership", "com.apple.system.logger"],
  ...["com.apple.system.notification_center", "com.apple.trustd.agent", "com.apple.bsd.dirhelper"],
];

/** The profile's text. */
export function seatbeltProfile(facts: SeatbeltFacts): string {
  const { project, writable, toolchains, gates, readOnly, gitDirs, gitWritable, proxyPort } = facts;
  const own = [project, ...writable];
  const repositories = gitDirs.filter((dir) => !isWithin(dir, project));
  const kept = [...readOnly, ...(gitWritable ? gitDirs.flatMap((dir) => GIT_GATE_NAMES.map((name) => join(dir, name))) : [])];
  const above = new Set([...readOnly, ...gitDirs].flatMap((path) => between(path, project)));
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-exec process-fork)",
    "(allow process-info* (target same-sandbox))",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow ipc-posix-sem)",
    rule(
      "allow mach-lookup",
      SERVICES.map((name) => `(global-name ${quote(name)})`),
    ),
    "(allow file-read-metadata)",
    rule("allow file-read*", [...[...SYSTEM, ...toolchains, ...repositories].map(subpath), ...SYSTEM_FILES.map(literal)]),
    rule("allow file-read* file-write*", [...own.map(subpath), ...["/dev/null", "/dev/zero"].map(literal)]),
    // Two names for one file: the rules below know only one of them.
    "(deny file-link)",
    rule(
      "deny file-write*",
      seatbeltPatterns(gates, project).map((pattern) => `(regex #${quote(pattern)})`),
    ),
    ...(gitWritable && gitDirs.length > 0 ? [rule("allow file-write*", gitDirs.map(subpath))] : []),
    ...(kept.length > 0 ? [rule("deny file-write*", kept.map(subpath)), rule("deny file-write*", kept.map(anyCase))] : []),
    // A folder above a protected path cannot be renamed, nor can a git dir.
    ...(above.size + gitDirs.length > 0 ? [rule("deny file-write-unlink", [...above, ...gitDirs].map(literal))] : []),
    rule("deny file-write-unlink", [literal(project)]),
    `(allow network-outbound (remote tcp ${quote(`localhost:${proxyPort}`)}))`,
    "",
  ].join("\n");
}

function rule(what: string, filters: readonly string[]): string {
  return `(${what}\n${filters.map((filter) => `  ${filter}`).join("\n")})`;
}

const subpath = (path: string) => `(subpath ${quote(path)})`;
const literal = (path: string) => `(literal ${quote(path)})`;
/** The same path in another case. */
const anyCase = (path: string) =>
  `(regex #${quote(`^${escapePath(path).replaceAll(/[a-zA-Z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)}(/|$)`)})`;

/** Paths with quotes or line ends are refused before (checkSeatbeltPlace). */
function quote(text: string): string {
  return `"${text}"`;
}

/** Folders strictly between the project and a path in it. */
function between(path: string, project: string): string[] {
  const found: string[] = [];
  for (let at = dirname(path); at !== project && isWithin(at, project); at = dirname(at)) found.push(at);
  return found;
}

/** True for a path that can stand in a profile as it is. */
export function isPlainPath(path: string): boolean {
  return /^\/[^"\\\n\r\0]*$/.test(path);
}
