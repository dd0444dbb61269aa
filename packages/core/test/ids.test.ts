// Identifiers (D12): a client's own id finds the same ticket again, and what people type names one ticket or none.
import { ID_PATTERNS } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { exampleDiff } from "./example-diff.ts";
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

const own = "tk_0123456789abcdefgh";
const full = {
  id: own,
  from: "agent:ci",
  to: "human:alex",
  kind: "modify_file",
  summary: "Refactor",
  file: "src/a.ts",
  diff: exampleDiff,
  details: { why: "tidy" },
  confidence: 0.5,
  risk: 0.4,
  environment: "staging",
  priority: "high",
  project: "/srv/app",
  ttl_seconds: 60,
  on_timeout: "cancel",
  escalate_to: ["human:sam"],
  artifact: { repo: "github.com/acme/app", base_commit: "a1b2c3" },
} as const;

describe("an id that a client brings", () => {
  it("[ID-OWN-1] finds the same ticket again, and writes nothing", () => {
    const first = engine.createTicket(full);
    const { length } = engine.getEvents();
    world.advance(1000);
    expect(engine.createTicket(full)).toMatchObject({ id: own, ticket_hash: first.ticket_hash, created_at: first.created_at });
    expect(engine.createTicket({ ...full, intent: { kind: "modify_file", summary: "Refactor" } }).id).toBe(own);
    expect(engine.getEvents()).toHaveLength(length);
  });

  it("[ID-OWN-1] finds the ticket whatever became of it", () => {
    engine.createTicket(full);
    engine.reassign(own, "human:kim");
    engine.approve(own);
    expect(engine.createTicket(full)).toMatchObject({ to: "human:kim", state: "APPROVED" });
  });

  it("[ID-OWN-1] finds it without what has a default, and whoever the local person is now", () => {
    engine.createTicket({ id: own, to: "human:alex", summary: "x", ttl_seconds: 60 });
    expect(store.open({ world, humanId: "human:sam" }).createTicket({ id: own, summary: "x" }).to).toBe("human:alex");
  });

  it.each([
    ["to", { to: "human:sam" }],
    ["kind", { kind: "deploy" }],
    ["summary", { summary: "Refactor more" }],
    ["details", { details: { why: "because" } }],
    ["confidence", { confidence: 0.6 }],
    ["risk", { risk: 0.5 }],
    ["ask", { ask: { type: "approval", allow_edits: true } }],
    ["details", { diff: exampleDiff.replace("readToken", "anyToken") }],
    ["environment", { environment: "dev" }],
    ["priority", { priority: "low" }],
    ["project", { project: "/srv/other" }],
    ["lease", { ttl_seconds: 61 }],
    ["on_timeout", { on_timeout: "auto_reject" }],
    ["escalate", { escalate_to: ["human:kim"] }],
    ["repo", { artifact: { ...full.artifact, repo: "github.com/acme/other" } }],
    ["base_commit", { artifact: { ...full.artifact, base_commit: "ffffff" } }],
  ] as const)("[ID-OWN-1] conflicts with another %s", (field, change) => {
    engine.createTicket(full);
    const { length } = engine.getEvents();
    expect(refusal(() => engine.createTicket({ ...full, ...change }))).toMatchObject({ code: "id_conflict", fields: { field } });
    expect(engine.getEvents()).toHaveLength(length);
  });

  it("[ID-OWN-2] conflicts for another agent, which learns nothing of the first one's ticket", () => {
    engine.createTicket(full);
    const error = refusal(() => engine.createTicket({ ...full, from: "agent:other" }));
    expect(error).toMatchObject({ code: "id_conflict", fields: { ticket_id: own } });
    expect(JSON.stringify(error.toJSON())).not.toMatch(/agent|ci\b|alex|Refactor/);
  });

  it.each(["tk_0123456789abcdef", "tk_", "tk_UPPERCASE0123456789", "abcdefghijklmnopqrstuvw", `tk_${"a".repeat(65)}`, ""])(
    "[ID-READ-1] is refused as %j",
    (id) => {
      expect(refusal(() => engine.createTicket({ id }))).toMatchObject({ code: "invalid_id", fields: { field: "id" } });
    },
  );

  it("[ID-SHAPE-1] is not needed: the runtime's own have their shape", () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    expect(id).toMatch(/^tk_[0-9a-hjkmnp-tv-z]{26}$/);
    engine.approve(id);
    for (const { id: eventId, payload } of engine.getEvents()) {
      expect(eventId).toMatch(ID_PATTERNS.event);
      if (payload.type === "intent.sign") expect(payload.intent.nonce).toMatch(/^n_[0-9a-f]{32}$/);
    }
  });
});

describe("what a person types", () => {
  const make = (id: string, to = "human:alex") => {
    engine.createTicket({ id, to });
    return engine.deliver(id).id;
  };
  const resolve = (text: string, person = "human:alex") => engine.resolveId(text, person);

  it("[ID-SHORT-1] names a ticket by its id, a prefix, a suffix or its short code", () => {
    const id = make("tk_abcdefghijklmnopqrst");
    make("tk_zyxwvutsrqponmlkjihg");
    expect(resolve(id)).toEqual({ id, exact: true });
    for (const text of ["abc", "tk_abc", "ABCDEF", " abcdefghijklmnopqrst ", "rst", "opqrst", "tk_opqrst", "mnopqrst"])
      expect(resolve(text), text).toEqual({ id, exact: false });
  });

  it("[ID-SHORT-1] names by fewer than six characters only what was delivered to this person", () => {
    const pending = engine.createTicket({ id: "tk_abcdefghijklmnopqrst", to: "human:alex" }).id;
    make("tk_abczzzzzzzzzzzzzzzzz", "human:sam");
    expect(refusal(() => resolve("abc")).code).toBe("ticket_not_found");
    expect(resolve("abc", "human:sam").id).toBe("tk_abczzzzzzzzzzzzzzzzz");
    engine.deliver(pending);
    expect(resolve("abc").id).toBe(pending);
    expect(refusal(() => resolve("abc", "human:nobody")).code).toBe("ticket_not_found");
  });

  it("[ID-SHORT-1] names by its whole short code a ticket for this person that was not shown yet", () => {
    const { id } = engine.createTicket({ id: "tk_abcdefghijklmnopqrst", to: "human:alex" });
    for (const text of ["opqrst", "tk_opqrst", "mnopqrst"]) expect(resolve(text), text).toEqual({ id, exact: false });
    for (const text of ["pqrst", "abcdef"]) expect(refusal(() => resolve(text)).code, text).toBe("ticket_not_found");
    expect(refusal(() => resolve("opqrst", "human:sam")).code).toBe("ticket_not_found");
    engine.createTicket({ id: "tk_zzzzzzzzzzzzzzopqrst", to: "human:alex" });
    expect(refusal(() => resolve("opqrst")).code).toBe("ambiguous_id");
  });

  it("[ID-SHORT-1] names what was handed on for its new person alone", () => {
    const id = make("tk_abcdefghijklmnopqrst", "human:sam");
    engine.reassign(id, "human:alex");
    expect(resolve("opqrst")).toEqual({ id, exact: false });
    expect(refusal(() => resolve("abc")).code).toBe("ticket_not_found");
    expect(refusal(() => resolve("opqrst", "human:sam")).code).toBe("ticket_not_found");
    expect(resolve(id).exact).toBe(true);
  });

  it("[ID-SHORT-1] is an error when it fits a second ticket, at either end", () => {
    make("tk_abcdefghijklmnopqrst");
    make("tk_abcxxxxxxxxxxxxxxxxx");
    make("tk_yyyyyyyyyyyyyyyyyabc");
    const error = refusal(() => resolve("abc"));
    expect(error.code).toBe("ambiguous_id");
    expect(error.fields.matches).toEqual(expect.arrayContaining(["tk_abcdefghijklmnopqrst", "tk_yyyyyyyyyyyyyyyyyabc"]));
    expect(resolve("abcd").id).toBe("tk_abcdefghijklmnopqrst");
  });

  it("[ID-SHORT-1] is an error even when it is exactly one ticket's id and the beginning or end of another's", () => {
    make("tk_aaaaaaaaaaaaaaaaaaaa");
    make("tk_aaaaaaaaaaaaaaaaaaaab");
    expect(refusal(() => resolve("tk_aaaaaaaaaaaaaaaaaaaa")).code).toBe("ambiguous_id");
    make("tk_cccccccccccccccccccc");
    make("tk_xcccccccccccccccccccc");
    expect(refusal(() => resolve("tk_cccccccccccccccccccc")).code).toBe("ambiguous_id");
  });

  it.each(["", "ab", "tk_", "abc*", "abc def", "%", "_%_", "tk_äöü", "../../etc"])(
    "[ID-SHORT-1, INPUT-ERROR-1] names nothing as %j",
    (text) => {
      make("tk_abcdefghijklmnopqrst");
      expect(refusal(() => resolve(text))).toMatchObject({ code: "invalid_id", fields: { field: "id" } });
    },
  );
});
