// Who we are to Google, in this order: an API key; the credentials file that is named; what gcloud says; the credentials
// file that `gcloud auth application-default login` leaves. Tokens are kept until shortly before they end.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PermanentModelError } from "../permanent-error.ts";
import type { CredentialsFile } from "./credentials-file.ts";

type GoogleAccess = { headers: Record<string, string>; secrets: string[]; project: string | null };

export type GoogleAuth = {
  readonly hint: string;
  access(signal: AbortSignal): Promise<GoogleAccess>;
  /** Forgets the token; true when the next one can be another. */
  renew(): boolean;
};

/** A bearer token; `until` in milliseconds, `quotaProject` for who pays. */
export type Token = { token: string; until: number; quotaProject: string | null; project: string | null };

/** gcloud does not say how long its token lasts; it is an hour, some of it gone. */
const gcloudTokenMs = 5 * 60_000;
const earlyMs = 60_000;

export function googleAuth(env: NodeJS.ProcessEnv): GoogleAuth {
  // When both are set, Google's own clients take GOOGLE_API_KEY.
  const keyName = env.GOOGLE_API_KEY ? "GOOGLE_API_KEY" : "GEMINI_API_KEY";
  const key = env[keyName];
  return key ? keyAuth(keyName, key) : tokenAuth(env);
}

function keyAuth(name: string, key: string): GoogleAuth {
  return {
    hint: `The key in ${name} was not accepted: set it to a valid one.`,
    access: async () => ({ headers: { "x-goog-api-key": key }, secrets: [key], project: null }),
    renew: () => false,
  };
}

function tokenAuth(env: NodeJS.ProcessEnv): GoogleAuth {
  let kept: Token | null = null;
  return {
    hint: "Set GEMINI_API_KEY to your key, or sign in with `gcloud auth application-default login`.",
    async access(signal) {
      if (kept === null || kept.until - earlyMs < Date.now()) kept = await findToken(env, signal);
      const { token, quotaProject, project } = kept;
      return {
        headers: {
          authorization: `Bearer ${token}`,
          ...(quotaProject !== null && { "x-goog-user-project": quotaProject }),
        },
        secrets: [token],
        project,
      };
    },
    renew() {
      const had = kept !== null;
      kept = null;
      return had;
    },
  };
}

async function findToken(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Token> {
  const named = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) return fromFile(named, env, signal);
  const { runForOutput } = await import("../programs/run-for-output.ts");
  const gcloud = await runForOutput("gcloud", ["auth", "print-access-token"], { env, signal });
  if (gcloud.ok && gcloud.output !== "")
    return {
      token: gcloud.output,
      until: Date.now() + gcloudTokenMs + earlyMs,
      quotaProject: env.GOOGLE_CLOUD_QUOTA_PROJECT || env.GOOGLE_CLOUD_PROJECT || null,
      project: env.GOOGLE_CLOUD_PROJECT || null,
    };
  const known = wellKnownFile(env);
  if (existsSync(known)) return fromFile(known, env, signal);
  throw new PermanentModelError(
    "auth",
    `Gemini knows nobody here: GEMINI_API_KEY is not set, ${gcloud.ok ? "gcloud gave no token" : `gcloud did not help (${gcloud.why})`}, and there are no application default credentials. Set GEMINI_API_KEY to your key, or run \`gcloud auth application-default login\`.`,
  );
}

async function fromFile(path: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Token> {
  const { readCredentialsFile, tokenFrom } = await import("./credentials-file.ts");
  const credentials: CredentialsFile = readCredentialsFile(path);
  return tokenFrom(credentials, path, env, signal);
}

/** Where gcloud leaves the application default credentials. */
function wellKnownFile(env: NodeJS.ProcessEnv): string {
  const name = "application_default_credentials.json";
  if (env.CLOUDSDK_CONFIG) return join(env.CLOUDSDK_CONFIG, name);
  if (env.APPDATA) return join(env.APPDATA, "gcloud", name);
  return join(env.HOME || homedir(), ".config", "gcloud", name);
}
