// Signed intents (D23, D24): the runtime gives out what is to be signed, and takes it back once, signed and unchanged.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import { type AnyStatement, HapError, hashBytes, type SignedIntent, type Statement, statementText } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DecisionInput, HapEngine, SignatureVerifier } from "../src/index.ts";
import { sha256 } from "../src/index.ts";
import { contentDigest } from "../src/log/contents.ts";
import { exampleDiff } from "./example-diff.ts";
import { rows } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

/** Keys by credential; a signature is ES256 over the SHA-256 of the statement's text. */
const keys = new Map<string, { privateKey: KeyObject; publicKey: KeyObject }>(
  ["alex", "mallory"].map((name) => [name, generateKeyPairSync("ec", { namedCurve: "P-256" })]),
);
const digestOf = (statement: AnyStatement) => createHash("sha256").update(statementText(statement)).digest();

/** Only alex's key is enrolled; it proves level passkey. */
const verifySignature: SignatureVerifier = (signature, statement) => {
  const good =
    signature.credential_id === "alex" &&
    verify("sha256", digestOf(statement), keys.get("alex")?.publicKey as KeyObject, Buffer.from(signature.value, "base64url"));
  if (!good) throw new HapError("signature_invalid", "Signature invalid: no enrolled key made it.", { field: "signature" });
  return { level: "passkey" };
};

const signatureOf = (statement: Statement, key = "alex") => ({
  algorithm: "ES256" as const,
  value: sign("sha256", digestOf(statement), keys.get(key)?.privateKey as KeyObject).toString("base64url"),
  credential_id: key,
});

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world, verifySignature });
});
afterEach(() => store.remove());

const open = (more = {}) =>
  engine.createTicket({ to: "human:alex", file: "src/auth/middleware.ts", diff: exampleDiff, ...more }).id;
const critical = (more = {}) =>
  engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot" }, ...more }).id;
const challenge = (id: string, input: Partial<DecisionInput> = {}) =>
  engine.issueChallenge(id, { decision: "approve", by: "human:alex", ...input }).statement;

/** What a client sends back: the statement's changing parts, signed, changed as told before or after signing. */
function signed(statement: Statement, change: Partial<SignedIntent> = {}, signedChange: Partial<Statement> = {}): SignedIntent {
  const { ticket_id, decision, artifact_hash, expires_at, nonce } = statement;
  const signature = signatureOf({ ...statement, ...signedChange });
  return { ticket_id, from: "human:alex", decision, artifact_hash, expires_at, nonce, signature, ...change };
}
const unsigned = (id: string, change: Partial<SignedIntent> = {}): SignedIntent => ({
  ticket_id: id,
  from: "human:alex",
  decision: "approve",
  artifact_hash: engine.getTicket(id).artifact.diff_hash,
  expires_at: new Date(world.now() + 60_000).toISOString(),
  nonce: `n_${randomBytes(16).toString("hex")}`,
  signature: null,
  ...change,
});
const invalids = () =>
  engine.getEvents({ limit: 1000 }).flatMap(({ payload }) => (payload.type === "intent.invalid" ? [payload] : []));
const votes = (id: string) =>
  engine.getEvents({ ticket: id }).flatMap(({ payload }) => (payload.type === "intent.sign" ? [payload] : []));

describe("a challenge", () => {
  it("[STATEMENT-CHALLENGE-1, STATEMENT-FIELDS-1] has every field, fixed by the runtime, and acks the ticket for as long", () => {
    const id = open();
    const { statement, ticket } = engine.issueChallenge(id, { decision: "approve", by: "human:alex" });
    expect(Object.keys(statement).sort()).toEqual(
      [
        "typ",
        "space",
        "runtime",
        "epoch",
        "ticket_id",
        "ticket_hash",
        "decision",
        "artifact_hash",
        "bytes_hash",
        "presentation_hash",
        "answer_hash",
        "edits_hash",
        "comment_hash",
        "from",
        "nonce",
        "issued_at",
        "expires_at",
      ].sort(),
    );
    expect(statement).toMatchObject({
      typ: "hap.intent/1",
      space: "default",
      epoch: 1,
      ticket_id: id,
      ticket_hash: ticket.ticket_hash,
      artifact_hash: hashBytes("diff", exampleDiff, sha256).diff_hash,
      bytes_hash: hashBytes("diff", exampleDiff, sha256).bytes_hash,
      answer_hash: null,
      edits_hash: null,
      comment_hash: null,
      issued_at: "2026-01-31T10:00:00.000Z",
      expires_at: "2026-01-31T10:05:00.000Z",
    });
    expect(statement.from).toMatch(/^human:[0-9a-hjkmnp-tv-z]{26}$/);
    expect(ticket).toMatchObject({ state: "ACKED", lease: { ack_lapses_at: "2026-01-31T10:05:00.000Z" } });
    world.advance(300_000);
    expect(engine.getTicket(id).state).toBe("DELIVERED");
  });

  it("[STATEMENT-CHALLENGE-1, INTENT-EXPIRY-1] is valid for sixty seconds on a critical ticket", () => {
    const statement = challenge(critical());
    expect(Date.parse(statement.expires_at) - world.now()).toBe(60_000);
  });

  it("[STATEMENT-CHALLENGE-1] leaves a longer pause as it is", () => {
    const [lasting, long] = [open(), open()];
    engine.ack(lasting);
    challenge(lasting);
    expect(engine.getTicket(lasting).lease.ack_lapses_at).toBeNull();
    engine.ack(long, undefined, { lapseSeconds: 600 });
    challenge(long);
    expect(engine.getTicket(long).lease.ack_lapses_at).toBe("2026-01-31T10:10:00.000Z");
  });

  it("[STATEMENT-CHALLENGE-1] is given only to who may decide, on an open ticket, for a decision that fits", () => {
    expect(refusal(() => challenge(open(), { by: "human:sam" })).code).toBe("not_addressee");
    expect(refusal(() => challenge(open(), { by: "agent:local" })).code).toBe("own_ticket");
    expect(refusal(() => challenge(open(), { decision: "answer", answer: "x" })).code).toBe("wrong_state");
    const { id } = engine.reject(open());
    expect(refusal(() => challenge(id)).code).toBe("already_decided");
  });
});

describe("a signed intent", () => {
  it("[STATEMENT-CHALLENGE-1, ASSURE-RECORD-1] decides at the level that its signature proves, and verifies ever after", () => {
    const id = critical();
    const ticket = engine.submitIntent(signed(challenge(id)));
    expect(ticket).toMatchObject({
      state: "APPROVED",
      resolution: { assurance: "passkey", confirmed: false, actor: { id: "human:alex" } },
    });
    expect(votes(id)).toMatchObject([
      { assurance: "passkey", authority: "addressee", intent: { signature: { credential_id: "alex" } } },
    ]);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[VERIFY-LEGAL-1] no longer verifies where its key is not known", () => {
    engine.submitIntent(signed(challenge(open())));
    const report = store.open({ world }).verifyEventLog();
    expect(report).toMatchObject({
      ok: false,
      violation: { message: expect.stringContaining("No credential alex is enrolled here") },
    });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INTENT-SIGNATURE-1] is refused by an engine that has no verifier", () => {
    const id = open();
    const plain = store.open({ world });
    const { statement } = plain.issueChallenge(id, { decision: "approve", by: "human:alex" });
    expect(refusal(() => plain.submitIntent(signed(statement)))).toMatchObject({
      code: "credential_unknown",
      message: expect.stringMatching(/^No credential alex is enrolled here/),
    });
  });

  it.each([
    ["runtime", { runtime: `rt_${"0".repeat(26)}` }],
    ["epoch", { epoch: 2 }],
    ["space", { space: "other" }],
    ["ticket_hash", { ticket_hash: `sha256:${"0".repeat(64)}` }],
    ["bytes_hash", { bytes_hash: `sha256:${"0".repeat(64)}` }],
    ["presentation_hash", { presentation_hash: `sha256:${"0".repeat(64)}` }],
    ["comment_hash", { comment_hash: `sha256:${"0".repeat(64)}` }],
    ["from", { from: `human:${"0".repeat(26)}` }],
    ["issued_at", { issued_at: "2026-01-31T09:59:59.000Z" }],
    ["nonce", { nonce: `n_${"0".repeat(32)}` }],
    ["decision", { decision: "reject" as const }],
  ])("[INTENT-SIGNATURE-1] over a statement with another %s is refused", (_, change) => {
    const id = open();
    const intent = signed(challenge(id), {}, change);
    expect(refusal(() => engine.submitIntent(intent)).code).toBe("signature_invalid");
    expect(engine.getTicket(id).state).toBe("ACKED");
    expect(votes(id)).toEqual([]);
  });

  it("[INTENT-SIGNATURE-1] by another key, or with another value, is refused", () => {
    const id = open();
    const statement = challenge(id);
    expect(refusal(() => engine.submitIntent(signed(statement, { signature: signatureOf(statement, "mallory") }))).code).toBe(
      "signature_invalid",
    );
    const forged = { ...signatureOf(statement), value: "AAAA" };
    expect(refusal(() => engine.submitIntent(signed(statement, { signature: forged }))).code).toBe("signature_invalid");
    expect(engine.submitIntent(signed(statement)).state).toBe("APPROVED");
  });

  it("[STATEMENT-CHALLENGE-1] on another ticket, with another decision or expiry, or with other words, is a mismatch", () => {
    const id = open();
    const statement = challenge(id, { comment: "LGTM" });
    const changes: Partial<SignedIntent>[] = [
      { ticket_id: open() },
      { decision: "reject" },
      { expires_at: "2026-01-31T10:04:59.000Z" },
      { comment: "LGTM, ship it twice" },
      { edits: { command: "x" } },
    ];
    for (const change of changes) {
      const error = refusal(() => engine.submitIntent(signed(statement, change)));
      expect(error, JSON.stringify(change)).toMatchObject({ code: "statement_mismatch" });
      expect(error.message).toMatch(/^Statement mismatch/);
    }
    expect(engine.submitIntent(signed(statement, { comment: "LGTM" })).resolution?.comment).toBe("LGTM");
  });

  it("[STATEMENT-CHALLENGE-1, DECIDE-WHO-1] is its maker's alone: nobody else sends it in, signed or not", () => {
    const id = open({ escalate_to: "human:sam" });
    const statement = challenge(id);
    for (const change of [{ from: "human:sam" }, { from: "human:sam", signature: null }])
      expect(refusal(() => engine.submitIntent(signed(statement, change)))).toMatchObject({ code: "statement_mismatch" });
    expect(refusal(() => engine.submitIntent(signed(statement, { from: "human:kim" }))).code).toBe("not_addressee");
    expect(engine.submitIntent(signed(statement, { from: statement.from })).resolution?.actor.id).toBe("human:alex");
  });

  it("[STATEMENT-CHALLENGE-1] with a nonce that nobody gave out is a mismatch", () => {
    const id = open();
    const nonce = `n_${randomBytes(16).toString("hex")}`;
    const statement = { ...challenge(id), nonce };
    expect(refusal(() => engine.submitIntent(signed(statement))).message).toContain("was not given out");
  });

  it("[INTENT-ARTIFACT-1] about another artifact is refused in the draft's words, though its signature is good", () => {
    const id = open();
    const wrong = { artifact_hash: `sha256:${"e".repeat(64)}` };
    const error = refusal(() => engine.submitIntent(signed(challenge(id), wrong, wrong)));
    expect(error).toMatchObject({ code: "artifact_mismatch", fields: { actual: wrong.artifact_hash } });
    expect(error.message).toMatch(/^Artifact hash mismatch/);
  });

  it("[INTENT-EXPIRY-1] at or after its expiry is refused in the draft's words", () => {
    const id = open({ ttl_seconds: 7200 });
    const statement = challenge(id);
    world.advance(299_999);
    expect(engine.submitIntent(signed(statement)).state).toBe("APPROVED");
    const late = challenge(open({ ttl_seconds: 7200 }));
    world.advance(300_000);
    const error = refusal(() => engine.submitIntent(signed(late)));
    expect(error.code).toBe("intent_expired");
    expect(error.message).toMatch(/^Intent expired/);
  });

  it("[INTENT-NONCE-1] is refused a second time in the draft's words, and was burned by the first alone", () => {
    const id = open();
    const statement = challenge(id);
    expect(refusal(() => engine.submitIntent(signed(statement, { signature: signatureOf(statement, "mallory") }))).code).toBe(
      "signature_invalid",
    );
    expect(engine.submitIntent(signed(statement)).state).toBe("APPROVED");
    expect(refusal(() => engine.submitIntent(signed(statement))).message).toMatch(/^Nonce already used/);
    expect(store.open({ world, verifySignature }).getTicket(id).state).toBe("APPROVED");
    expect(rows(store.path, "used_nonces")).toMatchObject([{ nonce: statement.nonce, ticket_id: id }]);
    expect(rows(store.path, "challenges")).toEqual([]);
  });

  it("[CONTENT-DIGEST-1, STATEMENT-FIELDS-1] binds comment, edits and answer by the digests under which they are kept", () => {
    const edited = engine.createTicket({
      to: "human:alex",
      kind: "run_command",
      details: { command: "make a" },
      ask: { type: "approval", allow_edits: true },
    }).id;
    const asked = engine.createTicket({ to: "human:alex", ask: { type: "choice", options: ["red", "blue"] } }).id;
    const statements = [
      challenge(edited, { comment: "faster", edits: { command: "make b" } }),
      challenge(asked, { decision: "answer", answer: "blue", comment: "sky" }),
    ];
    for (const statement of statements) engine.submitIntent(signed(statement));
    const kept = new Map(
      rows(store.path, "contents").map(({ salt, body }) => [`sha256:${contentDigest(salt as Uint8Array, body as string)}`, body]),
    );
    const bodies = statements.map((statement) =>
      [statement.comment_hash, statement.edits_hash, statement.answer_hash].map((hash) =>
        hash === null ? null : kept.get(hash),
      ),
    );
    expect(bodies).toEqual([
      ["faster", '{"command":"make b"}', null],
      ["sky", null, '{"choices":["2"],"type":"choice"}'],
    ]);
    expect(engine.getTicket(edited).resolution).toMatchObject({ comment: "faster", edits: { command: "make b" } });
    expect(engine.getTicket(asked).resolution).toMatchObject({ comment: "sky", answer: { choices: ["2"] } });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[STATEMENT-FIELDS-1] with edits is about the bytes after them", () => {
    const ask = { type: "approval", allow_edits: true } as const;
    const id = engine.createTicket({
      to: "human:alex",
      kind: "run_command",
      details: { command: "make a" },
      artifact: { type: "command_script" },
      ask,
    }).id;
    expect(challenge(id, { edits: { command: "make b" } }).bytes_hash).toBe(hashBytes("command", "make b", sha256).bytes_hash);
    expect(challenge(id).bytes_hash).toBe(hashBytes("command", "make a", sha256).bytes_hash);
  });
});

describe("the order of the checks", () => {
  it("[INTENT-ORDER-1] is signature, artifact, expiry, nonce, state: the first failure is the reason", () => {
    const wrong = { artifact_hash: `sha256:${"e".repeat(64)}` };
    const stale = { expires_at: new Date(world.now() - 1).toISOString() };
    const id = open();
    const statement = challenge(id);
    const used = unsigned(open());
    engine.submitIntent(used);
    const { id: ended } = engine.reject(open());
    const everything = { ...wrong, ...stale, nonce: used.nonce };
    const reasons = [
      signed(statement, { ...wrong, signature: signatureOf(statement, "mallory") }),
      signed(statement, wrong, wrong),
      unsigned(ended, everything),
      unsigned(ended, { ...stale, nonce: used.nonce }),
      unsigned(ended, { nonce: used.nonce }),
      unsigned(ended),
    ].map((intent) => refusal(() => engine.submitIntent(intent)).code);
    expect(reasons).toEqual([
      "signature_invalid",
      "artifact_mismatch",
      "artifact_mismatch",
      "intent_expired",
      "nonce_used",
      "already_decided",
    ]);
  });

  it("[INTENT-STATE-1] ends with the state: only what is delivered or acked, or delivered by the same act, is decided", () => {
    expect(engine.submitIntent(unsigned(open())).state).toBe("APPROVED");
    expect(engine.submitIntent(unsigned(engine.deliver(open()).id)).state).toBe("APPROVED");
    expect(engine.submitIntent(unsigned(engine.ack(open()).id)).state).toBe("APPROVED");
    const expired = open({ ttl_seconds: 1 });
    world.advance(1000);
    expect(refusal(() => engine.submitIntent(unsigned(expired))).code).toBe("deadline_passed");
  });
});

describe("an unsigned intent", () => {
  it.each([
    ["routine", 300_000, 300_001],
    ["critical", 60_000, 60_001],
  ])("[INTENT-EXPIRY-1] on a %s ticket expires at most %d ms ahead", (tier, longest, tooLong) => {
    const id = tier === "critical" ? critical() : open({ environment: "dev", confidence: 1 });
    expect(engine.getTicket(id).tier).toBe(tier);
    const ahead = (ms: number) => unsigned(id, { expires_at: new Date(world.now() + ms).toISOString() });
    const error = refusal(() => engine.submitIntent(ahead(tooLong), typedYes(engine, id)));
    expect(error.message).toMatch(/^Intent dated in the future/);
    expect(engine.submitIntent(ahead(longest), typedYes(engine, id)).state).toBe("APPROVED");
  });

  it("[ASSURE-YES-1, INTENT-SIGNATURE-1] counts as level local, and needs the confirmation that local needs", () => {
    const id = critical();
    expect(refusal(() => engine.submitIntent(unsigned(id))).code).toBe("confirmation_needed");
    expect(refusal(() => engine.submitIntent(unsigned(id), { assurance: "passkey" })).code).toBe("assurance_too_low");
    expect(engine.submitIntent(unsigned(id), typedYes(engine, id)).resolution?.assurance).toBe("local");
  });

  it.each([
    ["ticket_id", { ticket_id: "nope" }],
    ["from", { from: "agent:local" }],
    ["decision", { decision: "maybe" }],
    ["artifact_hash", { artifact_hash: "abc123" }],
    ["nonce", { nonce: "nonce_123" }],
    ["expires_at", { expires_at: "soon" }],
    ["signature", { signature: "x" }],
    ["comment", { comment: "x".repeat(1001) }],
  ])("[INPUT-ERROR-1, INTENT-FORM-1] names %s when it is malformed, and is logged if its person is known", (field, change) => {
    const id = open();
    const error = refusal(() => engine.submitIntent({ ...unsigned(id), ...change }));
    expect(error).toMatchObject({ code: "invalid_input", fields: { field: expect.stringContaining(field) } });
    expect(invalids().map(({ code }) => code)).toEqual(field === "from" ? [] : ["invalid_input"]);
    expect(engine.getTicket(id).state).toBe("PENDING");
  });
});

describe("a refused intent", () => {
  it("[EVENT-WRITES-2, INPUT-INVALID-1, INTENT-ORDER-1] is logged with its reason, and changes nothing", () => {
    const id = open();
    const before = engine.getTicket(id);
    const intent = unsigned(id, { artifact_hash: `sha256:${"e".repeat(64)}`, comment: "secret words" });
    expect(() => engine.submitIntent(intent)).toThrow(/^Artifact hash mismatch/);
    expect(invalids()).toMatchObject([
      { ticket_id: id, decision: "approve", nonce: intent.nonce, code: "artifact_mismatch", reason: "Artifact hash mismatch" },
    ]);
    const { cursor: _c, updated_at: _u, ...rest } = engine.getTicket(id);
    const { cursor: _d, updated_at: _v, ...expected } = before;
    expect(rest).toEqual(expected);
    expect(rows(store.path, "used_nonces")).toEqual([]);
    expect(rows(store.path, "contents").some(({ body }) => body === "secret words")).toBe(false);
    expect(engine.submitIntent({ ...intent, artifact_hash: before.artifact.diff_hash }).state).toBe("APPROVED");
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-INVALID-1] is logged only of people who are known here", () => {
    const id = open();
    for (const from of ["human:stranger", "human:nobody"]) expect(() => engine.submitIntent(unsigned(id, { from }))).toThrow();
    expect(() => engine.approve(id, undefined, { by: "agent:mallory" })).toThrow();
    expect(() => engine.relayAnswer(id, "yes", "agent:mallory")).toThrow();
    expect(invalids()).toEqual([]);
    engine.createTicket({ to: "human:sam" });
    expect(() => engine.submitIntent(unsigned(id, { from: "human:sam" }))).toThrow();
    expect(() => engine.submitIntent({ ...unsigned(id), ticket_id: "tk_nosuchticketanywhere" })).toThrow();
    expect(invalids().map(({ code, ticket_id }) => [code, ticket_id])).toEqual([
      ["not_addressee", id],
      ["ticket_not_found", null],
    ]);
  });

  it("[INPUT-INVALID-1] is logged twenty times a minute for one person, and no more", () => {
    const id = open();
    engine.createTicket({ to: "human:sam" });
    const refuse = (from: string) =>
      expect(() => engine.submitIntent(unsigned(id, { from, artifact_hash: `sha256:${"0".repeat(64)}` }))).toThrow();
    for (let count = 0; count < 50; count++) refuse("human:alex");
    expect(invalids()).toHaveLength(20);
    refuse("human:sam");
    expect(invalids()).toHaveLength(21);
    world.advance(60_000);
    refuse("human:alex");
    expect(invalids()).toHaveLength(22);
    expect(engine.approve(id).state).toBe("APPROVED");
  });

  it("[INPUT-INVALID-1] is logged when it came in a transaction with others, too", async () => {
    const id = critical();
    await expect(engine.later(() => engine.approve(id, undefined, { by: "human:alex" }))).rejects.toMatchObject({
      code: "confirmation_needed",
    });
    expect(invalids()).toMatchObject([{ ticket_id: id, code: "confirmation_needed" }]);
  });
});
