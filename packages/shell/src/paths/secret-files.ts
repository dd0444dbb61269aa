// Files that hold credentials, as a table. Matched against the folded path, so that case and look-alikes do not help.
// Public halves and templates (`id_rsa.pub`, `.env.example`) are named first and are not secret.
import { foldName, LONGEST_PATH } from "./fold-name.ts";

const PUBLIC = [/\/\.env\.(?:example|sample|template|dist|defaults?)$/, /\/[^/]+\.pub$/, /\/\.ssh\/known_hosts$/];

const SECRET = [
  /\/\.env(?:\.[^/]*|rc)?$/,
  /\/[^/]+\.env$/,
  /\/\.(?:ssh|gnupg|password-store|azure|oci|vault-token|kube)(?:\/|$)/,
  /\/\.aws(?:\/|$)/,
  /\/\.config\/(?:gh|hub|gcloud|op|doctl|rclone|sops|heroku)(?:\/|$)/,
  /\/\.docker\/config\.json$/,
  /\/\.(?:netrc|pgpass|my\.cnf|npmrc|pypirc|git-credentials|htpasswd|s3cfg|boto|dockercfg|terraformrc|yarnrc\.yml)$/,
  /\/_netrc$/,
  /\/\.(?:cargo|gem)\/credentials(?:\.toml)?$/,
  /\/\.claude\/\.credentials\.json$/,
  /\/\.codex\/auth\.json$/,
  /\/id_(?:rsa|dsa|ecdsa|ed25519)(?:_[^/]*)?$/,
  /\/[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age|tfvars|tfstate|ovpn)$/,
  /\/(?:credentials?|secrets?|service[-_]?account[^/]*)(?:\.(?:json|ya?ml|toml|ini|txt|xml|properties))?$/,
  /\/(?:master|production)\.key$/,
  /\/library\/keychains(?:\/|$)/,
  /\/(?:login data|cookies(?:\.sqlite)?|key4\.db|logins\.json)$/,
  /\/\.(?:bash|zsh|psql|mysql|python|node_repl)_history$/,
  /^\/etc\/(?:shadow|gshadow|sudoers|ssl\/private)(?:[-/]|$)/,
  /^\/proc\/[^/]+\/(?:environ|mem|maps)$/,
  /^\/(?:var\/)?run\/secrets(?:\/|$)/,
];

/** Whether a path (absolute, or as far as the text tells) names a file or folder of credentials. */
export function isSecretPath(path: string): boolean {
  if (path.length > LONGEST_PATH) return true;
  const folded = foldName(path.startsWith("/") ? path : `/${path}`);
  return !PUBLIC.some((pattern) => pattern.test(folded)) && SECRET.some((pattern) => pattern.test(folded));
}
