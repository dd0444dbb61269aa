// Files that hold credentials, as a table. Matched against the folded path, so that case and look-alikes do not help.
// Public halves and templates (`id_rsa.pub`, `.env.example`) are named first and are not secret.
import { foldName, LONGEST_PATH } from "./fold-name.ts";

const PUBLIC = [/\/\.env[._-](?:example|sample|template|dist|defaults?)$/, /\/[^/]+\.pub$/, /\/\.ssh\/known_hosts$/];

const SECRET = [
  /\/\.env[^/]*$/,
  /\/[^/]+\.env$/,
  /\/\.(?:ssh|gnupg|password-store|azure|oci|vault-token|kube|fly|railway)(?:\/|$)/,
  /\/\.aws(?:\/|$)/,
  /\/\.config\/(?:gh|hub|gcloud|op|doctl|rclone|sops|heroku|hcloud|scw|netlify|configstore|\.wrangler|containers)(?:\/|$)/,
  /\/\.docker\/config\.json$/,
  /\/\.(?:netrc|pgpass|my\.cnf|npmrc|pypirc|git-credentials|htpasswd|s3cfg|boto|dockercfg|terraformrc|yarnrc\.yml)$/,
  /\/_netrc$/,
  /\/\.(?:cargo|gem)\/credentials(?:\.toml)?$/,
  /\/\.(?:m2\/settings[^/]*\.xml|gradle\/gradle\.properties|nuget\/nuget\/nuget\.config|bundle\/config)$/,
  /\/(?:\.composer|\.config\/composer|com\.vercel\.cli)\/auth\.json$/,
  /\/\.terraform\.d\/credentials[^/]*$/,
  /\/\.(?:config\/pip|pip)\/pip\.conf$/,
  /\/\.(?:config|local\/share)\/(?:github-copilot|stripe|ngrok|supabase|pypoetry|helm|linode-cli|turso|fly|keyrings|opencode\/auth\.json)(?:\/|$)/,
  /\/\.(?:cloudflared|ngrok2|supabase|kaggle|snowsql|ibmcloud|bluemix|databrickscfg|sentryclirc|vultr-cli\.yaml|bunfig\.toml)(?:\/|$)/,
  /\/\.(?:cache\/)?huggingface\/(?:token|stored_tokens)$/,
  /\/\.(?:gemini|qwen|iflow)\/(?:oauth_creds\.json|mcp-oauth-tokens[^/]*)$/,
  // The project's own policy is no secret; the store and its keys are.
  /\/\.hap(?:\/(?!policy\.json$)|$)/,
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
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps)$/,
  /^\/(?:var\/)?run\/secrets(?:\/|$)/,
];

/** Below the home folder: a host's settings hold keys of their own there. */
const SECRET_AT_HOME = [
  /^\/\.hap(?:\/|$)/,
  /^\/\.claude\/settings[^/]*\.json$/,
  /^\/\.claude\.json$/,
  /^\/\.codex\/(?:config\.toml|auth\.json)$/,
];

/** Whether a path (absolute, or as far as the text tells) names a file or folder of credentials. */
export function isSecretPath(path: string, home?: string): boolean {
  if (path.length > LONGEST_PATH) return true;
  const folded = foldName(path.startsWith("/") ? path : `/${path}`);
  if (PUBLIC.some((pattern) => pattern.test(folded))) return false;
  if (SECRET.some((pattern) => pattern.test(folded))) return true;
  const at = home === undefined || home === "/" ? undefined : foldName(home);
  return (
    at !== undefined && folded.startsWith(`${at}/`) && SECRET_AT_HOME.some((pattern) => pattern.test(folded.slice(at.length)))
  );
}
