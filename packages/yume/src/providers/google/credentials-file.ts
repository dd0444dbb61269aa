// Google's application default credentials: a service account signs for itself, a user's refresh token is traded in.
import { createSign } from "node:crypto";
import { readFileSync } from "node:fs";
import { ModelError } from "../../model/types.ts";
import { isObject, parseJson } from "../call-arguments.ts";
import { PermanentModelError } from "../permanent-error.ts";
import { type Answer, Poster } from "../transport/post.ts";
import type { Token } from "./google-auth.ts";

export type CredentialsFile =
  | {
      type: "service_account";
      client_email: string;
      private_key: string;
      token_uri: string;
      project: string | null;
      quotaProject: string | null;
    }
  | {
      type: "authorized_user";
      client_id: string;
      client_secret: string;
      refresh_token: string;
      token_uri: string;
      project: null;
      quotaProject: string | null;
    };

const defaultTokenUri = "https://oauth2.googleapis.com/token";
const scope = "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/generative-language.retriever";
const lifetimeSeconds = 3600;

export function readCredentialsFile(path: string): CredentialsFile {
  const wrong = (why: string) =>
    new PermanentModelError(
      "auth",
      `${path} is no credentials file that can be used: ${why}. Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account, or run \`gcloud auth application-default login\`.`,
    );
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
  const file = parseJson(text);
  if (!isObject(file)) throw wrong("it holds no JSON object");
  const field = (name: string): string => {
    const value = file[name];
    if (typeof value !== "string" || value === "") throw wrong(`${name} is missing`);
    return value;
  };
  const optional = (name: string) => (typeof file[name] === "string" && file[name] !== "" ? file[name] : null);
  const shared = { token_uri: optional("token_uri") ?? defaultTokenUri, quotaProject: optional("quota_project_id") };
  if (file.type === "service_account")
    return {
      ...shared,
      type: file.type,
      client_email: field("client_email"),
      private_key: field("private_key"),
      project: optional("project_id"),
    };
  if (file.type === "authorized_user")
    return {
      ...shared,
      type: file.type,
      client_id: field("client_id"),
      client_secret: field("client_secret"),
      refresh_token: field("refresh_token"),
      project: null,
    };
  throw wrong(`its type is ${String(file.type)}, and only service_account and authorized_user are known`);
}

/** Trades the credentials for a bearer token. */
export async function tokenFrom(
  file: CredentialsFile,
  path: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Token> {
  const form =
    file.type === "service_account"
      ? { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: assertion(file, path) }
      : {
          grant_type: "refresh_token",
          client_id: file.client_id,
          client_secret: file.client_secret,
          refresh_token: file.refresh_token,
        };
  const answer = await new Poster(env).post({
    url: file.token_uri,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(form).toString(),
    signal,
    idleTimeoutMs: 20_000,
    label: "Google's sign-in",
  });
  const said = parseJson(await readAll(answer));
  const told = isObject(said) ? said : {};
  if (answer.status >= 500)
    throw new ModelError("overloaded", `Google's sign-in answered ${answer.status}`, { status: answer.status });
  if (answer.status !== 200 || typeof told.access_token !== "string")
    throw new PermanentModelError(
      "auth",
      `Google did not accept ${path} (${answer.status} ${String(told.error ?? "")} ${String(told.error_description ?? "")}); run \`gcloud auth application-default login\` again, or set GEMINI_API_KEY.`,
      { status: answer.status },
    );
  const seconds = typeof told.expires_in === "number" ? told.expires_in : lifetimeSeconds;
  return {
    token: told.access_token,
    until: Date.now() + seconds * 1000,
    quotaProject: file.type === "authorized_user" ? file.quotaProject : null,
    project: file.project ?? file.quotaProject,
  };
}

function assertion(file: Extract<CredentialsFile, { type: "service_account" }>, path: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: file.client_email, scope, aud: file.token_uri, iat: now, exp: now + lifetimeSeconds };
  const unsigned = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  try {
    return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(file.private_key, "base64url")}`;
  } catch {
    throw new PermanentModelError(
      "auth",
      `the private_key in ${path} cannot sign; download a new key file of the service account`,
    );
  }
}

async function readAll({ body }: Answer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
