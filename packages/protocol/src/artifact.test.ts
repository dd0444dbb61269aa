import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { sha256 } from "../test/sha256.ts";
import { describeArtifact, hashBytes, hashIntent } from "./artifact.ts";
import { normaliseDiff } from "./diff.ts";
import { prefixedHash } from "./hash.ts";
import { type CreateTicketInput, parseCreateTicket } from "./schema/create-ticket.ts";

const diff = "--- a/x\t2026-01-31\n+++ b/x\t2026-01-31\n@@ -1 +1 @@\n-a\n+b\n";
const [normal, exact] = [prefixedHash(normaliseDiff(diff), sha256), prefixedHash(diff, sha256)];
const other = `sha256:${"0".repeat(64)}`;
const artifact = (input: CreateTicketInput) => describeArtifact(parseCreateTicket(input), sha256);

describe("an artifact", () => {
  test("[ARTIFACT-HASH-1] with a diff has the hash of its normal form and that of its bytes", () => {
    expect(artifact({ diff })).toEqual({ type: "git_diff", body: "diff", opaque: false, diff_hash: normal, bytes_hash: exact });
    expect(normal).not.toBe(exact);
  });

  test.each<[string, CreateTicketInput]>([
    ["the normal form's hash", { diff, artifact: { diff_hash: normal } }],
    ["the bytes' hash in either place", { diff, artifact: { diff_hash: exact, bytes_hash: exact } }],
    ["both", { diff, artifact: { type: "git_diff", diff_hash: normal, bytes_hash: exact } }],
  ])("[ARTIFACT-HASH-1] takes %s from the agent when it is right", (_, input) => {
    expect(artifact(input)).toMatchObject({ opaque: false, diff_hash: normal, bytes_hash: exact });
  });

  test.each<[string, CreateTicketInput, string]>([
    ["diff_hash", { diff, artifact: { diff_hash: other } }, "artifact.diff_hash"],
    ["bytes_hash", { diff, artifact: { bytes_hash: other } }, "artifact.bytes_hash"],
    ["bytes_hash, being that of the normal form", { diff, artifact: { bytes_hash: normal } }, "artifact.bytes_hash"],
  ])("[ARTIFACT-HASH-1] refuses a %s that is not of its bytes", (_, input, field) => {
    expect(refusal(() => artifact(input))).toEqual({
      code: "artifact_differs",
      message: `${field} is not the hash of the bytes given: these have diff_hash ${normal} and bytes_hash ${exact}. Leave it out, or send the bytes that it belongs to.`,
      field,
    });
  });

  test("of a command or a content has one hash, that of its bytes", () => {
    const hash = prefixedHash("ls\r\n", sha256);
    expect(artifact({ details: { command: "ls\r\n" }, artifact: { type: "command_script" } })).toEqual({
      type: "command_script",
      body: "command",
      opaque: false,
      diff_hash: hash,
      bytes_hash: hash,
    });
    expect(artifact({ artifact: { type: "file_content", content: "ls\r\n" } })).toEqual({
      type: "file_content",
      body: "content",
      opaque: false,
      diff_hash: hash,
      bytes_hash: hash,
    });
    expect(artifact({ artifact: { type: "sql.migration", content: "ls\r\n" } })).toMatchObject({
      type: "sql.migration",
      body: "content",
      bytes_hash: hash,
    });
  });

  test("[ARTIFACT-INTENT-1] that is not given is the intent itself, whatever the order of its keys", () => {
    const made = artifact({ kind: "run_command", summary: "List", details: { command: "ls", cwd: "/" }, confidence: 0.5 });
    const hash = prefixedHash(
      '{"confidence":0.5,"details":{"command":"ls","cwd":"/"},"kind":"run_command","summary":"List"}',
      sha256,
    );
    expect(made).toEqual({ type: "command_script", body: null, opaque: false, diff_hash: hash, bytes_hash: hash });
    expect(
      hashIntent({ details: { cwd: "/", command: "ls" }, confidence: 0.5, summary: "List", kind: "run_command" }, sha256),
    ).toBe(hash);
    expect(refusal(() => artifact({ artifact: { type: "intent", diff_hash: other } })).code).toBe("artifact_differs");
  });

  test.each<[string, CreateTicketInput, string]>([
    ["a hash alone", { artifact: { diff_hash: other } }, "git_diff"],
    ["a type and a hash", { artifact: { type: "container_image", bytes_hash: other } }, "container_image"],
    ["a type that is a word of JavaScript", { artifact: { type: "constructor", diff_hash: other } }, "constructor"],
  ])("[ARTIFACT-OPAQUE-1] is opaque when there is only %s", (_, input, type) => {
    expect(artifact(input)).toEqual({ type, body: null, opaque: true, diff_hash: other, bytes_hash: other });
  });

  test.each<[string, string]>([
    ["git_diff", "diff"],
    ["command_script", "command"],
    ["file_content", "content"],
    ["container_image", "content"],
  ])("of type %s without bytes and hash is refused with what to give", (type, body) => {
    expect(refusal(() => artifact({ artifact: { type } }))).toEqual({
      code: "invalid_input",
      message: `artifact.type is ${type}, but its bytes are missing: give details.${body}, or a hash (the ticket is then opaque and critical).`,
      field: "artifact",
    });
  });
});

test("only a diff is normalised", () => {
  expect(hashBytes("command", diff, sha256)).toEqual({ diff_hash: exact, bytes_hash: exact });
  expect(hashBytes("diff", diff, sha256)).toEqual({ diff_hash: normal, bytes_hash: exact });
});
