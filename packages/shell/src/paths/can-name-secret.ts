// Whether a file pattern (`-name`, `--include`, a Grep or Glob tool's) is meant to find files of credentials. `*` alone finds every
// file and means none.
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
  ...["auth.json", "terraform.tfvars", "terraform.tfstate", ".bash_history", ".zsh_history", "settings.json", ".claude.json"],
  ...[".ssh", ".aws", ".gnupg", ".hap", "environ"],
];
const EVERYTHING = /^[*?.{},/]*$/;

/** True for a pattern that can match a known name of a secret, and does not simply match everything. */
export function canNameSecret(pattern: string): boolean {
  const text = pattern.replace(/^!/, "").toLowerCase();
  if (text === "" || pattern.startsWith("!")) return false;
  if (isSecretPath(text.replaceAll(/[*?]/g, "x"))) return true;
  const parts = text.split("/");
  const last = parts.at(-1) ?? "";
  if (parts.some((part) => /^\.(?:ssh|aws|gnupg|hap|kube)$/.test(part))) return true;
  if (EVERYTHING.test(last)) return /^\.[*?]/.test(last);
  const wanted = toRegExp(last);
  // Settings of a host are secrets only at home; a search for them elsewhere is an ordinary one.
  return SAMPLES.some((name) => name !== "settings.json" && wanted.test(name));
}

function toRegExp(glob: string): RegExp {
  const body = glob.replaceAll(/\[[^\]]*\]|\*+|\?|\{[^{}]*\}|[\\^$.|+()[\]{}]/g, (part) => {
    if (part.startsWith("*")) return "[^/]*";
    if (part === "?" || part.startsWith("[")) return "[^/]";
    if (/^\{.*\}$/s.test(part)) return `(?:${part.slice(1, -1).split(",").map(literally).join("|")})`;
    return `\\${part}`;
  });
  return new RegExp(`^${body}$`, "s");
}

/** Inside of braces a star stays one. */
function literally(text: string): string {
  return text.replaceAll(/[\\^$.|+()[\]{}?]/g, "\\$&").replaceAll("*", "[^/]*");
}
