// Decisions signed by a passkey (D23, D24): every algorithm is accepted, and every guard refuses what it is there for, with
// its own code, logged, and without any effect.
import { type ErrorCode, SIGNATURE_ALGORITHMS, type Signature, type Statement } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { Authenticator, type Twist } from "./signing/authenticator.ts";
import { challenge, decide, intentOf } from "./signing/decisions.ts";
import { enrolPasskey } from "./signing/enrol.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;
let passkey: Authenticator;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world, trust: "remote" });
  passkey = new Authenticator();
  enrolPasskey(engine, passkey);
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

const notable = () => engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make" } }).id;
const critical = () => engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot" } }).id;
const invalids = () =>
  engine.getEvents({ limit: 1000 }).flatMap(({ payload }) => (payload.type === "intent.invalid" ? [payload] : []));

describe("a decision signed by a passkey", () => {
  it.each(SIGNATURE_ALGORITHMS)(
    "[SIGN-ALGORITHMS-1] with %s is accepted, and the log holds what anyone can check",
    (algorithm) => {
      const own = new Authenticator(algorithm);
      enrolPasskey(engine, own, { by: (statement) => passkey.assert(statement), material: own.coseMaterial });
      const id = critical();
      const ticket = decide(engine, id, (statement) => own.assert(statement));
      expect(ticket).toMatchObject({ state: "APPROVED", resolution: { assurance: "passkey", trust: "remote" } });
      const vote = engine.getEvents({ ticket: id }).find(({ type }) => type === "intent.sign")?.payload;
      expect(vote).toMatchObject({ intent: { signature: { algorithm, credential_id: own.id } }, assurance: "passkey" });
      const shown = engine.credentials({ person: "alex" }).find((credential) => credential.id === own.id);
      expect(shown).toMatchObject({ sign_count: own.counter, last_used_at: "2026-01-31T10:00:00.000Z" });
    },
  );

  /** What is done wrong with the signature, and the code that it is refused with. */
  const signatures: [string, ErrorCode, (statement: Statement) => Signature][] = [
    [
      "forged: made by a key that is not the enrolled one",
      "signature_invalid",
      (s) => new Authenticator().assert(s, { credentialId: passkey.id }),
    ],
    ["forged: its bytes changed", "signature_invalid", (s) => ({ ...passkey.assert(s), value: passkey.assert(s).value })],
    ["of a registration instead of an assertion", "ceremony_mismatch", twisted({ type: "webauthn.create" })],
    [
      "tampered: over another statement",
      "statement_mismatch",
      (s) => passkey.assert({ ...s, bytes_hash: `sha256:${"e".repeat(64)}` }),
    ],
    ["tampered: over another challenge", "statement_mismatch", twisted({ challenge: "AAAA" })],
    ["of another origin", "origin_mismatch", twisted({ origin: "https://hap.localhost.evil.example" })],
    ["of another port", "origin_mismatch", twisted({ origin: "http://hap.localhost:8788" })],
    ["of another scheme", "origin_mismatch", twisted({ origin: "https://hap.localhost:8787" })],
    ["of a page inside another one", "origin_mismatch", twisted({ crossOrigin: true })],
    ["for another RP id", "rp_mismatch", twisted({ rpId: "localhost" })],
    ["without a touch", "user_presence_missing", twisted({ flags: 0x04 })],
    ["without user verification", "user_verification_missing", twisted({ flags: 0x01 })],
    ["by a credential that nobody enrolled", "credential_unknown", (s) => new Authenticator().assert(s)],
    ["under another algorithm", "credential_mismatch", twisted({ algorithm: "ES384" })],
    ["with a counter that stands still", "counter_regressed", (s) => passkey.assert(s, { counter: 1 })],
    ["with a counter that went back", "counter_regressed", (s) => passkey.assert(s, { counter: 0 })],
    ["without its client data", "signature_invalid", (s) => ({ ...passkey.assert(s), client_data_json: undefined })],
    ["with client data that are no JSON", "signature_invalid", twisted({ clientData: (text) => `${text}}` })],
    ["with client data that are a list", "ceremony_mismatch", twisted({ clientData: () => "[]" })],
    [
      "with authenticator data that end early",
      "signature_invalid",
      (s) => ({ ...passkey.assert(s), authenticator_data: "AAAA" }),
    ],
  ];
  function twisted(twist: Twist): (statement: Statement) => Signature {
    return (statement) => passkey.assert(statement, twist);
  }

  it.each(signatures)("[SIGN-REFUSE-1, INTENT-WEBAUTHN-1] %s is refused (%s), logged, and changes nothing", (_, code, sign) => {
    const id = critical();
    const statement = challenge(engine, id);
    const before = engine.credentials();
    const error = refusal(() => engine.submitIntent(intentOf(statement, sign(statement))));
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(20);
    expect(invalids()).toMatchObject([{ ticket_id: id, decision: "approve", nonce: statement.nonce, code }]);
    expect(engine.getTicket(id)).toMatchObject({ state: "ACKED", resolution: null });
    expect(engine.credentials()).toEqual(before);
    expect(engine.submitIntent(intentOf(statement, passkey.assert(statement))).state).toBe("APPROVED");
  });

  it("[SIGN-REFUSE-1] by a key of somebody else is refused as the wrong key", () => {
    const sams = new Authenticator();
    enrolPasskey(engine, sams, { person: "sam" });
    const id = critical();
    expect(refusal(() => decide(engine, id, (statement) => sams.assert(statement))).code).toBe("credential_mismatch");
    expect(invalids()).toMatchObject([{ code: "credential_mismatch" }]);
    expect(engine.getTicket(id).resolution).toBeNull();
  });

  it("[SIGN-REFUSE-1] by a revoked key is refused, though it was asked for before", () => {
    const id = critical();
    const statement = challenge(engine, id);
    engine.revokeCredential({ id: passkey.id, by: "alex" });
    expect(refusal(() => engine.submitIntent(intentOf(statement, passkey.assert(statement)))).code).toBe("credential_revoked");
    expect(invalids()).toMatchObject([{ code: "credential_revoked" }]);
  });

  it("[SIGN-REFUSE-1] that is replayed is refused, on its own ticket and on another", () => {
    const [id, other] = [critical(), critical()];
    const statement = challenge(engine, id);
    const intent = intentOf(statement, passkey.assert(statement));
    engine.submitIntent(intent);
    expect(refusal(() => engine.submitIntent(intent)).code).toBe("nonce_used");
    expect(refusal(() => engine.submitIntent({ ...intent, ticket_id: other })).code).toBe("nonce_used");
    expect(invalids().map(({ code }) => code)).toEqual(["nonce_used", "nonce_used"]);
    expect(engine.getTicket(other).resolution).toBeNull();
  });

  it("[SIGN-REFUSE-1] that comes too late, or before its time, is refused", () => {
    const id = critical();
    const statement = challenge(engine, id);
    const intent = intentOf(statement, passkey.assert(statement));
    world.jump(-1);
    expect(refusal(() => engine.submitIntent(intent)).code).toBe("intent_future_dated");
    world.jump(60_001);
    expect(refusal(() => engine.submitIntent(intent)).code).toBe("intent_expired");
    expect(invalids().map(({ code }) => code)).toEqual(["intent_future_dated", "intent_expired"]);
    expect(engine.getTicket(id).resolution).toBeNull();
    engine.dispose();
    engine = store.open({ world, trust: "remote" });
  });

  it("[SIGN-REFUSE-1] about another artifact is refused, though its signature is good", () => {
    const id = critical();
    const wrong = { artifact_hash: `sha256:${"e".repeat(64)}` };
    const sign = (statement: Statement) => passkey.assert({ ...statement, ...wrong });
    expect(refusal(() => decide(engine, id, sign, { change: wrong })).code).toBe("artifact_mismatch");
    expect(invalids()).toMatchObject([{ code: "artifact_mismatch" }]);
  });

  it("[SIGN-COUNTER-1] may come from a key that does not count", () => {
    const still = new Authenticator();
    enrolPasskey(engine, still, { by: (s) => passkey.assert(s), material: { ...still.material, sign_count: 0 } });
    for (const id of [critical(), critical()])
      expect(decide(engine, id, (statement) => still.assert(statement, { counter: 0 })).state).toBe("APPROVED");
    expect(decide(engine, critical(), (statement) => still.assert(statement, { counter: 9 })).state).toBe("APPROVED");
    expect(refusal(() => decide(engine, critical(), (s) => still.assert(s, { counter: 0 }))).code).toBe("counter_regressed");
  });
});

describe("once a passkey is enrolled", () => {
  it("[ASSURE-PASSKEY-1] a critical yes must be signed by it, whatever was typed; a no never", () => {
    const id = critical();
    expect(engine.neededFor(id, "alex")).toEqual({ signature: "passkey", confirmed: false });
    const error = refusal(() => engine.approve(id, "yes", { by: "human:alex", ...typedYes(engine, id, "human:alex") }));
    expect(error).toMatchObject({ code: "signature_needed", fields: { least: "passkey" } });
    expect(engine.reject(id, "no", { by: "human:alex" }).state).toBe("REJECTED");
    expect(engine.requestChanges(critical(), "later", { by: "human:alex" }).state).toBe("CHANGES_REQUESTED");
    expect(engine.cancel(critical(), "never mind", { by: "human:alex" }).state).toBe("CANCELED");
  });

  it("[ASSURE-PASSKEY-1] holds for answers, and not for tickets that are not critical", () => {
    const ask = { type: "confirm", prompt: "Reboot?" };
    const question = engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot" }, ask }).id;
    expect(
      refusal(() => engine.answer(question, true, { by: "human:alex", ...typedYes(engine, question, "human:alex", "answer") }))
        .code,
    ).toBe("signature_needed");
    expect(engine.approve(notable(), "fine", { by: "human:alex" }).resolution?.assurance).toBe("local");
  });

  it("[ASSURE-PASSKEY-1] holds for whoever has it alone", () => {
    const id = engine.createTicket({ to: "human:sam", kind: "run_command", details: { command: "sudo reboot" } }).id;
    expect(engine.neededFor(id, "sam")).toEqual({ signature: null, confirmed: true });
    expect(engine.approve(id, "", { by: "human:sam", ...typedYes(engine, id, "human:sam") }).state).toBe("APPROVED");
  });

  it("[CRED-REVOKE-2] revoking it lowers nothing: the way back is a new one, enrolled with a code", () => {
    engine.revokeCredential({ id: passkey.id, by: "alex" });
    const id = critical();
    expect(refusal(() => engine.approve(id, "", { by: "human:alex", ...typedYes(engine, id, "human:alex") })).code).toBe(
      "signature_needed",
    );
    const next = new Authenticator();
    enrolPasskey(engine, next);
    expect(decide(engine, id, (statement) => next.assert(statement)).resolution?.assurance).toBe("passkey");
  });

  it("[ENROL-ANCHOR-1] without an anchor it counts as a key: a critical yes is signed by it and confirmed", () => {
    engine.dispose();
    const open = testStore();
    engine = open.open({ world });
    enrolPasskey(engine, passkey);
    expect(engine.credentials()).toMatchObject([{ anchored: false, level: "key" }]);
    const id = critical();
    expect(engine.neededFor(id, "alex")).toEqual({ signature: "key", confirmed: true });
    expect(refusal(() => engine.approve(id, "", { by: "human:alex", ...typedYes(engine, id, "human:alex") })).code).toBe(
      "signature_needed",
    );
    expect(refusal(() => decide(engine, id, (s) => passkey.assert(s))).code).toBe("confirmation_needed");
    const ticket = decide(engine, id, (statement) => passkey.assert(statement), { confirmed: true });
    expect(ticket.resolution).toMatchObject({ assurance: "key", confirmed: true, trust: "open" });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    open.remove();
    engine = store.open({ world, trust: "remote" });
  });
});
