// Whether a file pattern (`-name`, `--include`, a Grep or Glob tool's) is meant to find files of credentials. `*` alone finds every
// file and is not meant for any.
import { expandBraces } from "./expand-braces.ts";
import { isSecretPath } from "./secret-files.ts";

const SAMPLES = [
  ...[".env", ".env.local", ".envrc", "prod.env", ".npmrc", ".netrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd"],
  ...["id_rsa", "id_ed25519", "server.pem", "server.key", "cert.p12", "cert.pfx", "store.jks", "key.asc", "key.gpg", "x.kdbx"],
  ...[
    "credentials",
    "credentials.json",
    "secret",
    "secrets",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
    "service-account.json",
  ],
  ...["auth.json", "terraform.tfvars", "terraform.tfstate", ".bash_history", ".zsh_history", ".claude.json"],
  ...[".ssh", ".aws", ".gnupg", ".hap", "environ"],
];
const EVERYTHING = /^[*?.,/]*$/;

/** The patterns of a search tool's field: hosts split it at white space, and at commas outside of braces. */
export function splitGlobs(text: string): readonly string[] {
  const globs: string[] = [];
  let depth = 0;
  let glob = "";
  for (const char of text) {
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    if (/\s/.test(char) || (char === "," && depth <= 0)) {
      if (glob !== "") globs.push(glob);
      glob = "";
      depth = 0;
    } else glob += char;
  }
  return glob === "" ? globs : [...globs, glob];
}

/** True for a pattern that matches every file. */
export function matchesEverything(glob: string): boolean {
  return EVERYTHING.test(glob.split("/").at(-1) ?? "");
}

/** True for a pattern that can match a known name of a secret, and does not simply match everything. `!glob` leaves files out. */
export function canNameSecret(pattern: string): boolean {
  if (pattern === "" || pattern.startsWith("!")) return false;
  // A backslash only quotes the character behind it; braces that cannot be expanded could hold any name.
  const globs = expandBraces(pattern.toLowerCase().replaceAll("\\", ""));
  return globs.some((glob) => /[{}]/.test(glob) || canNameOne(glob));
}

function canNameOne(glob: string): boolean {
  if (isSecretPath(glob.replaceAll(/[*?]/g, "x"))) return true;
  const parts = glob.split("/");
  const last = parts.at(-1) ?? "";
  if (parts.some((part) => /^\.(?:ssh|aws|gnupg|hap|kube)$/.test(part))) return true;
  if (EVERYTHING.test(last)) return /^\.[*?]/.test(last);
  const wanted = toRegExp(last);
  return SAMPLES.some((name) => wanted.test(name));
}

function toRegExp(glob: string): RegExp {
  const body = glob.replaceAll(/\[[^\]]*\]|\*+|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part.startsWith("*")) return "[^/]*";
    return part === "?" || part.length > 1 ? "[^/]" : `\\${part}`;
  });
  return new RegExp(`^${body}$`, "s");
}
