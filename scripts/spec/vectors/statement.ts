// What a person signs (D23): the statement of an intent, its text and its hash.
import { HapError, type Json, parseWith, statementHash, statementOf, statementText, storedIntentSchema } from "@hap/protocol";
import { type Case, invalid, type Suite, sha256, valid } from "../vector.ts";

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;
/** An intent with nothing beside it; other vectors sign its statement. */
export const sampleIntent = {
  ticket_id: "tk_0123456789abcdefghjkmnpqrs",
  ticket_hash: hash("1"),
  from: "human:0123456789abcdefghjkmnpqrs",
  decision: "approve" as const,
  artifact_hash: hash("2"),
  bytes_hash: hash("3"),
  presentation_hash: hash("4"),
  runtime: "rt_0123456789abcdefghjkmnpqrs",
  epoch: 1,
  nonce: `n_${"0f".repeat(16)}`,
  issued_at: "2026-01-31T10:05:00.000Z",
  expires_at: "2026-01-31T10:06:00.000Z",
  signature: null,
  comment: null,
  answer: null,
  edits: null,
};
const input = (change: object = {}, space = "default"): Json => ({ space, intent: { ...sampleIntent, ...change } }) as Json;
const right = statementHash(statementOf(sampleIntent, "default"), sha256);
/** An intent that was changed after somebody signed: its statement is not the one that was hashed. */
const signedOther = (comment: string, change: object, space = "default"): Case =>
  invalid(comment, { ...(input(change, space) as object), statement_hash: right } as Json, "Signed");
const misshaped = (comment: string, change: object): Case => invalid(comment, input(change), "Shape");

function run(given: Json): Json {
  const { space, intent: raw, statement_hash } = given as { space: string; intent: Json; statement_hash?: string };
  const statement = statementOf(parseWith(storedIntentSchema(), raw, "The intent"), space);
  const made = statementHash(statement, sha256);
  if (statement_hash !== undefined && statement_hash !== made) throw new HapError("statement_mismatch", "Statement mismatch");
  return { statement, text: statementText(statement), hash: made } as unknown as Json;
}

export const statement: Suite = {
  name: "statement",
  description:
    "The statement of input.intent in input.space: the object, its canonical JSON, and the hash of that. Where input.statement_hash is given, it is what was signed, and must be that hash.",
  flags: {
    Absent: "what is absent is null and never left out",
    Contents: "comment, answer and edits by their salted digests",
    Signed: "what was signed is not what is there",
    Shape: "the intent is misshaped",
  },
  cases: [
    valid("an approval with nothing beside it", input(), "Absent"),
    valid("an approval as it was signed", { ...(input() as object), statement_hash: right } as Json, "Signed"),
    valid("a rejection with a comment", input({ decision: "reject", comment: `text:${hash("5")}` }), "Contents"),
    valid("an answer", input({ decision: "answer", answer: `json:${hash("6")}` }), "Contents"),
    valid("an approval with edits", input({ edits: `json:${hash("7")}`, bytes_hash: hash("8") }), "Contents"),
    valid("another space and epoch", input({ epoch: 7 }, "team-a"), "Absent"),
    valid(
      "a signature is no part of it",
      input({ signature: { algorithm: "ES256", value: "c2ln", credential_id: "Y3JlZA" } }),
      "Absent",
    ),
    valid("what a later version adds is no part of it", input({ later: true }), "Absent"),
    signedOther("another decision", { decision: "reject" }),
    signedOther("another ticket", { ticket_id: "tk_1123456789abcdefghjkmnpqrs" }),
    signedOther("another ticket of the same name", { ticket_hash: hash("a") }),
    signedOther("another artifact", { artifact_hash: hash("a") }),
    signedOther("other bytes", { bytes_hash: hash("a") }),
    signedOther("another presentation", { presentation_hash: hash("a") }),
    signedOther("a comment added", { comment: `text:${hash("5")}` }),
    signedOther("an answer added", { answer: `json:${hash("5")}` }),
    signedOther("edits added", { edits: `json:${hash("5")}` }),
    signedOther("another person", { from: "human:1123456789abcdefghjkmnpqrs" }),
    signedOther("another nonce", { nonce: `n_${"0e".repeat(16)}` }),
    signedOther("a later expiry", { expires_at: "2026-01-31T10:07:00.000Z" }),
    signedOther("the same expiry in other words", { expires_at: "2026-01-31T10:06:00Z" }),
    signedOther("another time of issue", { issued_at: "2026-01-31T10:04:00.000Z" }),
    signedOther("another runtime", { runtime: "rt_1123456789abcdefghjkmnpqrs" }),
    signedOther("another epoch", { epoch: 2 }),
    signedOther("another space", {}, "team-a"),
    misshaped("no presentation", { presentation_hash: undefined }),
    misshaped("a nonce that is too short", { nonce: "n_0f" }),
    misshaped("a hash without its algorithm", { artifact_hash: "2".repeat(64) }),
    misshaped("words where a reference belongs", { comment: "LGTM" }),
    misshaped("a hash where a reference belongs", { comment: hash("5") }),
    misshaped("a name where a handle belongs", { from: "human:alex" }),
    misshaped("an unknown decision", { decision: "maybe" }),
    misshaped("an epoch of 0", { epoch: 0 }),
    misshaped("a time with an offset", { issued_at: "2026-01-31T11:05:00+01:00" }),
    misshaped("a time that does not exist", { issued_at: "2026-02-30T10:05:00Z" }),
  ],
  run,
};
