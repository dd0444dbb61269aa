// The signed form of a decision (21.2) is checked whole or refused: no field of it ever makes a plain yes.
import { randomBytes } from "node:crypto";
import { isHapError } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentClient, PersonClient } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

const forgedSignature = {
  algorithm: "ES256",
  value: Buffer.alloc(70, 7).toString("base64url"),
  credential_id: Buffer.alloc(16, 7).toString("base64url"),
};

describe.each(WAYS)("on %s, a signed form", (over) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;
  let id: string;
  let whole: Record<string, unknown>;

  beforeEach(async () => {
    made = sdkWorld({ over });
    agent = await made.agent();
    person = await made.person();
    const ticket = await agent.createTicket({ to: "human:alex", summary: "please" });
    id = ticket.id;
    whole = {
      ticket_id: id,
      from: "human:alex",
      decision: "approve",
      artifact_hash: ticket.artifact.diff_hash,
      expires_at: ahead(60_000),
      nonce: nonce(),
      signature: null,
    };
  });
  afterEach(() => made.remove());

  const ahead = (ms: number) => new Date(made.world.now() + ms).toISOString();
  const nonce = () => `n_${randomBytes(16).toString("hex")}`;
  /** The refusals of this ticket in the log. */
  const logged = async () =>
    (await person.events({ ticket: id })).flatMap(({ payload }) => (payload.type === "intent.invalid" ? [payload] : []));
  const submit = (form: Record<string, unknown>) => person.submitIntent(form, { on: id });

  async function isRefused(form: Record<string, unknown>, code: string, field: string): Promise<void> {
    const error = await refused(submit(form));
    expect(isHapError(error) && [error.code, error.fields.field]).toEqual([code, field]);
    expect((await person.getTicket(id)).state).toMatch(/PENDING|DELIVERED|ACKED/);
    expect(await logged()).toMatchObject([{ ticket_id: id, code }]);
  }

  it("that is whole and right decides", async () => {
    expect((await submit(whole)).state).toBe("APPROVED");
    expect(await logged()).toEqual([]);
  });

  it("[INTENT-FORM-1] with a zero artifact_hash is refused, and logged", () =>
    isRefused({ ...whole, artifact_hash: `sha256:${"0".repeat(64)}` }, "artifact_mismatch", "artifact_hash"));

  it("[INTENT-FORM-1] with an artifact_hash that is none is refused, and logged", () =>
    isRefused({ ...whole, artifact_hash: "0" }, "invalid_input", "artifact_hash"));

  it("[INTENT-FORM-1] that has expired is refused, and logged", () =>
    isRefused({ ...whole, expires_at: ahead(-1) }, "intent_expired", "expires_at"));

  it("[INTENT-FORM-1] that expires a day ahead is refused, and logged", () =>
    isRefused({ ...whole, expires_at: ahead(86_400_000) }, "intent_future_dated", "expires_at"));

  it("[INTENT-FORM-1] for another ticket_id is refused, logged, and decides neither ticket", async () => {
    const other = await agent.createTicket({ to: "human:alex", summary: "another" });
    await isRefused({ ...whole, ticket_id: other.id }, "statement_mismatch", "ticket_id");
    expect((await person.getTicket(other.id)).state).toBe("PENDING");
  });

  it("[INTENT-FORM-1] from another person is refused, and logged as its sender's", async () => {
    await isRefused({ ...whole, from: "human:sam" }, "statement_mismatch", "from");
    expect(await person.history(id)).toContainEqual(expect.objectContaining({ type: "intent.invalid", from: "human:alex" }));
  });

  it("[INTENT-FORM-1] with a reused nonce is refused, and logged", async () => {
    const other = await agent.createTicket({ to: "human:alex", summary: "another" });
    const used = { ...whole, ticket_id: other.id, artifact_hash: other.artifact.diff_hash };
    expect((await person.submitIntent(used)).state).toBe("APPROVED");
    await isRefused(whole, "nonce_used", "nonce");
  });

  it("[INTENT-FORM-1] with algorithm none is refused, and logged", () =>
    isRefused({ ...whole, signature: { ...forgedSignature, algorithm: "none" } }, "invalid_input", "signature.algorithm"));

  it("[INTENT-FORM-1] with a forged ES256 signature over a nonce of its own is refused, and logged", () =>
    isRefused({ ...whole, signature: forgedSignature }, "statement_mismatch", "nonce"));

  it("[INTENT-FORM-1] with a forged ES256 signature over a challenge of ours is refused, and logged", async () => {
    const { statement } = await person.issueChallenge(id, { decision: "approve" });
    const { artifact_hash, expires_at, nonce: given } = statement;
    const form = { ...whole, artifact_hash, expires_at, nonce: given, signature: forgedSignature };
    await isRefused(form, "credential_unknown", "signature");
  });

  it.each(["ticket_id", "from", "artifact_hash", "expires_at", "nonce", "signature"])(
    "[INTENT-FORM-1] with nothing but %s beside the decision is refused, and logged",
    async (field) => {
      const error = await refused(submit({ decision: "approve", [field]: whole[field] }));
      expect(error.code).toBe("invalid_input");
      expect(await logged()).toMatchObject([{ ticket_id: id, decision: "approve", code: "invalid_input" }]);
    },
  );

  it("[INTENT-FORM-1] with a field that is unknown is refused, and logged", () =>
    isRefused({ ...whole, issued_by: "me" }, "invalid_input", ""));
});
