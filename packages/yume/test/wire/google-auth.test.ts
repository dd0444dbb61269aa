// Who we are to Google: key, credentials file, gcloud, application default credentials; and where Vertex AI is.
import { createVerify, generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProvider } from "../../src/providers/index.ts";
import { ask } from "./ask.ts";
import { type ScriptedModel, startScriptedModel } from "./server.ts";
import { refusal } from "./torture/scenario.ts";

let folder: string;
let model: ScriptedModel;
let tokens: Server;
let tokenUri: string;
let asked: URLSearchParams[];
let tokenAnswer: { status: number; body: unknown };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "yume-google-"));
  model = await startScriptedModel(() => ({ content: [{ type: "text", text: "hi" }] }));
  asked = [];
  tokenAnswer = { status: 200, body: { access_token: "ya29.token", expires_in: 3600 } };
  tokens = createServer((incoming, response) => {
    let text = "";
    incoming.on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => {
      asked.push(new URLSearchParams(text));
      response.writeHead(tokenAnswer.status, { "content-type": "application/json" }).end(JSON.stringify(tokenAnswer.body));
    });
  });
  await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
  tokenUri = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
});
afterEach(async () => {
  await model.close();
  tokens.closeAllConnections();
  await new Promise((resolve) => tokens.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** A home without gcloud and without credentials. */
const home = (more: Record<string, string> = {}) => ({
  HOME: folder,
  PATH: [folder, dirname(process.execPath)].join(delimiter),
  GOOGLE_GEMINI_BASE_URL: model.url,
  ...more,
});

const gemini = (more: Record<string, string> = {}) => createProvider({ provider: "gemini", env: home(more) });

function installGcloud(script: string): void {
  writeFileSync(join(folder, "gcloud"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "gcloud"), 0o755);
}

function writeCredentials(content: unknown, path = join(folder, "credentials.json")): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const user = () => ({
  type: "authorized_user",
  client_id: "id",
  client_secret: "s3cret",
  refresh_token: "refresh",
  quota_project_id: "payer",
  token_uri: tokenUri,
});
const headers = () => model.requests.at(-1)?.headers ?? {};

describe("an API key", () => {
  it("[YUME-AUTH-1] comes from GEMINI_API_KEY, or from GOOGLE_API_KEY, which wins", async () => {
    await ask(await gemini({ GEMINI_API_KEY: "one" }));
    expect(headers()["x-goog-api-key"]).toBe("one");
    await ask(await gemini({ GEMINI_API_KEY: "one", GOOGLE_API_KEY: "two" }));
    expect(headers()["x-goog-api-key"]).toBe("two");
    expect(headers().authorization).toBeUndefined();
  });
});

describe("gcloud", () => {
  it("[YUME-AUTH-2] gives a token, which is asked for once", async () => {
    installGcloud(`echo x >> ${join(folder, "calls")}; [ "$*" = "auth print-access-token" ] && echo ya29.gcloud`);
    const provider = await gemini({ GOOGLE_CLOUD_PROJECT: "proj" });
    await ask(provider);
    await ask(provider);
    expect(headers()).toMatchObject({ authorization: "Bearer ya29.gcloud", "x-goog-user-project": "proj" });
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(join(folder, "calls"), "utf8")).toBe("x\n");
  });

  it("[YUME-AUTH-2] is asked again when its token is refused", async () => {
    await model.close();
    model = await startScriptedModel([refusal("gemini", 401, "expired"), { content: [{ type: "text", text: "hi" }] }]);
    installGcloud(`echo x >> ${join(folder, "calls")}; echo token-$(wc -l < ${join(folder, "calls")} | tr -d ' ')`);
    const { PATH } = process.env;
    const heard = await ask(await gemini({ PATH: `${folder}${delimiter}${PATH}` }));
    expect(heard.text).toBe("hi");
    expect(model.requests.map((request) => request.headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("[YUME-AUTH-4] without anything, the error says what to set", async () => {
    const { error } = await ask(await gemini());
    expect(error).toMatchObject({ kind: "auth" });
    expect(error?.message).toMatch(/GEMINI_API_KEY.*gcloud is not installed.*gcloud auth application-default login/s);
    installGcloud("echo secret-in-output; exit 1");
    const failed = await ask(await gemini());
    expect(failed.error?.message).toMatch(/gcloud ended with 1/);
    expect(failed.error?.message).not.toContain("secret-in-output");
  });
});

describe("application default credentials", () => {
  it("[YUME-AUTH-3] a refresh token is traded for a token, which is kept while it lasts", async () => {
    writeCredentials(user(), join(folder, ".config/gcloud/application_default_credentials.json"));
    const provider = await gemini();
    await ask(provider);
    await ask(provider);
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      grant_type: "refresh_token",
      client_id: "id",
      client_secret: "s3cret",
      refresh_token: "refresh",
    });
    expect(headers()).toMatchObject({ authorization: "Bearer ya29.token", "x-goog-user-project": "payer" });
  });

  it("[YUME-AUTH-3] a token that is about to end is traded again", async () => {
    tokenAnswer.body = { access_token: "short", expires_in: 30 };
    const provider = await gemini({ GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(user()) });
    await ask(provider);
    await ask(provider);
    expect(asked).toHaveLength(2);
  });

  it("[YUME-AUTH-3] a service account signs for itself, and names the project for Vertex AI", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const path = writeCredentials({
      type: "service_account",
      project_id: "sa-project",
      client_email: "robot@sa-project.iam",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      token_uri: tokenUri,
    });
    const env = {
      ...home({ GOOGLE_APPLICATION_CREDENTIALS: path, GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_LOCATION: "europe-west4" }),
      GOOGLE_VERTEX_BASE_URL: model.url,
    };
    await ask(await createProvider({ provider: "gemini", env }), undefined);
    const assertion = asked[0]?.get("assertion") ?? "";
    const [head = "", claims = "", signature = ""] = assertion.split(".");
    expect(createVerify("RSA-SHA256").update(`${head}.${claims}`).verify(publicKey, signature, "base64url")).toBe(true);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ iss: "robot@sa-project.iam", aud: tokenUri });
    expect(model.requests[0]?.path).toBe(
      "/v1/projects/sa-project/locations/europe-west4/publishers/google/models/scripted:streamGenerateContent?alt=sse",
    );
  });

  it.each([
    ["no file", null, /ENOENT/],
    ["no JSON", "hello", /no JSON object/],
    ["another type", { type: "external_account" }, /only service_account and authorized_user/],
    ["a field is missing", { type: "authorized_user", client_id: "x" }, /client_secret is missing/],
    ["a key that cannot sign", { type: "service_account", client_email: "a", private_key: "b" }, /cannot sign/],
  ])("[YUME-AUTH-4] a credentials file that cannot be used is named: %s", async (_name, content, pattern) => {
    const path = content === null ? join(folder, "nowhere.json") : writeCredentials(content);
    const { error } = await ask(await gemini({ GOOGLE_APPLICATION_CREDENTIALS: path }));
    expect(error).toMatchObject({ kind: "auth", message: expect.stringMatching(pattern) });
    expect(error?.message).toContain(path);
  });

  it("[YUME-AUTH-4] a refresh token that was revoked is an auth error, told without secrets", async () => {
    tokenAnswer = { status: 400, body: { error: "invalid_grant", error_description: "Token has been revoked." } };
    const { error } = await ask(await gemini({ GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(user()) }));
    expect(error).toMatchObject({
      kind: "auth",
      message: expect.stringMatching(/revoked.*gcloud auth application-default login/),
    });
    expect(error?.message).not.toMatch(/s3cret|refresh\b/);
  });
});

describe("Vertex AI", () => {
  it("[YUME-AUTH-4] without a project, the error says what to set", async () => {
    installGcloud("echo ya29.gcloud");
    const { error } = await ask(await gemini({ GOOGLE_GENAI_USE_VERTEXAI: "1" }));
    expect(error).toMatchObject({ kind: "auth", message: expect.stringContaining("GOOGLE_CLOUD_PROJECT") });
  });
});
