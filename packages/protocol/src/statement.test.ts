import { expect, test } from "vitest";
import { sha256 } from "../test/sha256.ts";
import { INTENT_STATEMENT, statementHash, statementOf, statementText } from "./statement.ts";

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;
const intent = {
  ticket_id: "tk_9f3",
  ticket_hash: hash("1"),
  from: "human:0123456789abcdefghjkmnpqrs",
  decision: "approve" as const,
  artifact_hash: hash("2"),
  bytes_hash: hash("3"),
  presentation_hash: hash("4"),
  runtime: "rt_0123456789abcdefghjkmnpqrs",
  epoch: 1,
  nonce: `n_${"0".repeat(32)}`,
  issued_at: "2026-01-31T10:05:00.000Z",
  expires_at: "2026-01-31T10:06:00.000Z",
  comment: null,
  answer: null,
  edits: null,
};

test("[STATEMENT-FIELDS-1] a statement has all of its fields, absent ones as null, in one text", () => {
  expect(statementText(statementOf(intent, "default"))).toBe(
    [
      '{"answer_hash":null',
      `"artifact_hash":"${hash("2")}"`,
      `"bytes_hash":"${hash("3")}"`,
      '"comment_hash":null',
      '"decision":"approve"',
      '"edits_hash":null',
      '"epoch":1',
      '"expires_at":"2026-01-31T10:06:00.000Z"',
      '"from":"human:0123456789abcdefghjkmnpqrs"',
      '"issued_at":"2026-01-31T10:05:00.000Z"',
      `"nonce":"n_${"0".repeat(32)}"`,
      `"presentation_hash":"${hash("4")}"`,
      '"runtime":"rt_0123456789abcdefghjkmnpqrs"',
      '"space":"default"',
      `"ticket_hash":"${hash("1")}"`,
      '"ticket_id":"tk_9f3"',
      '"typ":"hap.intent/1"}',
    ].join(","),
  );
  expect(INTENT_STATEMENT).toBe("hap.intent/1");
});

test("[STATEMENT-FIELDS-1] contents enter by their salted digest, without the media", () => {
  const statement = statementOf(
    { ...intent, comment: `text:${hash("5")}`, answer: `json:${hash("6")}`, edits: `json:${hash("7")}` },
    "default",
  );
  expect([statement.comment_hash, statement.answer_hash, statement.edits_hash]).toEqual([hash("5"), hash("6"), hash("7")]);
});

test("what is signed is the sha256 of the text, and every field changes it", () => {
  const statement = statementOf(intent, "default");
  const signed = statementHash(statement, sha256);
  expect(signed).toBe(`sha256:${sha256(statementText(statement))}`);
  for (const key of Object.keys(statement))
    expect(statementHash({ ...statement, [key]: "changed" }, sha256), key).not.toBe(signed);
});

test("nothing but the listed fields enters, so that a later field of the log changes no signature", () => {
  const later = { ...intent, new_field: "x" };
  expect(statementText(statementOf(later, "default"))).toBe(statementText(statementOf(intent, "default")));
});
