// One use (D17): a yes serves one call; its words are told until they were heard.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
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

const call = { agent: "agent:ci", project: "/srv/app", tool: "Bash", input: { command: "make" } };
const ask = (more = {}) => engine.createTicket({ from: "agent:ci", to: "human:alex", ...more }).id;
const use = (by = "agent:ci") => ({ by, call_hash: engine.callHash(call) });

describe("a yes", () => {
  it("[USE-ONCE-1] is used once, and a second consumer is told who used it and when", () => {
    const { id } = engine.approve(ask());
    world.advance(1000);
    expect(engine.consume(id, use()).consumed).toEqual({ ...use(), at: "2026-01-31T10:00:01.000Z" });
    world.advance(1000);
    const error = refusal(() => engine.consume(id, use()));
    expect(error.code).toBe("already_consumed");
    expect(error.message).toContain("used by agent:ci at 2026-01-31T10:00:01.000Z");
    expect(error.fields).toMatchObject({ consumed: use() });
    expect(engine.getEvents({ ticket: id }).filter((event) => event.type === "ticket.consume")).toHaveLength(1);
  });

  it("[USE-ONCE-1] is used once across engines, and across processes", () => {
    const { id } = engine.approve(ask());
    const other = store.open({ world });
    const script = `
      import { HapEngine } from ${JSON.stringify(join(import.meta.dirname, "..", "src", "index.ts"))};
      const engine = new HapEngine({ dbPath: ${JSON.stringify(store.path)}, home: ${JSON.stringify(store.folder)} });
      try { engine.consume(${JSON.stringify(id)}, ${JSON.stringify(use())}); console.log("used"); }
      catch (error) { console.log(error.code); }`;
    const run = () =>
      spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], { encoding: "utf8" }).stdout.trim();
    expect(run()).toBe("used");
    expect(run()).toBe("already_consumed");
    for (const one of [engine, other]) expect(refusal(() => one.consume(id, use())).code).toBe("already_consumed");
  });

  it("[USE-ONCE-1] of one agent is no other's to use", () => {
    const { id } = engine.approve(ask());
    expect(refusal(() => engine.consume(id, use("agent:other"))).code).toBe("not_addressee");
    expect(refusal(() => engine.consume(id, use("human:alex"))).code).toBe("not_addressee");
    expect(engine.getTicket(id).consumed).toBeNull();
  });

  it("[USE-ONCE-1] can be an answer as well", () => {
    const { id } = engine.answer(ask({ ask: { type: "confirm" } }), true);
    expect(engine.consume(id, use()).consumed).not.toBeNull();
  });

  it("[USE-ONCE-1] is in no other state", () => {
    const expiring = ask({ ttl_seconds: 1 });
    world.advance(1000);
    const states = [
      ask(),
      engine.deliver(ask()).id,
      engine.ack(ask()).id,
      engine.reject(ask()).id,
      engine.requestChanges(ask()).id,
      engine.cancel(ask()).id,
      expiring,
    ];
    for (const id of states) {
      const { state } = engine.getTicket(id);
      const error = refusal(() => engine.consume(id, use()));
      expect(error, state).toMatchObject({ code: "not_consumable", fields: { state } });
    }
  });

  it.each(["", "rm -rf /", "sha256:abc", `sha256:${"A".repeat(64)}`])(
    "[USE-ONCE-1, CONTENT-APART-1] is not used for a call_hash %j, which is none",
    (call_hash) => {
      const { id } = engine.approve(ask());
      expect(refusal(() => engine.consume(id, { by: "agent:ci", call_hash }))).toMatchObject({
        code: "invalid_input",
        fields: { field: "call_hash" },
      });
      expect(engine.getTicket(id).consumed).toBeNull();
    },
  );
});

describe("the identity of a call", () => {
  it("[USE-HASH-1] is the same for a retry in another session, and changes with all that it covers", () => {
    const same = engine.callHash(call);
    const session = { ...call, session: "s2", call_id: "c2" };
    expect(engine.callHash(session)).toBe(same);
    const others = [
      { ...call, agent: "agent:other" },
      { ...call, project: "/srv/other" },
      { ...call, project: null },
      { ...call, tool: "Edit" },
      { ...call, input: { command: "make all" } },
      { ...call, operands: { "a.sh": `sha256:${"0".repeat(64)}` } },
      { ...call, space: "other" },
    ];
    expect(new Set([same, ...others.map((other) => engine.callHash(other))]).size).toBe(others.length + 1);
  });
});

describe("the words of an end", () => {
  it("[USE-HEARD-1] are found by an agent that restarted, and heard once", () => {
    const ended = [engine.approve(ask(), "go").id, engine.reject(ask(), "no").id];
    engine.dispose();
    engine = store.open({ world });
    const found = engine.listAll({ from: "agent:ci", state: ["APPROVED", "REJECTED"] });
    expect(found.map((ticket) => [ticket.id, ticket.resolution?.comment, ticket.heard_at])).toEqual([
      [ended[1], "no", null],
      [ended[0], "go", null],
    ]);
    const { length } = engine.getEvents();
    expect(engine.heard(ended[0] as string, "agent:ci").heard_at).toBe("2026-01-31T10:00:00.000Z");
    world.advance(1000);
    expect(engine.heard(ended[0] as string, "agent:ci").heard_at).toBe("2026-01-31T10:00:00.000Z");
    expect(engine.getEvents()).toHaveLength(length + 1);
  });

  it("[USE-HEARD-1] are not there while a ticket is open, and are only its own agent's to hear", () => {
    const id = ask();
    expect(refusal(() => engine.heard(id, "agent:ci")).message).toContain("nothing to hear yet");
    engine.approve(id);
    expect(refusal(() => engine.heard(id, "agent:other")).code).toBe("not_addressee");
  });
});
