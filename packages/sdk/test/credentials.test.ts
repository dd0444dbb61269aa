// Keys through the person's client (D25): everything that a face needs to enrol, sign and revoke.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Authenticator } from "../../core/test/signing/authenticator.ts";
import { TokenKey } from "../../core/test/signing/ssh-keys.ts";
import type { PersonClient } from "../src/index.ts";
import { refused, sdkWorld } from "./world.ts";

let made: ReturnType<typeof sdkWorld>;
let person: PersonClient;

beforeEach(async () => {
  made = sdkWorld();
  person = await made.person();
});
afterEach(async () => {
  expect(await person.verify()).toMatchObject({ ok: true });
  await made.remove();
});

async function addToken(token: TokenKey): Promise<void> {
  const { statement, needs } = await person.beginEnrolment({ kind: "ssh", label: "Token" });
  expect(needs).toBe("code");
  const { code } = await person.issueCode("enrol");
  await person.enrolCredential({ nonce: statement.nonce, credential: { public_key: token.line }, code });
}

describe("a person's keys", () => {
  it("[CRED-ENROL-1, CRED-ENROL-3] are enrolled by a code, then by an older one, and listed", async () => {
    const token = new TokenKey("ES256");
    await addToken(token);
    const passkey = new Authenticator();
    const site = { rp_id: passkey.rpId, origin: passkey.origin };
    const { statement, needs, challenge } = await person.beginEnrolment({ kind: "passkey", ...site });
    expect(needs).toBe("assertion");
    const vouch = await person.enrolmentChallenge(statement.nonce, passkey.material);
    expect(vouch.challenge).not.toBe(challenge);
    const assertion = token.sign(vouch.statement);
    await person.enrolCredential({ nonce: statement.nonce, credential: passkey.material, assertion });
    expect((await person.credentials()).map(({ kind, label }) => [kind, label])).toEqual([
      ["ssh", "Token"],
      ["passkey", null],
    ]);
    expect(await (await made.person("human:sam")).credentials()).toEqual([]);
  });

  it("[CRED-ENROL-2] are added by whoever began to, and nobody else", async () => {
    const { statement } = await person.beginEnrolment({ kind: "ssh" });
    const { code } = await person.issueCode("enrol");
    const credential = { public_key: new TokenKey("EdDSA").line };
    const sam = await made.person("human:sam");
    expect((await refused(sam.enrolCredential({ nonce: statement.nonce, credential, code }))).code).toBe("statement_mismatch");
    expect((await person.enrolCredential({ nonce: statement.nonce, credential, code })).person).toBe("human:alex");
  });

  it("[SIGN-SSH-2, CRED-REVOKE-1] sign decisions until they are revoked", async () => {
    const token = new TokenKey("EdDSA");
    await addToken(token);
    const agent = await made.agent();
    const sign = async () => {
      const { id } = await agent.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make" } });
      expect(await person.needed(id)).toEqual({ signature: null, confirmed: false });
      const { statement } = await person.issueChallenge(id, { decision: "approve", comment: "Go" });
      const { ticket_id, decision, artifact_hash, expires_at, nonce } = statement;
      const signature = token.sign(statement);
      return person.submitIntent({ ticket_id, from: person.person, decision, artifact_hash, expires_at, nonce, signature });
    };
    expect((await sign()).resolution).toMatchObject({ assurance: "present", comment: "Go" });
    const { statement } = await person.beginRevocation(token.id);
    const signed = { nonce: statement.nonce, assertion: token.sign(statement) };
    expect((await person.revokeCredential(token.id, signed)).revoked_at).not.toBeNull();
    expect((await refused(sign())).code).toBe("credential_revoked");
  });
});
