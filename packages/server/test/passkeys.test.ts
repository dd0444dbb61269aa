// Passkeys end to end in a real browser with a virtual authenticator: made, used for a decision, checked by anyone.
import { canonicalJson, type Json } from "@hap/protocol";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/support/chromium.ts";
import { type Front, open, openFront } from "./front.ts";

let browser: Browser;
let front: Front;
let page: Page;
let cdp: CDPSession;
/** What the virtual authenticator chose of what the server offers. */
const algorithm = "ES256";

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

beforeEach(async () => {
  front = await openFront({
    real: true,
    trustFacts: { owner: "hap", ownerCanLogIn: false, othersCanWrite: false, reached: "tls" },
  });
  const context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`${front.url}/healthz`);
  cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  const { code } = front.engine.issueCode({ purpose: "login", person: "human:alex" });
  expect((await call("POST", "/v1/login/code", { code })).status).toBe(200);
});
afterEach(async () => {
  await page.context().close();
  await front.close();
});

/** A request of the page itself, with its cookie and origin. */
function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  return page.evaluate(
    async ([verb, address, json]) => {
      const response = await fetch(address as string, {
        method: verb as string,
        ...(json === undefined ? {} : { headers: { "content-type": "application/json" }, body: json as string }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  );
}

/** `navigator.credentials.create`, with what the server says. */
function register(options: unknown): Promise<unknown> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return made.toJSON();
  }, options);
}

/** `navigator.credentials.get` over a challenge of ours, as a signature of ours. */
function sign(challenge: string): Promise<Record<string, unknown>> {
  return page.evaluate(
    async ([text, name]) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
        challenge: text as string,
        userVerification: "required",
      });
      const used = ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON() as unknown as {
        id: string;
        response: Record<string, string>;
      };
      return {
        algorithm: name,
        credential_id: used.id,
        value: used.response.signature,
        authenticator_data: used.response.authenticatorData,
        client_data_json: used.response.clientDataJSON,
      };
    },
    [challenge, algorithm],
  );
}

async function enrol(): Promise<Record<string, unknown>> {
  const begun = (await call("POST", "/v1/credentials/enrolment", { kind: "passkey", label: "laptop" })).body;
  expect(begun.needs).toBe("code");
  const registration = await register(begun.options);
  const { code } = front.engine.issueCode({ purpose: "enrol", person: "human:alex" });
  const { nonce } = begun.statement as { nonce: string };
  const made = await call("POST", "/v1/credentials", { nonce, registration, code });
  expect(made.status).toBe(201);
  return made.body;
}

async function challengeFor(id: string, decision = "approve") {
  const issued = (await call("POST", `/v1/tickets/${id}/challenges`, { decision, comment: "signed" })).body;
  const statement = issued.statement as Given;
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(canonicalJson(statement)));
  return { statement, challenge: Buffer.from(digest).toString("base64url") };
}

type Given = Record<string, Json> & { nonce: string; expires_at: string; artifact_hash: string };
const intentOf = (statement: Given, signature: unknown) => ({
  ticket_id: statement.ticket_id,
  from: "human:alex",
  decision: "approve",
  artifact_hash: statement.artifact_hash,
  nonce: statement.nonce,
  expires_at: statement.expires_at,
  comment: "signed",
  signature,
});
const critical = { kind: "run_command", details: { command: "sudo reboot" } };

describe("a passkey", () => {
  it("[PASSKEY-E2E-1] is made once, and from then on signs each decision on a critical ticket", async () => {
    const credential = await enrol();
    expect(credential).toMatchObject({ kind: "passkey", algorithm: "ES256", anchored: true, level: "passkey", label: "laptop" });
    const id = await open(front.agent(), critical);
    expect((await call("GET", `/v1/tickets/${id}/needed`)).body).toEqual({ signature: "passkey", confirmed: false });
    expect((await call("POST", `/v1/tickets/${id}/intents`, { decision: "approve", confirmed: true })).body.code).toBe(
      "signature_needed",
    );
    const { statement, challenge } = await challengeFor(id);
    const decided = await call("POST", `/v1/tickets/${id}/intents`, intentOf(statement, await sign(challenge)));
    expect(decided.body).toMatchObject({
      state: "APPROVED",
      resolution: { assurance: "passkey", comment: "signed", actor: { id: "human:alex" } },
    });
    // The log holds the signature, and anyone who has the log can check it.
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
    const signed = front.engine.getEvents({ ticket: id }).find(({ type }) => type === "intent.sign");
    expect(signed?.payload).toMatchObject({ assurance: "passkey", intent: { signature: { credential_id: credential.id } } });
  });

  it("[PASSKEY-E2E-2] is refused when the signature is tampered with, replayed, or over something else", async () => {
    await enrol();
    const [id, other] = [await open(front.agent(), critical), await open(front.agent(), critical)];
    const { statement, challenge } = await challengeFor(id);
    const signature = await sign(challenge);
    const flipped = { ...signature, value: String(signature.value).replace(/^./, (first) => (first === "A" ? "B" : "A")) };
    const submit = (ticket: string, intent: unknown) => call("POST", `/v1/tickets/${ticket}/intents`, intent);
    expect((await submit(id, intentOf(statement, flipped))).status).toBe(403);
    expect((await submit(other, intentOf(statement, signature))).status).toBe(403);
    expect(front.engine.getTicket(id).state).not.toBe("APPROVED");
    const again = await challengeFor(id);
    const good = intentOf(again.statement, await sign(again.challenge));
    expect((await submit(id, good)).body.state).toBe("APPROVED");
    expect((await submit(id, good)).body.code).toMatch(/nonce_used|already_decided/);
    expect((await submit(other, { ...good })).status).toBeGreaterThanOrEqual(400);
    expect(front.engine.getTicket(other).state).not.toBe("APPROVED");
    expect(front.engine.getEvents().filter(({ type }) => type === "intent.invalid").length).toBeGreaterThanOrEqual(2);
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[PASSKEY-ENROL-1] cannot be added without the code from a terminal, and a second one needs the first", async () => {
    const begun = (await call("POST", "/v1/credentials/enrolment", { kind: "passkey" })).body;
    const { nonce } = begun.statement as { nonce: string };
    const registration = await register(begun.options);
    expect((await call("POST", "/v1/credentials", { nonce, registration })).status).toBe(403);
    expect((await call("POST", "/v1/credentials", { nonce, registration, code: "0000-0000" })).status).toBe(403);
    const { code } = front.engine.issueCode({ purpose: "enrol", person: "human:alex" });
    expect((await call("POST", "/v1/credentials", { nonce, registration, code })).status).toBe(201);
    const second = (await call("POST", "/v1/credentials/enrolment", { kind: "ssh" })).body;
    expect(second.needs).toBe("assertion");
  });

  it("[PASSKEY-LOGIN-1] signs its person in, and no longer when it was revoked", async () => {
    const credential = await enrol();
    await call("POST", "/v1/logout", {});
    expect((await call("GET", "/v1/me")).status).toBe(401);
    const begin = async () => {
      const begun = (await call("POST", "/v1/login/passkey/begin", {})).body;
      const assertion = await sign(begun.challenge as string);
      return call("POST", "/v1/login/passkey", { nonce: (begun.statement as { nonce: string }).nonce, assertion });
    };
    expect((await begin()).body).toMatchObject({ person: "human:alex" });
    expect((await call("GET", "/v1/me")).body.id).toBe("human:alex");
    expect((await call("POST", `/v1/credentials/${credential.id}/revoke`, {})).status).toBe(200);
    expect((await begin()).status).toBe(403);
  });
});
