// Enrolment, revocation and login (D25): what vouches for a key, which keys are taken, and who may take them out of use.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewCredential } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { Authenticator, coseKey } from "./signing/authenticator.ts";
import { decide } from "./signing/decisions.ts";
import { enrolPasskey, enrolSsh } from "./signing/enrol.ts";
import { SshKey, TokenKey } from "./signing/ssh-keys.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;
let passkey: Authenticator;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world, trust: "remote" });
  passkey = new Authenticator();
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

const begin = (change = {}) =>
  engine.beginEnrolment({ person: "alex", kind: "passkey", rp_id: passkey.rpId, origin: passkey.origin, ...change });
const code = (person = "alex") => engine.issueCode({ purpose: "enrol", person }).code;

describe("a first key", () => {
  it("[CRED-ENROL-1] needs a code that its person types, and is an event with the key but without words", () => {
    const { statement, challenge, needs, expires_at } = begin({ label: "My laptop" });
    expect(needs).toBe("code");
    expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Date.parse(expires_at) - world.now()).toBe(300_000);
    expect(statement).toMatchObject({ typ: "hap.enrol/1", kind: "passkey", public_key_hash: null, origin: passkey.origin });
    const made = engine.enrolCredential({ nonce: statement.nonce, credential: passkey.material, code: code() });
    expect(made).toMatchObject({
      id: passkey.id,
      person: "human:alex",
      kind: "passkey",
      algorithm: "ES256",
      public_key: passkey.material.public_key,
      label: "My laptop",
      rp_id: "hap.localhost",
      origins: [passkey.origin],
      transports: ["internal"],
      user_verification: true,
      anchored: true,
      level: "passkey",
      revoked_at: null,
    });
    const payload = engine.getEvents().find(({ type }) => type === "credential.enrol")?.payload;
    expect(payload).toMatchObject({ proof: "code", assertion: null, credential: { public_key: passkey.material.public_key } });
    expect(JSON.stringify(payload)).not.toContain("laptop");
    expect(JSON.stringify(payload)).not.toContain("alex");
    expect(engine.credentials({ person: "alex" })).toEqual([made]);
    expect(engine.credentials({ person: "sam" })).toEqual([]);
    expect(store.open({ world, trust: "remote" }).credentials()).toEqual([made]);
  });

  it("[CRED-ENROL-1] is refused without the code, with a wrong one and with somebody else's", () => {
    const { statement } = begin();
    const finish = (typed?: string) =>
      refusal(() => engine.enrolCredential({ nonce: statement.nonce, credential: passkey.material, code: typed })).code;
    expect(finish()).toBe("code_wrong");
    expect(finish("0000-0000")).toBe("code_wrong");
    expect(finish(code("sam"))).toBe("code_wrong");
    expect(finish(engine.issueCode({ purpose: "login", person: "alex" }).code)).toBe("code_wrong");
    expect(engine.credentials()).toEqual([]);
    expect(engine.enrolCredential({ nonce: statement.nonce, credential: passkey.material, code: code() }).id).toBe(passkey.id);
  });

  it("[CRED-ENROL-2] is given out once, for five minutes, to whoever asked", () => {
    const { statement } = begin();
    const finish = (person?: string) => () =>
      engine.enrolCredential({ nonce: statement.nonce, credential: passkey.material, code: code(), person });
    expect(refusal(finish("sam")).code).toBe("statement_mismatch");
    finish("alex")();
    expect(refusal(finish()).code).toBe("statement_mismatch");
    const late = begin({ person: "sam" }).statement.nonce;
    world.advance(300_000);
    const again = () => engine.enrolCredential({ nonce: late, credential: new Authenticator().material, code: code("sam") });
    expect(refusal(again).code).toBe("intent_expired");
  });
});

describe("a later key", () => {
  it("[CRED-ENROL-3] needs an assertion by an older one, over the new key itself", () => {
    enrolPasskey(engine, passkey);
    const next = new Authenticator("EdDSA");
    const { statement, needs } = begin();
    expect(needs).toBe("assertion");
    const finish = (more: object) => engine.enrolCredential({ nonce: statement.nonce, credential: next.material, ...more });
    expect(refusal(() => finish({ code: code() })).code).toBe("signature_needed");
    expect(refusal(() => finish({ assertion: passkey.assert(statement) })).code).toBe("statement_mismatch");
    const swapped = engine.enrolmentChallenge(statement.nonce, new Authenticator().material).statement;
    expect(refusal(() => finish({ assertion: passkey.assert(swapped) })).code).toBe("statement_mismatch");
    const vouch = engine.enrolmentChallenge(statement.nonce, next.material).statement;
    expect(refusal(() => finish({ assertion: next.assert(vouch) })).code).toBe("credential_unknown");
    expect(finish({ assertion: passkey.assert(vouch) }).id).toBe(next.id);
    expect(engine.getEvents().findLast(({ type }) => type === "credential.enrol")?.payload).toMatchObject({
      proof: "assertion",
      assertion: { credential_id: passkey.id },
    });
  });

  it("[CRED-ENROL-3] may be vouched for by an SSH key, in the namespace of enrolment", () => {
    const folder = mkdtempSync(join(tmpdir(), "hap-ssh-"));
    try {
      const key = new SshKey(folder, "ed25519");
      enrolSsh(engine, key.line);
      const wrong = { by: (s: Parameters<SshKey["sign"]>[0]) => key.sign(s, { namespace: "hap.intent" }) };
      expect(refusal(() => enrolPasskey(engine, passkey, wrong)).code).toBe("ceremony_mismatch");
      expect(enrolPasskey(engine, passkey, { by: (s) => key.sign(s) }).kind).toBe("passkey");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("[CRED-ENROL-3] of a person whose keys are all revoked is a first one again", () => {
    enrolPasskey(engine, passkey);
    engine.revokeCredential({ id: passkey.id, by: "alex" });
    expect(begin().needs).toBe("code");
  });

  it("[CRED-ENROL-4] that is enrolled already, or was revoked, is refused, for whomever", () => {
    enrolPasskey(engine, passkey);
    expect(refusal(() => enrolPasskey(engine, passkey, { person: "sam" })).code).toBe("credential_exists");
    const sameKey = { ...passkey.material, id: "b3RoZXI" };
    expect(refusal(() => enrolPasskey(engine, passkey, { person: "sam", material: sameKey })).code).toBe("credential_exists");
    engine.revokeCredential({ id: passkey.id, by: "alex" });
    expect(refusal(() => enrolPasskey(engine, passkey)).message).toContain("was revoked");
  });
});

describe("key material", () => {
  const rsa1024 = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
  const spki = (key: typeof rsa1024) => key.export({ format: "der", type: "spki" }).toString("base64url");
  const cose = coseKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey, "ES256");
  const bad: [string, string, Partial<NewCredential>][] = [
    ["that is no base64url", "invalid_input", { public_key: "not a key!" }],
    ["that is neither COSE nor DER", "invalid_input", { public_key: "AAAA" }],
    ["that is DER of something else", "invalid_input", { public_key: "MAMCAQA" }],
    ["of RSA with too few bits", "invalid_input", { public_key: spki(rsa1024) }],
    ["of another curve", "invalid_input", { public_key: spki(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey) }],
    ["of another kind", "invalid_input", { public_key: spki(generateKeyPairSync("x25519").publicKey) }],
    ["of COSE that ends early", "invalid_input", { public_key: cose.subarray(0, -1).toString("base64url") }],
    [
      "of COSE with something behind",
      "invalid_input",
      { public_key: Buffer.concat([cose, Buffer.from([0])]).toString("base64url") },
    ],
    [
      "of COSE for another algorithm",
      "invalid_input",
      { public_key: Buffer.concat([cose.subarray(0, 4), Buffer.from([0x27]), cose.subarray(5)]).toString("base64url") },
    ],
    [
      "of COSE for a point off the curve",
      "invalid_input",
      { public_key: Buffer.concat([cose.subarray(0, -1), Buffer.from([(cose.at(-1) as number) ^ 1])]).toString("base64url") },
    ],
    ["without an id", "invalid_input", { id: undefined }],
    ["made without user verification", "user_verification_missing", { user_verification: false }],
    ["with a negative counter", "invalid_input", { sign_count: -1 }],
  ];
  it.each(bad)("[CRED-KEY-1] %s is refused (%s) before a code is used up", (_, expected, change) => {
    const { statement } = begin();
    const typed = code();
    const credential = { ...passkey.material, ...change };
    const error = refusal(() => engine.enrolCredential({ nonce: statement.nonce, credential, code: typed }));
    expect(error.code).toBe(expected);
    expect(engine.enrolCredential({ nonce: statement.nonce, credential: passkey.material, code: typed }).id).toBe(passkey.id);
  });

  const line = new TokenKey("ES256").line;
  it.each([
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA"],
    ["nothing", " "],
    ["two lines", `${line}\n${line}`],
    ["a key of another type", "ssh-dss AAAAB3NzaC1kc3MAAAAA"],
    ["a key that ends early", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=="],
    [
      "a key with something behind",
      `${line.split(" ")[0]} ${Buffer.concat([new TokenKey("ES256").blob, Buffer.from([0])]).toString("base64")}`,
    ],
  ])("[CRED-KEY-1] of SSH that is %s is refused", (_, wrong) => {
    expect(refusal(() => enrolSsh(engine, wrong)).code).toBe("invalid_input");
  });

  it("[CRED-KEY-1] of an SSH certificate is refused", () => {
    const folder = mkdtempSync(join(tmpdir(), "hap-ssh-"));
    const key = new SshKey(folder, "ed25519");
    writeFileSync(join(folder, "ca.pub"), key.line);
    execFileSync("ssh-keygen", ["-q", "-s", key.file, "-I", "alex", `${key.file}.pub`]);
    const certificate = execFileSync("cat", [`${key.file}-cert.pub`], { encoding: "utf8" }).trim();
    rmSync(folder, { recursive: true });
    expect(refusal(() => enrolSsh(engine, certificate)).code).toBe("invalid_input");
  });

  it.each([
    [{ rp_id: "evil.example" }],
    [{ rp_id: "localhost:8787" }],
    [{ rp_id: undefined }],
    [{ origin: "http://hap.example.com", rp_id: "hap.example.com" }],
    [{ origin: "http://hap.localhost:8787/page" }],
    [{ origin: "http://nothap.localhost" }],
    [{ origin: undefined }],
    [{ kind: "password" as "passkey" }],
    [{ label: "x".repeat(201) }],
  ])("[CRED-KEY-2] for a site or a kind that cannot be is refused: %j", (change) => {
    expect(refusal(() => begin(change)).code).toBe("invalid_input");
  });
});

describe("revoking", () => {
  beforeEach(() => enrolPasskey(engine, passkey));

  it("[CRED-REVOKE-1] needs no signature, is for good, and is told by the log", () => {
    expect(engine.revokeCredential({ id: passkey.id, by: "alex" })).toMatchObject({ revoked_at: "2026-01-31T10:00:00.000Z" });
    expect(engine.credentials({ revoked: false })).toEqual([]);
    expect(engine.credentials({ revoked: true })).toHaveLength(1);
    expect(refusal(() => engine.revokeCredential({ id: passkey.id, by: "alex" })).code).toBe("credential_revoked");
    expect(engine.getEvents().at(-1)?.payload).toMatchObject({ type: "credential.revoke", assertion: null, trust: "remote" });
  });

  it("[CRED-REVOKE-1] may be signed all the same", () => {
    const { statement } = engine.beginRevocation({ person: "alex", id: passkey.id });
    expect(statement).toMatchObject({ typ: "hap.revoke/1", credential_id: passkey.id });
    const input = { id: passkey.id, by: "alex", nonce: statement.nonce };
    const bad = passkey.assert({ ...statement, credential_id: "b3RoZXI" });
    expect(refusal(() => engine.revokeCredential({ ...input, assertion: bad })).code).toBe("statement_mismatch");
    engine.revokeCredential({ ...input, assertion: passkey.assert(statement) });
    expect(engine.getEvents().at(-1)?.payload).toMatchObject({ assertion: { credential_id: passkey.id } });
  });

  it("[CRED-REVOKE-1] is for the key's own person", () => {
    expect(refusal(() => engine.revokeCredential({ id: passkey.id, by: "sam" })).code).toBe("credential_unknown");
    expect(refusal(() => engine.revokeCredential({ id: "bm9uZQ", by: "alex" })).code).toBe("credential_unknown");
    expect(refusal(() => engine.revokeCredential({ id: passkey.id, by: "agent:ci" })).code).toBe("invalid_id");
  });
});

describe("a login by passkey", () => {
  beforeEach(() => enrolPasskey(engine, passkey));

  it("[CRED-LOGIN-1] names the person and the level, with and without saying who one is", () => {
    for (const person of ["alex", undefined]) {
      const { statement, credential_ids } = engine.beginLogin(person);
      expect(credential_ids).toEqual(person === undefined ? [] : [passkey.id]);
      const assertion = passkey.assert(statement);
      const done = { person: "human:alex", level: "passkey", credential_id: passkey.id };
      expect(engine.finishLogin({ nonce: statement.nonce, assertion })).toEqual(done);
      expect(refusal(() => engine.finishLogin({ nonce: statement.nonce, assertion })).code).toBe("statement_mismatch");
    }
    expect(engine.credentials()[0]?.sign_count).toBe(passkey.counter);
  });

  it("[CRED-LOGIN-1] refuses another person's key, an expired challenge, a copied key and a revoked one", () => {
    const sams = new Authenticator();
    enrolPasskey(engine, sams, { person: "sam" });
    const login = (by: Authenticator, change = {}) => {
      const { statement } = engine.beginLogin("alex");
      return engine.finishLogin({ nonce: statement.nonce, assertion: by.assert(statement, change) });
    };
    expect(refusal(() => login(sams)).code).toBe("credential_mismatch");
    expect(refusal(() => login(passkey, { counter: 1 })).code).toBe("counter_regressed");
    const { statement } = engine.beginLogin("alex");
    world.advance(300_000);
    const assertion = passkey.assert(statement);
    expect(refusal(() => engine.finishLogin({ nonce: statement.nonce, assertion })).code).toBe("intent_expired");
    engine.revokeCredential({ id: passkey.id, by: "alex" });
    expect(refusal(() => login(passkey)).code).toBe("credential_revoked");
  });

  it("[CRED-LOGIN-2] is no approval, and an approval is no login", () => {
    const id = engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make" } }).id;
    const { statement } = engine.beginLogin("alex");
    const assertion = passkey.assert(statement);
    expect(refusal(() => decide(engine, id, () => assertion)).code).toBe("statement_mismatch");
    const { statement: yes } = engine.issueChallenge(id, { decision: "approve", by: "human:alex" });
    expect(refusal(() => engine.finishLogin({ nonce: yes.nonce, assertion: passkey.assert(yes) })).code).toBe(
      "statement_mismatch",
    );
    const signed = { nonce: statement.nonce, assertion: passkey.assert(yes) };
    expect(refusal(() => engine.finishLogin(signed)).code).toBe("statement_mismatch");
  });
});

describe("a label", () => {
  it("[CRED-ERASE-1] is erased from every file by its person; the key still signs, and the log still verifies", () => {
    enrolPasskey(engine, passkey, { label: "Alexandra's private phone" });
    expect(refusal(() => engine.eraseCredential(passkey.id, "human:sam")).code).toBe("credential_unknown");
    expect(engine.eraseCredential(passkey.id, "alex", "it names me")).toMatchObject([{ field: "label" }]);
    expect(engine.credentials({ person: "alex" })).toMatchObject([{ id: passkey.id, label: "[erased]", revoked_at: null }]);
    for (const end of ["", "-wal"]) expect(readFileSync(`${store.path}${end}`).includes("private phone")).toBe(false);
    const second = new Authenticator("EdDSA");
    enrolPasskey(engine, second, { by: (statement) => passkey.assert(statement), label: "Another" });
    const { id } = engine.createTicket({ to: "human:alex" });
    expect(decide(engine, id, (statement) => passkey.assert(statement)).state).toBe("APPROVED");
    expect(refusal(() => engine.eraseCredential(passkey.id, "alex")).code).toBe("content_erased");
    engine.revokeCredential({ id: second.id, by: "alex" });
    expect(engine.eraseCredential(second.id, "alex")).toHaveLength(1);
  });
});
