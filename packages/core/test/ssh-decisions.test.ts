// Decisions signed by SSH keys (D25): by the real ssh-keygen for keys in files, and for keys in tokens by bytes that the real
// ssh-keygen accepts too.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode, Signature, Statement } from "@hap/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import type { HapEngine } from "../src/index.ts";
import { trustPolicy } from "./confirm-policy.ts";
import { refusal } from "./refusal.ts";
import { challenge, decide, intentOf } from "./signing/decisions.ts";
import { enrolSsh } from "./signing/enrol.ts";
import { SSH_KINDS, SshKey, TokenKey } from "./signing/ssh-keys.ts";
import { testStore, testWorld } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

const kinds = Object.keys(SSH_KINDS) as (keyof typeof SSH_KINDS)[];
let folder: string;
let keys: Record<keyof typeof SSH_KINDS, SshKey>;
let stranger: SshKey;
let store: ReturnType<typeof testStore>;
let engine: HapEngine;

beforeAll(() => {
  needProgram("ssh-keygen", "openssh-client");
  folder = mkdtempSync(join(tmpdir(), "hap-ssh-"));
  keys = Object.fromEntries(kinds.map((kind) => [kind, new SshKey(folder, kind)])) as typeof keys;
  stranger = new SshKey(folder, "ed25519", "stranger");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  store = testStore();
  engine = store.open({ world: testWorld(), trust: "apart" });
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

const open = () => engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make" } }).id;

describe("a decision signed by ssh-keygen", () => {
  it.each(kinds)("[SIGN-SSH-1, ENROL-ANCHOR-1] with a key of kind %s is accepted at level key", (kind) => {
    const key = keys[kind];
    const credential = enrolSsh(engine, key.line);
    expect(credential).toMatchObject({
      id: key.id,
      kind: "ssh",
      algorithm: SSH_KINDS[kind].algorithm,
      fingerprint: key.fingerprint,
      level: "key",
      anchored: true,
    });
    const ticket = decide(engine, open(), (statement) => key.sign(statement));
    expect(ticket).toMatchObject({ state: "APPROVED", resolution: { assurance: "key", trust: "apart" } });
  });

  it.each(["sha256", "sha512"])("[SIGN-SSH-1] is accepted when the message is hashed with %s", (hash) => {
    enrolSsh(engine, keys.rsa.line);
    const sign = (statement: Statement) => keys.rsa.sign(statement, { options: ["-O", `hashalg=${hash}`] });
    expect(decide(engine, open(), sign).state).toBe("APPROVED");
  });

  const wrong: [string, ErrorCode, (statement: Statement) => Signature][] = [
    ["in another namespace", "ceremony_mismatch", (s) => keys.ed25519.sign(s, { namespace: "file" })],
    ["over another text", "signature_invalid", (s) => keys.ed25519.sign(s, { text: `${JSON.stringify(s)}\n` })],
    ["by another key under its name", "credential_mismatch", (s) => ({ ...stranger.sign(s), credential_id: keys.ed25519.id })],
    ["by a key that nobody enrolled", "credential_unknown", (s) => stranger.sign(s)],
    ["under another algorithm", "credential_mismatch", (s) => ({ ...keys.ed25519.sign(s), algorithm: "ES256" })],
    ["cut short", "signature_invalid", (s) => ({ ...keys.ed25519.sign(s), value: keys.ed25519.sign(s).value.slice(0, -8) })],
    [
      "with something behind it",
      "signature_invalid",
      (s) => ({ ...keys.ed25519.sign(s), value: `${keys.ed25519.sign(s).value}AAAA` }),
    ],
    ["that is none", "signature_invalid", (s) => ({ ...keys.ed25519.sign(s), value: "AAAAAAAAAAAAAAAA" })],
    ["with a bit changed", "signature_invalid", (s) => flipped(keys.ed25519.sign(s))],
  ];
  it.each(wrong)("[SIGN-REFUSE-1] %s is refused (%s), logged, and changes nothing", (_, code, sign) => {
    enrolSsh(engine, keys.ed25519.line);
    const id = open();
    const statement = challenge(engine, id);
    expect(refusal(() => engine.submitIntent(intentOf(statement, sign(statement)))).code).toBe(code);
    const logged = engine.getEvents({ ticket: id }).filter(({ type }) => type === "intent.invalid");
    expect(logged).toMatchObject([{ payload: { code } }]);
    expect(engine.getTicket(id).resolution).toBeNull();
    expect(engine.submitIntent(intentOf(statement, keys.ed25519.sign(statement))).state).toBe("APPROVED");
  });
});

function flipped(signature: Signature): Signature {
  const bytes = Buffer.from(signature.value, "base64url");
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  return { ...signature, value: bytes.toString("base64url") };
}

describe("a decision signed by an SSH key in a token", () => {
  it.each(["EdDSA", "ES256"] as const)("[SIGN-SSH-2] (%s) has the form that OpenSSH accepts", (algorithm) => {
    expect(new TokenKey(algorithm).acceptedByOpenSsh(folder, "a statement")).toBe(true);
  });

  it.each(["EdDSA", "ES256"] as const)(
    "[SIGN-SSH-2, ENROL-ANCHOR-1] (%s) proves a touch, and with verification a passkey",
    (algorithm) => {
      const token = new TokenKey(algorithm);
      expect(enrolSsh(engine, token.line)).toMatchObject({ algorithm, level: "present" });
      expect(decide(engine, open(), (s) => token.sign(s)).resolution?.assurance).toBe("present");
      expect(decide(engine, open(), (s) => token.sign(s, { flags: 5 })).resolution?.assurance).toBe("passkey");
      expect(engine.credentials()[0]?.sign_count).toBe(token.counter);
    },
  );

  it("[SIGN-SSH-2, ENROL-ANCHOR-1] proves no more than a touch where nothing anchors it", () => {
    const unanchored = testStore();
    const elsewhere = unanchored.open({ world: testWorld() });
    const token = new TokenKey("EdDSA");
    enrolSsh(elsewhere, token.line);
    const id = elsewhere.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make" } }).id;
    expect(decide(elsewhere, id, (s) => token.sign(s, { flags: 5 })).resolution?.assurance).toBe("present");
    unanchored.remove();
  });

  it.each([
    ["without a touch", "user_presence_missing", { flags: 4 }],
    ["with a counter that went back", "counter_regressed", { counter: 1 }],
  ] as const)("[SIGN-REFUSE-1] %s is refused (%s)", (_, code, twist) => {
    const token = new TokenKey("EdDSA");
    enrolSsh(engine, token.line);
    decide(engine, open(), (s) => token.sign(s, { counter: 5 }));
    expect(refusal(() => decide(engine, open(), (s) => token.sign(s, { counter: 6, ...twist }))).code).toBe(code);
  });

  it("[SIGN-REFUSE-1] cannot pass for one by a key in a file, nor the other way round", () => {
    const token = new TokenKey("EdDSA");
    enrolSsh(engine, token.line);
    const id = open();
    const statement = challenge(engine, id);
    const bytes = Buffer.from(token.sign(statement).value, "base64url");
    const plain = Buffer.from(
      bytes.toString("latin1").replace("sk-ssh-ed25519@openssh.com", "xx-ssh-ed25519@openssh.com"),
      "latin1",
    );
    const forged = { ...token.sign(statement), value: plain.toString("base64url") };
    expect(refusal(() => engine.submitIntent(intentOf(statement, forged))).code).toBe("credential_mismatch");
  });
});

describe("a critical yes of somebody who has an SSH key", () => {
  const critical = () => engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot" } }).id;

  it("[ASSURE-KEY-1] is signed: a typed phrase alone no longer opens it", () => {
    enrolSsh(engine, keys.ed25519.line);
    const id = critical();
    expect(engine.neededFor(id, "alex")).toEqual({ signature: "key", confirmed: true });
    const typed = typedYes(engine, id, "human:alex");
    expect(refusal(() => engine.approve(id, "", { by: "human:alex", ...typed })).code).toBe("signature_needed");
    const { resolution } = decide(engine, id, (statement) => keys.ed25519.sign(statement), { confirmed: true });
    expect(resolution).toMatchObject({ assurance: "key", confirmed: true, unproven: false });
  });

  it("[ASSURE-KEY-1] stays so after the key was revoked", () => {
    enrolSsh(engine, keys.ed25519.line);
    engine.revokeCredential({ id: keys.ed25519.id, by: "alex" });
    const id = critical();
    const typed = typedYes(engine, id, "human:alex");
    expect(refusal(() => engine.approve(id, "", { by: "human:alex", ...typed })).code).toBe("signature_needed");
  });

  it("[ASSURE-KEY-1] is refused where the policy refuses keys that an ssh-agent may hold; a key in hardware is not", () => {
    enrolSsh(engine, keys.ed25519.line);
    mkdirSync(join(store.folder, ".hap"), { recursive: true });
    writeFileSync(join(store.folder, ".hap", "policy.json"), JSON.stringify({ version: 1, refuse_agent_held_keys: true }));
    trustPolicy(engine, { by: "human:alex" });
    const id = critical();
    const error = refusal(() => decide(engine, id, (statement) => keys.ed25519.sign(statement), { confirmed: true }));
    expect(error).toMatchObject({ code: "assurance_too_low", message: expect.stringContaining("ssh-agent") });
    expect(decide(engine, open(), (statement) => keys.ed25519.sign(statement)).state).toBe("APPROVED");
    expect(engine.reject(id, "", { by: "human:alex" }).state).toBe("REJECTED");
  });
});
