import { describe, expect, test } from "vitest";
import { exampleTicket } from "../../test/example-ticket.ts";
import { signedIntentSchema, ticketSchema } from "./ticket.ts";

test("[VERSION-IGNORE-1] a ticket as a runtime shows it is a ticket, with or without what a later version adds", () => {
  expect(ticketSchema().parse(exampleTicket)).toEqual(exampleTicket);
  expect(ticketSchema().parse({ ...exampleTicket, later: true })).toEqual(exampleTicket);
});

describe("a signed intent", () => {
  const intent = {
    ticket_id: "tk_9f3",
    from: "human:alex",
    decision: "approve",
    artifact_hash: `sha256:${"0".repeat(64)}`,
    expires_at: "2026-01-31T10:06:30Z",
    nonce: `n_${"0".repeat(32)}`,
    signature: { algorithm: "ES256", value: "c2ln", credential_id: "Y3JlZA" },
    comment: "LGTM, refactor looks solid",
  };

  test("may be unsigned, and carries what WebAuthn needs", () => {
    const webauthn = { ...intent.signature, authenticator_data: "YQ", client_data_json: "e30" };
    for (const signature of [intent.signature, null, webauthn])
      expect(signedIntentSchema().parse({ ...intent, signature })).toEqual({ ...intent, signature });
  });

  test.each<[string, object]>([
    ["a decision that does not exist", { decision: "maybe" }],
    ["a hash without its algorithm", { artifact_hash: "0".repeat(64) }],
    ["a short nonce", { nonce: "n_923f1a" }],
    ["an agent", { from: "agent:x" }],
    ["a comment of 1001 characters", { comment: "a".repeat(1001) }],
    ["a signature of words", { signature: { ...intent.signature, value: "not base64" } }],
    ["a signature by another algorithm", { signature: { ...intent.signature, algorithm: "none" } }],
    ["no signature field at all", { signature: undefined }],
    ["a time that does not exist", { expires_at: "2026-02-30T00:00:00Z" }],
  ])("[INPUT-RANGE-1] with %s is none", (_, change) => {
    expect(signedIntentSchema().safeParse({ ...intent, ...change }).success).toBe(false);
  });

  test("may have a comment of 1000 characters, counted as people count", () => {
    expect(signedIntentSchema().safeParse({ ...intent, comment: "😀".repeat(1000) }).success).toBe(true);
  });
});
