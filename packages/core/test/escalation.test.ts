// Escalation (D16): each lease that ends hands the ticket on, until the chain or its depth is used up.
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

const chained = (to: string[], max_depth?: number, on_timeout: "auto_reject" | "cancel" | "auto_approve" = "auto_reject") =>
  engine.createTicket({
    to: "human:alex",
    file: "src/a.ts",
    lease: { ttl_seconds: 60, on_timeout, escalate: { to, ...(max_depth === undefined ? {} : { max_depth }) } },
  }).id;

/** Who has the ticket after each of so many leases, and what state it is in. */
function course(id: string, leases: number): string[] {
  return Array.from({ length: leases }, () => {
    world.advance(60_000);
    const { to, state } = engine.getTicket(id);
    return `${to} ${state}`;
  });
}

describe("an escalation chain", () => {
  it("[ESCALATE-CHAIN-1] hands an unanswered ticket on with a fresh lease, and ends by its timeout action", () => {
    const id = chained(["human:sam", "human:kim"]);
    expect(course(id, 3)).toEqual(["human:sam PENDING", "human:kim PENDING", "human:kim EXPIRED"]);
    const events = engine.getEvents({ ticket: id });
    expect(events.map((event) => event.type)).toEqual([
      "ticket.create",
      "ticket.escalate",
      "ticket.escalate",
      "ticket.timeout",
      "ticket.resolve",
    ]);
    expect(events.filter((event) => event.type === "ticket.escalate").map(({ payload }) => payload)).toMatchObject([
      { depth: 1, from_state: "PENDING" },
      { depth: 2, from_state: "PENDING" },
    ]);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[ESCALATE-CHAIN-1] leaves a delivered ticket, and the next person has the full time from their own delivery", () => {
    const id = chained(["human:sam"]);
    engine.deliver(id);
    world.advance(60_000);
    expect(engine.getTicket(id)).toMatchObject({
      to: "human:sam",
      state: "PENDING",
      delivered_at: null,
      lease: { remaining_seconds: 60, escalations: 1 },
    });
    world.advance(50_000);
    expect(engine.deliver(id, { by: "human:sam" }).lease.remaining_seconds).toBe(60);
    world.advance(60_000);
    expect(engine.getTicket(id).state).toBe("EXPIRED");
  });

  it("[ESCALATE-CHAIN-1] is three deep unless it says otherwise, and not deeper than it says", () => {
    const five = ["human:b", "human:c", "human:d", "human:e", "human:f"];
    expect(course(chained(five), 4)).toEqual(["human:b PENDING", "human:c PENDING", "human:d PENDING", "human:d EXPIRED"]);
    expect(course(chained(five, 1), 2)).toEqual(["human:b PENDING", "human:b EXPIRED"]);
    expect(course(chained(["human:b"], 10, "cancel"), 2)).toEqual(["human:b PENDING", "human:b CANCELED"]);
  });

  it("[ESCALATE-CHAIN-1, TIMEOUT-APPROVE-2] approves at its end only what the last person was shown", () => {
    const shown = chained(["human:sam"], 1, "auto_approve");
    world.advance(60_000);
    engine.deliver(shown, { by: "human:sam" });
    const unseen = chained(["human:sam"], 1, "auto_approve");
    engine.deliver(unseen);
    world.advance(60_000);
    engine.getTicket(unseen);
    world.advance(60_000);
    expect([shown, unseen].map((id) => engine.getTicket(id).state)).toEqual(["APPROVED", "EXPIRED"]);
  });

  it("[ESCALATE-CHAIN-1] goes one step at a time however long nobody looked", () => {
    const id = chained(["human:sam", "human:kim"]);
    world.advance(86_400_000);
    expect(engine.getTicket(id)).toMatchObject({ to: "human:sam", state: "PENDING", lease: { remaining_seconds: 60 } });
  });

  it("[ESCALATE-CHAIN-1] does not move a ticket that is acked", () => {
    const id = chained(["human:sam"]);
    engine.ack(id);
    expect(course(id, 3)).toEqual(["human:alex ACKED", "human:alex ACKED", "human:alex ACKED"]);
  });

  it("[DECIDE-WHO-1, ESCALATE-CHAIN-1] lets its targets decide before and after it is their turn, and the first one still", () => {
    for (const by of ["human:alex", "human:sam", "human:kim"]) {
      const early = chained(["human:sam", "human:kim"]);
      expect(engine.approve(early, undefined, { by }).resolution?.actor).toEqual({ kind: "human", id: by });
      const late = chained(["human:sam", "human:kim"]);
      world.advance(60_000);
      expect(engine.reject(late, undefined, { by }).resolution?.actor).toEqual({ kind: "human", id: by });
    }
    expect(refusal(() => engine.approve(chained(["human:sam"]), undefined, { by: "human:kim" })).code).toBe("not_addressee");
    const rights = engine.getEvents().flatMap(({ payload }) => (payload.type === "intent.sign" ? [payload.authority] : []));
    expect(rights).toEqual(["addressee", "escalation", "escalation", "addressee", "escalation", "escalation"]);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[INPUT-RANGE-1, ESCALATE-CHAIN-1] names one to ten people and a depth of one to ten", () => {
    expect(refusal(() => chained([])).code).toBe("invalid_input");
    expect(refusal(() => chained(["human:sam"], 0)).message).toContain("from 1 to 10");
    expect(refusal(() => chained(["human:sam"], 11)).code).toBe("invalid_input");
    expect(refusal(() => chained(["agent:sam"])).message).toContain("escalate.to");
  });
});
