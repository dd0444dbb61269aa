// What comes in is held to limits (D13): sizes, depths, characters and counts, each with an error that names field and limit.
import { LIMITS } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { raw } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const open = (more = {}) => engine.createTicket({ to: "human:alex", ...more }).id;
function nested(depth: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < depth; level++) value = { inner: value };
  return value;
}
const bad = { NUL: "a\0b", "half of a surrogate pair": "a\ud800b" };

describe("sizes", () => {
  it("[INPUT-LIMIT-1] of a content are at most 1 MB, and one byte more is refused with the limit", () => {
    const room = LIMITS.contentBytes - '{"command":""}'.length;
    expect(engine.createTicket({ to: "human:alex", details: { command: "x".repeat(room) } }).state).toBe("PENDING");
    const error = refusal(() => open({ details: { command: "x".repeat(room + 1) } }));
    expect(error).toMatchObject({ code: "too_large", fields: { field: "details", limit: 1_000_000, bytes: 1_000_001 } });
    expect(error.message).toContain("at most 1000000");
    expect(refusal(() => open({ details: { filler: "ä".repeat(10_000_000) } })).code).toBe("too_large");
    expect(engine.listAll()).toHaveLength(1);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-LIMIT-1] of notes, reasons, answers and edits are held to the same", () => {
    const long = "x".repeat(LIMITS.contentBytes + 1);
    const id = open({ ask: { type: "approval", allow_edits: true } });
    const asked = open({ ask: { type: "text" } });
    const { length } = engine.getEvents();
    for (const [field, act] of [
      ["note", () => engine.note(id, long, "agent:local")],
      ["note", () => engine.ack(id, long)],
      ["reason", () => engine.cancel(id, long)],
      ["edits", () => engine.approve(id, undefined, { edits: { command: long } })],
      ["reason", () => engine.erase({ ticket: id, reason: long })],
    ] as const)
      expect(refusal(act), field).toMatchObject({ code: "too_large", fields: { field } });
    expect(refusal(() => engine.answer(asked, long)).kind).toBe("invalid");
    expect(engine.getEvents().filter((event) => event.type !== "intent.invalid")).toHaveLength(length);
    expect(engine.getTicket(id).intent.summary).toBe("Modify file");
  });

  it("[INPUT-LIMIT-1] of an event are at most 16 kB", () => {
    const id = open();
    const blob = "A".repeat(8192);
    const { statement } = engine.issueChallenge(id, { decision: "approve", by: "human:alex" });
    const vouching = store.open({ world, verifySignature: () => ({ level: "key" }) });
    const error = refusal(() =>
      vouching.submitIntent({
        ticket_id: id,
        from: "human:alex",
        decision: "approve",
        artifact_hash: statement.artifact_hash,
        expires_at: statement.expires_at,
        nonce: statement.nonce,
        signature: { algorithm: "ES256", value: blob, credential_id: "key", client_data_json: blob },
      }),
    );
    expect(error).toMatchObject({ code: "too_large", fields: { limit: 16_384 } });
    expect(error.message).toContain("intent.sign");
    expect(engine.getTicket(id).state).toBe("ACKED");
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-RANGE-1] of a summary are 1 to 200 characters, of a comment at most 1000", () => {
    expect(engine.createTicket({ to: "human:alex", summary: "🙂".repeat(200) }).intent.summary).toHaveLength(400);
    for (const summary of ["", "   ", "x".repeat(201)])
      expect(refusal(() => open({ summary }))).toMatchObject({ code: "invalid_input", fields: { field: "summary" } });
    const id = open();
    for (const act of [() => engine.reject(id, "x".repeat(1001)), () => engine.requestChanges(id, "🙂".repeat(1001))])
      expect(refusal(act)).toMatchObject({ code: "invalid_input", fields: { field: "comment", limit: 1000 } });
    expect(engine.reject(id, "🙂".repeat(1000)).state).toBe("REJECTED");
  });

  it.each([
    ["ttl_seconds", { ttl_seconds: 0 }],
    ["ttl_seconds", { ttl_seconds: 604_801 }],
    ["ttl_seconds", { ttl_seconds: 1.5 }],
    ["lease.ttl_seconds", { lease: { ttl_seconds: -1 } }],
    ["risk", { risk: 9 }],
    ["risk", { risk: -0.1 }],
    ["confidence", { confidence: 1.1 }],
    ["priority", { priority: "urgent" }],
    ["on_timeout", { on_timeout: "shrug" }],
    ["to", { to: "human:Alex Smith" }],
    ["to", { to: "agent:alex" }],
    ["from", { from: "human:alex" }],
    ["from", { from: "system:timeout" }],
    ["details", { details: "words" }],
    ["lines_added", { lines_added: -1 }],
  ])("[INPUT-RANGE-1, INPUT-IDS-1, INPUT-ERROR-1] refuse another %s (%j)", (field, input) => {
    const error = refusal(() => engine.createTicket({ to: "human:alex", ...input }));
    expect(error.kind).toBe("invalid");
    expect(error.fields.field).toBe(field);
    expect(engine.getEvents()).toEqual([]);
  });

  it("[INPUT-DEFAULTS-1] have defaults where nothing is said", () => {
    engine = store.open({ world, humanId: "human:local_one" });
    expect(engine.createTicket({ file: "src/a.ts" })).toMatchObject({
      to: "human:local_one",
      from: "agent:local",
      priority: "normal",
      intent: { kind: "modify_file", summary: "Modify file src/a.ts" },
      lease: { ttl_seconds: 3600, on_timeout: "auto_reject" },
      artifact: { type: "intent" },
    });
  });
});

describe("characters", () => {
  it.each(Object.entries(bad))("[INPUT-TEXT-1] that are %s are refused in every text, with the field named", (_, text) => {
    const id = open({ ask: { type: "approval", allow_edits: true } });
    const asked = open({ ask: { type: "text" } });
    const { length } = engine.getEvents();
    const acts: [string, () => unknown][] = [
      ["summary", () => open({ summary: text })],
      ["details", () => open({ details: { a: [text] } })],
      ["details", () => open({ details: { [text]: 1 } })],
      ["diff", () => open({ diff: text })],
      ["file", () => open({ file: text })],
      ["project", () => open({ project: text })],
      ["repo", () => open({ artifact: { repo: text } })],
      ["prompt", () => open({ ask: { type: "text", prompt: text } })],
      ["note", () => engine.ack(id, text)],
      ["note", () => engine.note(id, text, "agent:local")],
      ["comment", () => engine.approve(id, text)],
      ["edits", () => engine.approve(id, undefined, { edits: { command: text } })],
      ["", () => engine.answer(asked, text)],
      ["reason", () => engine.cancel(id, text)],
      ["reason", () => engine.erase({ ticket: id, reason: text })],
    ];
    for (const [field, act] of acts) {
      const error = refusal(act);
      expect(error.kind, field).toBe("invalid");
      expect(JSON.stringify(error.toJSON()), field).toContain(field);
    }
    expect(engine.getEvents().filter((event) => event.type !== "intent.invalid")).toHaveLength(length);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-TEXT-1] that are odd but whole are kept exactly", () => {
    const odd = "\u0001\u007f\u2028\ufeff\u202e𝔘🏴‍☠️ \\u0000 \r\n\t";
    const id = open({ summary: odd, details: { odd, "key \u2028": [odd] } });
    engine.reject(id, odd);
    store.open({ world });
    expect(engine.getTicket(id)).toMatchObject({
      intent: { summary: odd, details: { odd, "key \u2028": [odd] } },
      resolution: { comment: odd },
    });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-TEXT-1] in an empty note say nothing", () => {
    expect(refusal(() => engine.note(open(), " ", "agent:local"))).toMatchObject({
      code: "invalid_input",
      fields: { field: "note" },
    });
  });
});

describe("depth and names", () => {
  it("[INPUT-LIMIT-1] of details are bounded, and __proto__ is no name", () => {
    expect(engine.createTicket({ to: "human:alex", details: nested(40) }).state).toBe("PENDING");
    expect(refusal(() => open({ details: nested(70) })).kind).toBe("invalid");
    expect(refusal(() => open({ details: nested(100_000) })).kind).toBe("invalid");
    expect(refusal(() => open({ details: JSON.parse('{"__proto__":{"admin":true}}') })).fields.field).toContain("__proto__");
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(refusal(() => open({ details: round })).kind).toBe("invalid");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol("x")])(
    "[INPUT-TEXT-1] refuse %s, which is no JSON",
    (value) => {
      expect(refusal(() => open({ details: { value } })).kind).toBe("invalid");
    },
  );
});

describe("quotas", () => {
  /** The true count again, which the log would be held against. */
  const recount = () =>
    raw(store.path, (database) =>
      database.exec(`UPDATE quotas SET open_tickets=(SELECT count(*) FROM tickets WHERE open=1 AND "from"=quotas.agent)`),
    );

  it("[INPUT-QUOTA-1] stop one agent with a typed error, and no other; what ends makes room", () => {
    const id = open({ from: "agent:busy" });
    raw(store.path, (database) =>
      database.prepare("UPDATE quotas SET open_tickets=? WHERE agent='agent:busy'").run(LIMITS.openTicketsPerAgent),
    );
    const { length } = engine.getEvents();
    const error = refusal(() => open({ from: "agent:busy" }));
    expect(error).toMatchObject({ code: "quota_exceeded", kind: "busy", fields: { agent: "agent:busy", limit: 20_000 } });
    expect(error.message).toContain("20000 open tickets");
    expect(engine.getEvents()).toHaveLength(length);
    expect(open({ from: "agent:calm" })).toMatch(/^tk_/);
    engine.reject(id);
    expect(open({ from: "agent:busy" })).toMatch(/^tk_/);
    recount();
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-QUOTA-1] in a transaction with others undo nobody else's ticket", async () => {
    open({ from: "agent:busy" });
    raw(store.path, (database) =>
      database.prepare("UPDATE quotas SET open_tickets=? WHERE agent='agent:busy'").run(LIMITS.openTicketsPerAgent),
    );
    const outcomes = await Promise.allSettled(
      ["agent:calm", "agent:busy", "agent:calm"].map((from) => engine.later(() => open({ from }))),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(engine.listAll()).toHaveLength(3);
    recount();
    expect(engine.verifyEventLog().ok).toBe(true);
  });
});

describe("artifacts", () => {
  const hash = `sha256:${"d".repeat(64)}`;

  it("[ARTIFACT-HASH-1] are hashed by the runtime, and a claim that differs is refused", () => {
    expect(
      refusal(() =>
        open({ kind: "run_command", details: { command: "ls" }, artifact: { type: "command_script", diff_hash: hash } }),
      ),
    ).toMatchObject({ code: "artifact_differs" });
  });

  it("[ARTIFACT-OPAQUE-1] of a hash alone are opaque, and make their ticket critical", () => {
    expect(engine.createTicket({ to: "human:alex", artifact: { diff_hash: hash } })).toMatchObject({
      artifact: { opaque: true, diff_hash: hash, bytes_hash: hash },
      tier: "critical",
      effects: expect.arrayContaining(["opaque"]),
    });
  });

  it("[RISK-CLAIM-1, TIER-CRITICAL-1] carry the agent's claim where it is higher, and keep it where it is lower", () => {
    expect(engine.createTicket({ to: "human:alex", file: "a.ts", risk: 0.9 })).toMatchObject({
      risk: 0.9,
      risk_claimed: 0.9,
      tier: "critical",
    });
    expect(engine.createTicket({ to: "human:alex", file: "a.ts", risk: 0.1 })).toMatchObject({
      risk: 0.26,
      risk_claimed: 0.1,
      tier: "routine",
    });
  });
});
