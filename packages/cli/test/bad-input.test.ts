// Bad input: a typed error that names the field and says what is allowed, an exit code by kind, and a log still valid.
import { describe, expect, test } from "vitest";
import { World } from "./hap.ts";

const world = new World();

type Bad = { what: string; args: string[]; input?: string | Buffer; code: number; error: string; says: RegExp };

const huge = Buffer.alloc(10_000_000, "x");
const create = ["create", "--summary", "x"];

const bad: Bad[] = [
  {
    what: "an unknown ticket",
    args: ["show", "tk_000000000000000000000"],
    code: 4,
    error: "ticket_not_found",
    says: /hap list --all/,
  },
  { what: "a text that is no id", args: ["approve", "no such!"], code: 2, error: "invalid_id", says: /names no ticket/ },
  {
    what: "malformed details",
    args: [...create, "--details", '{"a":'],
    code: 2,
    error: "invalid_json",
    says: /--details is not JSON/,
  },
  {
    what: "details that are no object",
    args: [...create, "--details", "[1]"],
    code: 2,
    error: "invalid_input",
    says: /--details must be a JSON object/,
  },
  {
    what: "a summary that is too long",
    args: ["create", "--summary", "x".repeat(201)],
    code: 2,
    error: "invalid_input",
    says: /summary.*1 to 200 characters/,
  },
  { what: "an empty summary", args: ["create", "--summary", " "], code: 2, error: "invalid_input", says: /summary/ },
  {
    what: "an id of its own that is too short",
    args: [...create, "--id", "tk_abc"],
    code: 2,
    error: "invalid_id",
    says: /17 to 64/,
  },
  {
    what: "a person's id of the wrong shape",
    args: [...create, "--to", "human:Ünal"],
    code: 2,
    error: "invalid_id",
    says: /human:NAME/,
  },
  {
    what: "an agent's id of the wrong shape",
    args: [...create, "--from", "robot:1"],
    code: 2,
    error: "invalid_id",
    says: /agent:NAME/,
  },
  { what: "a ttl of 0", args: [...create, "--ttl", "0"], code: 2, error: "invalid_input", says: /ttl_seconds.*from 1 to 604800/ },
  {
    what: "a ttl that is no time",
    args: [...create, "--ttl", "soon"],
    code: 2,
    error: "invalid_input",
    says: /--ttl is "soon".*10m/,
  },
  { what: "a ttl over 7 days", args: [...create, "--ttl", "8d"], code: 2, error: "invalid_input", says: /604800/ },
  { what: "a risk of 9", args: [...create, "--risk", "9"], code: 2, error: "invalid_input", says: /risk.*from 0 to 1/ },
  {
    what: "a risk that is no number",
    args: [...create, "--risk", "much"],
    code: 2,
    error: "invalid_input",
    says: /--risk is "much"/,
  },
  { what: "a confidence below 0", args: [...create, "--confidence=-1"], code: 2, error: "invalid_input", says: /confidence/ },
  {
    what: "an unknown priority",
    args: [...create, "--priority", "urgent"],
    code: 2,
    error: "invalid_input",
    says: /priority.*critical, high, normal, low/,
  },
  {
    what: "an unknown timeout action",
    args: [...create, "--on-timeout", "shrug"],
    code: 2,
    error: "invalid_input",
    says: /on_timeout/,
  },
  {
    what: "auto_approve for a critical ticket",
    args: [...create, "--risk", "0.9", "--on-timeout", "auto_approve"],
    code: 2,
    error: "auto_approve_refused",
    says: /critical/,
  },
  {
    what: "auto_approve for a question",
    args: [...create, "--ask", '{"type":"text"}', "--on-timeout", "auto_approve"],
    code: 2,
    error: "auto_approve_refused",
    says: /question/,
  },
  { what: "a kind with spaces", args: [...create, "--kind", "two words"], code: 2, error: "invalid_input", says: /kind/ },
  {
    what: "a question of an unknown type",
    args: [...create, "--ask", '{"type":"riddle"}'],
    code: 2,
    error: "invalid_input",
    says: /ask/,
  },
  {
    what: "a file that is not there",
    args: [...create, "--details", "@nowhere.json"],
    code: 2,
    error: "invalid_input",
    says: /--details.*nowhere.json.*no such file/,
  },
  { what: "a folder as a file", args: [...create, "--diff-file", "."], code: 2, error: "invalid_input", says: /it is a folder/ },
  {
    what: "two options from standard input",
    args: [...create, "--details", "-", "--ask", "-"],
    input: "{}",
    code: 2,
    error: "invalid_input",
    says: /cannot both come from standard input/,
  },
  {
    what: "NUL from standard input",
    args: [...create, "--details", "-"],
    input: '{"a":"x\\u0000y"}',
    code: 2,
    error: "invalid_input",
    says: /details\.a: must not hold NUL/,
  },
  {
    what: "a NUL byte in a diff",
    args: [...create, "--diff-file", "-"],
    input: "--- a\n\0",
    code: 2,
    error: "invalid_input",
    says: /NUL/,
  },
  {
    what: "a lone surrogate",
    args: [...create, "--details", "-"],
    input: '{"a":"\\ud800"}',
    code: 2,
    error: "invalid_json",
    says: /surrogate/,
  },
  {
    what: "bytes that are no text",
    args: [...create, "--details", "-"],
    input: Buffer.from([0x7b, 0xff, 0x7d]),
    code: 2,
    error: "invalid_input",
    says: /not UTF-8/,
  },
  {
    what: "an integer that cannot be kept",
    args: [...create, "--details", '{"n":12345678901234567890}'],
    code: 2,
    error: "invalid_json",
    says: /12345678901234567890/,
  },
  {
    what: "10 MB of details by standard input",
    args: [...create, "--details", "-"],
    input: huge,
    code: 2,
    error: "too_large",
    says: /1000000 bytes/,
  },
  {
    what: "10 MB of a diff by file",
    args: [...create, "--diff-file", "huge.diff"],
    code: 2,
    error: "too_large",
    says: /huge\.diff.*1000000 bytes/,
  },
  { what: "a cursor that is none", args: ["inbox", "--cursor", "nonsense"], code: 2, error: "invalid_cursor", says: /cursor/ },
  { what: "a risk above 1", args: ["list", "--min-risk", "7"], code: 2, error: "invalid_input", says: /from 0 to 1/ },
  { what: "a limit of 0", args: ["list", "--limit", "0"], code: 2, error: "invalid_input", says: /limit is 0/ },
  {
    what: "a limit that is no number",
    args: ["events", "--limit", "few"],
    code: 2,
    error: "invalid_input",
    says: /--limit is "few"/,
  },
  {
    what: "a state that is none",
    args: ["list", "--state", "undecided"],
    code: 2,
    error: "invalid_input",
    says: /--state.*pending/,
  },
  {
    what: "a comment that is too long",
    args: ["reject", "TICKET", "x".repeat(1001)],
    code: 2,
    error: "invalid_input",
    says: /comment has 1001 characters; at most 1000/,
  },
  { what: "more time than there is", args: ["extend", "TICKET", "8d"], code: 2, error: "invalid_input", says: /604800/ },
  { what: "no time at all", args: ["snooze", "TICKET", "0"], code: 2, error: "invalid_input", says: /seconds is 0/ },
  { what: "an answer to what is no question", args: ["answer", "TICKET", "yes"], code: 5, error: "wrong_state", says: /approve/ },
  { what: "a reassignment to nobody", args: ["reassign", "TICKET", "agent:x"], code: 2, error: "invalid_id", says: /human:NAME/ },
  { what: "an erasure that is not confirmed", args: ["erase", "TICKET"], code: 3, error: "confirmation_needed", says: /--yes/ },
  {
    what: "an erasure of what is not there",
    args: ["erase", "TICKET", "--fields", "answer", "--yes"],
    code: 4,
    error: "content_erased",
    says: /no such text/,
  },
  { what: "a shell that is not known", args: ["completion", "tcsh"], code: 2, error: "invalid_input", says: /bash, zsh or fish/ },
];

let ticket: string | null = null;

describe("[INPUT-ERROR-1] [INPUT-RANGE-1] [INPUT-TEXT-1] [INPUT-LIMIT-1] [FAULT-MISSING-1] bad input", () => {
  world.file("huge.diff", huge);
  test.for(bad)("$what: $error, exit $code", async ({ args, input, code, error, says }) => {
    ticket ??= (await world.create()).id;
    const filled = args.map((arg) => (arg === "TICKET" ? (ticket as string) : arg));
    const ran = await world.run([...filled, "--json"], input === undefined ? {} : { input });
    expect(ran).toMatchObject({ code, out: "" });
    const told = JSON.parse(ran.err).error;
    expect(told.code).toBe(error);
    expect(told.message).toMatch(says);
    expect(ran.err.trim().split("\n")).toHaveLength(1);
  });

  test("the log is still valid afterwards", async () => {
    expect(await world.ok(["verify"])).toMatch(/^Event log integrity: OK/);
  });
});
