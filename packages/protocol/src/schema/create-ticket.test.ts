import { describe, expect, test } from "vitest";
import { refusal } from "../../test/refusal.ts";
import { type CreateTicketInput, parseCreateTicket, type TicketRequest } from "./create-ticket.ts";

/** What a ticket is when nothing is said. */
const silent: TicketRequest = {
  id: null,
  from: "agent:local",
  to: null,
  kind: "modify_file",
  summary: "Modify file",
  details: {},
  confidence: null,
  artifact: { type: null, diffHash: null, bytesHash: null, environment: null, repo: null, baseCommit: null },
  ask: { type: "approval", allow_edits: false },
  lease: { ttlSeconds: null, onTimeout: null, escalate: null },
  riskClaimed: null,
  priority: "normal",
  project: null,
  session: null,
};

describe("what is not said has a default", () => {
  test.each<[string, CreateTicketInput, Partial<TicketRequest>]>([
    ["nothing at all", {}, {}],
    ["a file gives the summary", { file: "src/a.ts" }, { summary: "Modify file src/a.ts", details: { file: "src/a.ts" } }],
    ["a kind gives the summary", { kind: "run_command" }, { kind: "run_command", summary: "Run command" }],
    [
      "a question's kind is question",
      { ask: { type: "text" } },
      { kind: "question", summary: "Question", ask: { type: "text" } },
    ],
    [
      "escalation to one, three deep",
      { escalate_to: "human:sam" },
      { lease: { ttlSeconds: null, onTimeout: null, escalate: { to: ["human:sam"], maxDepth: 3 } } },
    ],
    ["nulls where they are allowed", { confidence: null, risk: null, artifact: null, lease: { escalate: null } }, {}],
    ["what nobody knows is ignored", { later: true } as CreateTicketInput, {}],
  ])("%s", (_, input, wanted) => {
    expect(parseCreateTicket(input)).toEqual({ ...silent, ...wanted });
  });

  test("a summary made from a long path is cut to 200 characters", () => {
    const { summary } = parseCreateTicket({ file: `${"😀".repeat(300)}.ts` });
    expect([...summary]).toHaveLength(200);
    expect(summary).toMatch(/^Modify file 😀+…$/u);
  });
});

test("[INPUT-FORMS-1] the flat form of 7.3 and the nested form of 11.2 make the same ticket", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const flat = parseCreateTicket({
    to: "human:alex",
    kind: "modify_file",
    summary: "Refactor",
    file: "x",
    diff,
    lines_added: 1,
    lines_removed: 1,
    environment: "dev",
    confidence: 0.9,
    ttl_seconds: 60,
    on_timeout: "cancel",
    escalate_to: ["human:sam"],
  });
  const nested = parseCreateTicket({
    to: "human:alex",
    intent: {
      kind: "modify_file",
      summary: "Refactor",
      details: { file: "x", diff, lines_added: 1, lines_removed: 1 },
      confidence: 0.9,
    },
    artifact: { environment: "dev" },
    lease: { ttl_seconds: 60, on_timeout: "cancel", escalate: { to: ["human:sam"] } },
  });
  expect(flat).toEqual(nested);
  expect(parseCreateTicket({ artifact: { diff } }).details).toEqual(parseCreateTicket({ details: { diff } }).details);
});

describe("[INPUT-ERROR-1, INPUT-RANGE-1, INPUT-TEXT-1] what cannot be taken is refused with its field", () => {
  const ttl = "must be a whole number of seconds from 1 to 604800 (7 days)";
  const token = "must be 1 to 64 of a-z, 0-9, _ . : and -, starting with a letter or digit";
  test.each<[unknown, string, string]>([
    [null, "", "must be a JSON object (got null)"],
    [[], "", "must be a JSON object (got a list)"],
    ["x", "", 'must be a JSON object (got "x")'],
    [{ summary: "" }, "summary", 'must be 1 to 200 characters (got "")'],
    [{ summary: "a".repeat(201) }, "summary", "must be 1 to 200 characters (got 201 characters)"],
    [{ intent: { summary: "😀".repeat(201) } }, "intent.summary", "must be 1 to 200 characters (got 201 characters)"],
    [{ summary: "a\0b" }, "summary", 'must not hold NUL (got "a\\u0000b")'],
    [{ summary: "\ud800" }, "summary", 'must not hold half of a surrogate pair (got "\\ufffd")'],
    [{ summary: 5 }, "summary", "must be text (got 5)"],
    [{ ttl_seconds: 0 }, "ttl_seconds", `${ttl} (got 0)`],
    [{ lease: { ttl_seconds: 604_801 } }, "lease.ttl_seconds", `${ttl} (got 604801)`],
    [{ lease: { ttl_seconds: 1.5 } }, "lease.ttl_seconds", `${ttl} (got 1.5)`],
    [{ lease: { ttl_seconds: "60" } }, "lease.ttl_seconds", `${ttl} (got "60")`],
    [{ on_timeout: "approve" }, "on_timeout", 'must be one of auto_approve, auto_reject, cancel (got "approve")'],
    [{ risk: 9 }, "risk", "must be a number from 0 to 1 (got 9)"],
    [{ risk: -0.1 }, "risk", "must be a number from 0 to 1 (got -0.1)"],
    [{ confidence: 1.01 }, "confidence", "must be a number from 0 to 1 (got 1.01)"],
    [{ priority: "urgent" }, "priority", 'must be one of critical, high, normal, low (got "urgent")'],
    [{ kind: "Modify File" }, "kind", `${token} (got "Modify File")`],
    [{ kind: "human:alex" }, "kind", 'must not name a person (got "human:alex")'],
    [{ environment: "" }, "environment", `${token} (got "")`],
    [{ artifact: { type: "git diff" } }, "artifact.type", `${token} (got "git diff")`],
    [
      { artifact: { diff_hash: "abc123" } },
      "artifact.diff_hash",
      'must be sha256: and 64 lower-case hexadecimal digits (got "abc123")',
    ],
    [{ artifact: { diff: 5 } }, "artifact.diff", "must be text (got 5)"],
    [{ details: "x" }, "details", 'must be a JSON object (got "x")'],
    [{ details: [] }, "details", "must be a JSON object"],
    [{ lines_added: -1 }, "lines_added", "must be a whole number of lines, 0 or more (got -1)"],
    [{ escalate_to: [] }, "escalate_to", "must be a person or a list of 1 to 10 people"],
    [
      { lease: { escalate: { to: ["human:sam"], max_depth: 0 } } },
      "lease.escalate.max_depth",
      "must be a whole number from 1 to 10 (got 0)",
    ],
    [{ to: 5 }, "to", "must be the id of a person (got 5)"],
    [{ session: "S 1" }, "session", `${token} (got "S 1")`],
    [{ ask: "sure?" }, "ask", 'must be an object with a type (got "sure?")'],
    [{ project: "" }, "project", 'must be 1 to 4096 characters (got "")'],
    [{ details: { a: ["x", { b: "\0" }] } }, "details.a[1].b", "must not hold NUL"],
    [{ diff: "\0" }, "details.diff", "must not hold NUL"],
    [{ intent: { details: { "a\0": 1 } } }, "intent.details.a<U+0000>", "must not hold NUL"],
    [{ details: JSON.parse('{"a":{"__proto__":1}}') }, "details.a.__proto__", "is a name that cannot be used"],
  ])("%j", (input, field, problem) => {
    const place = field === "" ? "the value" : field;
    expect(refusal(() => parseCreateTicket(input))).toEqual({
      code: "invalid_input",
      message: `The ticket cannot be taken: ${place}: ${problem}.`,
      field,
    });
  });

  test.each<[CreateTicketInput, string, string, string]>([
    [
      { id: "tk_short" },
      "invalid_id",
      "id",
      'id is "tk_short"; an id of your own is tk_ and 17 to 64 of a-z and 0-9. Leave it out to get one.',
    ],
    [
      { id: `tk_${"A".repeat(26)}` },
      "invalid_id",
      "id",
      `id is "tk_${"A".repeat(26)}"; an id of your own is tk_ and 17 to 64 of a-z and 0-9. Leave it out to get one.`,
    ],
    [
      { from: "human:alex" },
      "invalid_id",
      "from",
      'from is "human:alex"; an agent is agent:NAME, NAME of a-z, 0-9, _ and - (up to 64).',
    ],
    [{ to: "alex" }, "invalid_id", "to", 'to is "alex"; a person is human:NAME, NAME of a-z, 0-9, _ and - (up to 64).'],
    [{ from: "ci" }, "invalid_id", "from", 'from is "ci"; an agent is agent:NAME, NAME of a-z, 0-9, _ and - (up to 64).'],
    [{ to: "agent:x" }, "invalid_id", "to", 'to is "agent:x"; a person is human:NAME, NAME of a-z, 0-9, _ and - (up to 64).'],
    [
      { escalate_to: ["human:sam", "Sam!"] },
      "invalid_id",
      "escalate.to",
      'escalate.to is "Sam!"; a person is human:NAME, NAME of a-z, 0-9, _ and - (up to 64).',
    ],
    [
      { details: { a: "\ud800" } },
      "invalid_json",
      "details.a",
      "details.a holds half of a surrogate pair, which is no character.",
    ],
    [{ diff: "\udc00" }, "invalid_json", "details.diff", "details.diff holds half of a surrogate pair, which is no character."],
    [{ details: { a: Number.NaN } }, "invalid_json", "details.a", "details.a is NaN; JSON numbers are finite."],
    [{ details: { a: new Date(0) } }, "invalid_json", "details.a", "details.a is an object of a class, which JSON cannot hold."],
    [
      { kind: "deploy", intent: { kind: "run_command" } },
      "invalid_input",
      "kind",
      "kind is given twice and says different things; give it once.",
    ],
    [
      { summary: "a", intent: { summary: "b" } },
      "invalid_input",
      "summary",
      "summary is given twice and says different things; give it once.",
    ],
    [
      { confidence: 0.1, intent: { confidence: 0.9 } },
      "invalid_input",
      "confidence",
      "confidence is given twice and says different things; give it once.",
    ],
    [
      { environment: "dev", artifact: { environment: "prod" } },
      "invalid_input",
      "environment",
      "environment is given twice and says different things; give it once.",
    ],
    [
      { ttl_seconds: 1, lease: { ttl_seconds: 2 } },
      "invalid_input",
      "ttl_seconds",
      "ttl_seconds is given twice and says different things; give it once.",
    ],
    [
      { diff: "a", artifact: { diff: "b" } },
      "invalid_input",
      "details.diff",
      "details.diff is given twice and says different things; give it once.",
    ],
    [
      { file: "a", details: { file: "b" } },
      "invalid_input",
      "details.file",
      "details.file is given twice and says different things; give it once.",
    ],
    [
      { details: { a: 1 }, intent: { details: { a: 2 } } },
      "invalid_input",
      "details.a",
      "details.a is given twice and says different things; give it once.",
    ],
  ])("%j", (input, code, field, message) => {
    expect(refusal(() => parseCreateTicket(input))).toEqual({ code, message, field });
  });
});
