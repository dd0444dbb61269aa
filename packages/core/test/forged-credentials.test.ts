// What an attacker with the database would do to keys and signatures: `hap verify` finds it from the log alone (D21).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { at, type Forger, forge, type Payload, stranger } from "./forge.ts";
import { tamper } from "./raw-store.ts";
import { Authenticator } from "./signing/authenticator.ts";
import { decide } from "./signing/decisions.ts";
import { enrolPasskey } from "./signing/enrol.ts";
import { testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let passkey: Authenticator;
let second: Authenticator;
let ids: { signed: string; critical: string };

beforeEach(() => {
  store = testStore();
  const engine = open();
  [passkey, second] = [new Authenticator(), new Authenticator("EdDSA")];
  const command = (text: string) => engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: text } }).id;
  ids = { signed: command("sudo reboot"), critical: command("sudo halt") };
  enrolPasskey(engine, passkey, { label: "First" });
  enrolPasskey(engine, second, { by: (statement) => passkey.assert(statement) });
  for (const id of [ids.signed, command("make")]) decide(engine, id, (statement) => passkey.assert(statement));
  engine.revokeCredential({ id: second.id, by: "alex" });
  engine.deliver(ids.critical, { by: "human:alex" });
});
afterEach(() => store.remove());

const open = (): HapEngine => store.open({ world: testWorld(), trust: "remote" });
const last = (log: Forger, type: string) => log.payloads.findLast((payload) => payload.type === type) as Payload;
const intent = (log: Forger) => last(log, "intent.sign").intent as Payload & { signature: Payload };
const credential = (event: Payload) => event.credential as Payload;

const lies: [string, (log: Forger) => unknown, RegExp][] = [
  [
    "a signed vote turned into another decision",
    (log) => Object.assign(intent(log), { bytes_hash: `sha256:${"e".repeat(64)}` }),
    /other bytes/,
  ],
  [
    "a signed vote with another presentation",
    (log) => Object.assign(intent(log), { presentation_hash: `sha256:${"e".repeat(64)}` }),
    /Statement mismatch/,
  ],
  ["a signature with a bit changed", (log) => flip(intent(log).signature), /Signature invalid/],
  ["a signature that is said to prove something else", (log) => lower(log, "present"), /proves passkey, not present/],
  [
    "a key that was swapped for another one",
    (log) => Object.assign(credential(log.first("credential.enrol")), { public_key: new Authenticator().material.public_key }),
    /Signature invalid/,
  ],
  [
    "an algorithm that is not the key's",
    (log) => Object.assign(credential(log.first("credential.enrol")), { algorithm: "EdDSA" }),
    /its key is not EdDSA/,
  ],
  [
    "a key that nobody vouched for",
    (log) => Object.assign(last(log, "credential.enrol"), { assertion: null, proof: "code" }),
    /no older key vouches/,
  ],
  [
    "a first key that an assertion is said to vouch for",
    (log) => Object.assign(log.first("credential.enrol"), { proof: "assertion" }),
    /there was no older key/,
  ],
  [
    "an assertion taken away",
    (log) => Object.assign(last(log, "credential.enrol"), { assertion: null }),
    /do not belong together/,
  ],
  [
    "a vouched key swapped for another one",
    (log) =>
      Object.assign(credential(last(log, "credential.enrol")), { public_key: new Authenticator("EdDSA").material.public_key }),
    /Statement mismatch/,
  ],
  [
    "the same key twice",
    (log) => log.append({ ...log.first("credential.enrol"), id: undefined, seq: undefined }),
    /a second credential/,
  ],
  [
    "an enrolment for somebody else",
    (log) => Object.assign(log.first("credential.enrol"), { from: stranger }),
    /no older key vouches|there was no older key|wrong key/,
  ],
  ["an enrolment that had expired", (log) => Object.assign(log.first("credential.enrol"), { expires_at: at(0) }), /had expired/],
  [
    "an enrolment for another epoch",
    (log) => Object.assign(log.first("credential.enrol"), { epoch: 2 }),
    /another runtime or epoch/,
  ],
  [
    "a revocation of nothing",
    (log) => Object.assign(last(log, "credential.revoke"), { credential_id: "bm9uZQ" }),
    /no such credential to revoke/,
  ],
  ["a vote signed by a key before it was enrolled", (log) => moveEnrolmentsToTheEnd(log), /is enrolled here/],
  [
    "an unsigned yes to a critical ticket of somebody with a passkey",
    (log) => log.yes(ids.critical, unsigned()),
    /must be signed/,
  ],
];

function unsigned() {
  return { sign: { confirmed: true, trust: "remote" }, intent: { signature: null }, resolution: { trust: "remote" } };
}

function flip(signature: Payload): void {
  const bytes = Buffer.from(signature.value as string, "base64url");
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  signature.value = bytes.toString("base64url");
}

function lower(log: Forger, assurance: string): void {
  Object.assign(last(log, "intent.sign"), {
    assurance,
    confirmed: true,
    unproven: assurance === "local" || assurance === "session",
  });
  Object.assign(last(log, "ticket.resolve").resolution as Payload, { assurance, confirmed: true });
}

/** The keys come after what they signed. */
function moveEnrolmentsToTheEnd(log: Forger): void {
  const late = log.payloads.filter(({ type }) => String(type).startsWith("credential."));
  const rest = log.payloads.filter(({ type }) => !String(type).startsWith("credential."));
  log.payloads.splice(0, log.payloads.length, ...rest, ...late);
  for (const [index, payload] of log.payloads.entries()) payload.seq = index + 1;
}

describe("verification", () => {
  it("[SIGN-VERIFY-1] accepts an honest log, by whichever process", () => {
    expect(open().verifyEventLog()).toMatchObject({ ok: true });
  });

  it.each(lies)("[SIGN-VERIFY-1] finds %s", (_, lie, words) => {
    forge(store.path, (log) => {
      lie(log);
      for (const payload of log.payloads) for (const key of ["id", "seq"]) if (payload[key] === undefined) delete payload[key];
      for (const [index, payload] of log.payloads.entries()) payload.seq = index + 1;
    });
    const report = open().verifyEventLog();
    expect(report.ok ? "nothing was found" : report.violation.message).toMatch(words);
  });

  const rows: [string, string, RegExp][] = [
    [
      "a revoked key that is in use again",
      `UPDATE credentials SET record=json_set(record, '$.revokedAt', null)`,
      /is not what the log makes of it/,
    ],
    [
      "a key given to somebody else",
      `UPDATE credentials SET record=json_set(record, '$.person', '${stranger}')`,
      /is not what the log makes of it/,
    ],
    [
      "a key of which the log knows nothing",
      `INSERT INTO credentials SELECT 'x', seq, person, record, 0, NULL FROM credentials LIMIT 1`,
      /that the log does not know/,
    ],
    ["a key that is gone", `DELETE FROM credentials WHERE seq=(SELECT min(seq) FROM credentials)`, /that the log does not know/],
    ["a counter that was set back", `UPDATE credentials SET sign_count=0`, /is behind the log/],
  ];
  it.each(rows)("[SIGN-VERIFY-1] finds a stored row with %s", (_, sql, words) => {
    tamper(store.path, (database) => database.exec(sql));
    const report = open().verifyEventLog();
    expect(report.ok ? "nothing was found" : report.violation.message).toMatch(words);
  });

  it("[SIGN-VERIFY-1] still holds when rows were rebuilt from the log, and counters stay where they were", () => {
    const before = open().credentials();
    forge(store.path, () => {});
    const engine = open();
    expect(engine.credentials()).toEqual(before);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });
});
