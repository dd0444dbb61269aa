// Leases (D9, D15): what runs, what stands still, what can be added, and what a deadline does to a late decision.
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

const seconds = (count: number) => world.advance(count * 1000);
const iso = (inSeconds: number) => new Date(world.now() + inSeconds * 1000).toISOString();
const open = (ttl_seconds: number) => engine.createTicket({ to: "human:alex", ttl_seconds }).id;
const week = 604_800;

describe("a lease", () => {
  it("[LEASE-START-1, LEASE-VIEW-1] starts with the delivery, at its full length", () => {
    const id = open(60);
    seconds(40);
    expect(engine.deliver(id).lease).toMatchObject({
      ttl_seconds: 60,
      remaining_seconds: 60,
      deadline_at: iso(60),
      paused: false,
    });
    seconds(59);
    expect(engine.getTicket(id)).toMatchObject({ state: "DELIVERED", lease: { remaining_seconds: 1 } });
    seconds(1);
    expect(engine.getTicket(id)).toMatchObject({ state: "EXPIRED", lease: { remaining_seconds: 0 } });
  });

  it("[LEASE-START-2] that never started times out its length after the creation", () => {
    const id = open(60);
    world.advance(59_999);
    expect(engine.getTicket(id).state).toBe("PENDING");
    world.advance(1);
    expect(engine.getTicket(id)).toMatchObject({ state: "EXPIRED", delivered_at: null });
    expect(engine.getEvents({ ticket: id }).at(-2)?.payload).toMatchObject({
      type: "ticket.timeout",
      action_taken: "auto_reject",
      reason: "Lease expired after 60 seconds",
      deadline_at: "2026-01-31T10:01:00.000Z",
      late: false,
    });
  });

  it("[LEASE-PAUSE-1, TICKET-ACK-1, TIMEOUT-ACKED-1] stands still while its ticket is acked, in every process and after a restart", () => {
    const id = open(60);
    engine.deliver(id);
    seconds(20);
    engine.ack(id);
    const still = { state: "ACKED", lease: { remaining_seconds: 40, deadline_at: null, paused: true } };
    seconds(100_000);
    expect(engine.getTicket(id)).toMatchObject(still);
    expect(store.open({ world }).getTicket(id)).toMatchObject(still);
    engine.dispose();
    seconds(100_000);
    engine = store.open({ world });
    expect(engine.getTicket(id)).toMatchObject(still);
    expect(engine.approve(id).state).toBe("APPROVED");
  });

  it("[TICKET-ACK-2] runs on after an ack that lapsed, from where it stood", () => {
    const id = open(60);
    engine.deliver(id);
    seconds(20);
    expect(engine.ack(id, undefined, { lapseSeconds: 600 }).lease).toMatchObject({ paused: true, ack_lapses_at: iso(600) });
    seconds(599);
    expect(engine.getTicket(id).state).toBe("ACKED");
    seconds(1);
    expect(engine.getTicket(id)).toMatchObject({ state: "DELIVERED", lease: { remaining_seconds: 40, ack_lapses_at: null } });
    expect(engine.getEvents({ ticket: id }).at(-1)?.payload).toMatchObject({
      type: "ticket.state_change",
      from_state: "ACKED",
      to_state: "DELIVERED",
      metadata: { reason: "ack_lapsed", at: iso(0) },
    });
    seconds(40);
    expect(engine.getTicket(id).state).toBe("EXPIRED");
  });

  it("[TICKET-ACK-2] ends by itself when its ack and then it ran out while nobody looked", () => {
    const id = open(60);
    engine.ack(id, undefined, { lapseSeconds: 10 });
    seconds(71);
    expect(engine.getTicket(id).state).toBe("EXPIRED");
    const [lapse, timeout] = engine.getEvents({ ticket: id }).slice(-3);
    expect(lapse?.payload).toMatchObject({ type: "ticket.state_change", metadata: { at: "2026-01-31T10:00:10.000Z" } });
    expect(timeout?.payload).toMatchObject({ type: "ticket.timeout", deadline_at: "2026-01-31T10:01:10.000Z", late: false });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[TICKET-ACK-2] can be held again by another look, and for good by a lasting ack", () => {
    const id = open(60);
    engine.ack(id, undefined, { lapseSeconds: 10 });
    seconds(9);
    expect(engine.ack(id, undefined, { lapseSeconds: 10 }).lease.ack_lapses_at).toBe(iso(10));
    seconds(9);
    expect(engine.ack(id).lease).toMatchObject({ remaining_seconds: 60, ack_lapses_at: null });
    seconds(100_000);
    expect(engine.getTicket(id).state).toBe("ACKED");
  });

  it.each([0, -1, 1.5, Number.NaN, week + 1])("[TICKET-ACK-2, INPUT-ERROR-1] is not held for %s seconds", (lapseSeconds) => {
    const id = open(60);
    expect(refusal(() => engine.ack(id, undefined, { lapseSeconds }))).toMatchObject({ code: "invalid_input" });
    expect(engine.getTicket(id).state).toBe("PENDING");
  });

  it("[LEASE-LATE-1] lets a decision win one millisecond before its deadline", () => {
    const id = open(60);
    engine.deliver(id);
    world.advance(59_999);
    expect(engine.approve(id).state).toBe("APPROVED");
  });

  it("[LEASE-LATE-1, LEASE-DUE-1] makes a decision at its deadline lose, with the deadline named and the timeout recorded", () => {
    const id = open(60);
    engine.deliver(id);
    seconds(60);
    const error = refusal(() => engine.approve(id));
    expect(error).toMatchObject({
      code: "deadline_passed",
      fields: { deadline_at: "2026-01-31T10:01:00.000Z", state: "EXPIRED" },
    });
    expect(error.message).toContain("ended at 2026-01-31T10:01:00.000Z and nobody had answered");
    expect(engine.getEvents({ ticket: id }).map((event) => event.type)).toEqual([
      "ticket.create",
      "ticket.state_change",
      "ticket.timeout",
      "ticket.resolve",
      "intent.invalid",
    ]);
  });

  it("[LEASE-LATE-1] is over for acks, cancels, extensions, snoozes and reassignments too", () => {
    for (const act of [
      (id: string) => engine.ack(id),
      (id: string) => engine.cancel(id),
      (id: string) => engine.extend(id, 60),
      (id: string) => engine.snooze(id, 60),
      (id: string) => engine.reassign(id, "human:sam"),
      (id: string) => engine.renew(id, "agent:local"),
    ]) {
      const id = open(60);
      seconds(60);
      expect(refusal(() => act(id)).code).toBe("deadline_passed");
    }
  });

  it("[LEASE-DUE-1] of any ticket is applied by a command on another, before it, in the same transaction", () => {
    const late = open(60);
    const other = open(600);
    seconds(60);
    engine.approve(other);
    const types = engine.getEvents().map((event) => event.type);
    expect(types.slice(-5)).toEqual(["ticket.timeout", "ticket.resolve", "ticket.state_change", "intent.sign", "ticket.resolve"]);
    expect(engine.getEvents({ ticket: late }).at(-1)?.type).toBe("ticket.resolve");
  });

  it("[LEASE-DUE-2] that ran out while no process was running is applied by the next that opens the store", () => {
    for (let count = 0; count < 120; count++) open(60);
    engine.dispose();
    seconds(61);
    engine = store.open({ world });
    expect(engine.getEvents().filter((event) => event.type === "ticket.timeout")).toHaveLength(120);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true, events: 2 + 3 * 120 });
  });

  it("[ID-ORDER-1] keeps its order and verifies though the wall clock ran backwards", () => {
    const first = open(600);
    engine.ack(first, undefined, { lapseSeconds: 60 });
    world.jump(-3_600_000);
    const second = open(600);
    engine.approve(first);
    engine.extend(second, 60);
    world.jump(7_200_000);
    engine.getTicket(second);
    expect(engine.listAll().map((ticket) => ticket.id)).toEqual([second, first]);
    expect(engine.getEvents().map((event) => event.seq)).toEqual(engine.getEvents().map((_, index) => index + 1));
    expect(engine.verifyEventLog().ok).toBe(true);
  });
});

describe("more time", () => {
  it("[LEASE-EXTEND-1] by a person moves the deadline, running or paused", () => {
    const id = open(60);
    engine.deliver(id);
    seconds(30);
    expect(engine.extend(id, 45).lease).toMatchObject({ remaining_seconds: 75, deadline_at: iso(75) });
    engine.ack(id);
    expect(engine.extend(id, 10).lease).toMatchObject({ remaining_seconds: 85, paused: true });
    expect(engine.getEvents({ ticket: id }).at(-1)?.payload).toMatchObject({ type: "ticket.extend", by: "person", seconds: 10 });
  });

  it("[LEASE-EXTEND-1] is at most seven days in all, over extend, snooze and reassign together", () => {
    const id = open(3600);
    engine.deliver(id);
    engine.extend(id, week - 3600);
    engine.snooze(id, 1800);
    seconds(600);
    expect(refusal(() => engine.extend(id, 1801)).message).toContain("at most 604800 s may be added in all");
    expect(refusal(() => engine.snooze(id, 1801)).code).toBe("limit_reached");
    engine.extend(id, 1800);
    expect(refusal(() => engine.extend(id, 1)).code).toBe("limit_reached");
    // A reassignment gives a fresh lease, which is shorter than what is left here, and so adds nothing.
    expect(engine.reassign(id, "human:sam").lease.remaining_seconds).toBe(3600);
    seconds(10);
    expect(refusal(() => engine.reassign(id, "human:alex")).code).toBe("limit_reached");
    expect(engine.getTicket(id)).toMatchObject({ to: "human:sam", state: "PENDING" });
  });

  it("[LEASE-EXTEND-1] by reassignment counts what the fresh lease adds", () => {
    const id = engine.createTicket({ to: "human:alex", ttl_seconds: week }).id;
    seconds(week - 1);
    engine.reassign(id, "human:sam");
    seconds(1);
    engine.reassign(id, "human:alex");
    seconds(1);
    expect(refusal(() => engine.reassign(id, "human:sam")).code).toBe("limit_reached");
  });

  it.each([0, -60, 0.5, week + 1, Number.POSITIVE_INFINITY])("[LEASE-EXTEND-1, INPUT-ERROR-1] is not %s seconds", (count) => {
    const id = open(60);
    const { length } = engine.getEvents();
    for (const act of [() => engine.extend(id, count), () => engine.snooze(id, count)])
      expect(refusal(act)).toMatchObject({ code: "invalid_input", fields: { field: "seconds" } });
    expect(engine.getEvents()).toHaveLength(length);
  });

  it("[LEASE-EXTEND-1] by snoozing takes the ticket out of the inbox as long", () => {
    const id = open(60);
    engine.deliver(id);
    const snoozed = engine.snooze(id, 600);
    expect(snoozed.lease).toMatchObject({ remaining_seconds: 660, snoozed_until: iso(600) });
    expect(engine.inbox("human:alex").tickets).toEqual([]);
    seconds(599);
    expect(engine.inbox("human:alex").tickets).toEqual([]);
    seconds(1);
    expect(engine.inbox("human:alex").tickets.map((ticket) => ticket.id)).toEqual([id]);
    expect(engine.getTicket(id).lease).toMatchObject({ remaining_seconds: 60, snoozed_until: null });
  });

  it("[LEASE-EXTEND-1] by snoozing holds a look that would lapse as long", () => {
    const id = open(60);
    engine.ack(id, undefined, { lapseSeconds: 10 });
    engine.snooze(id, 100);
    seconds(109);
    expect(engine.getTicket(id)).toMatchObject({ state: "ACKED", lease: { remaining_seconds: 160 } });
    seconds(1);
    expect(engine.getTicket(id)).toMatchObject({ state: "DELIVERED", lease: { remaining_seconds: 160 } });
  });

  it("[LEASE-EXTEND-1] is given by its person alone", () => {
    const id = open(60);
    for (const by of ["human:sam", "agent:local", "agent:other"])
      for (const act of [
        () => engine.extend(id, 60, { by }),
        () => engine.snooze(id, 60, { by }),
        () => engine.reassign(id, "human:sam", { by }),
      ])
        expect(refusal(act).kind).toBe("denied");
  });

  it("[LEASE-EXTEND-1] starts afresh for whoever the ticket is reassigned to, who has not seen it yet", () => {
    const id = open(60);
    engine.ack(id);
    seconds(1000);
    expect(engine.reassign(id, "sam")).toMatchObject({
      to: "human:sam",
      state: "PENDING",
      delivered_at: null,
      lease: { remaining_seconds: 60, deadline_at: iso(60), paused: false },
    });
    expect(refusal(() => engine.approve(id, undefined, { by: "human:alex" })).message).toContain("addressed to human:sam");
    expect(engine.approve(id, undefined, { by: "human:sam" }).state).toBe("APPROVED");
  });
});

describe("a live waiter", () => {
  const renew = (id: string) => engine.renew(id, "agent:local");

  it("[LEASE-WAITER-1] makes the lease whole again, and writes that it did", () => {
    const id = open(60);
    engine.deliver(id);
    world.advance(31_001);
    expect(renew(id).lease).toMatchObject({ remaining_seconds: 61 });
    const { payload } = engine.getEvents({ ticket: id }).at(-1) ?? {};
    expect(payload).toMatchObject({ type: "ticket.extend", by: "waiter", from: "agent:local", seconds: 32 });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[LEASE-WAITER-1] renews at most once per half of the lease", () => {
    const id = open(60);
    seconds(10);
    renew(id);
    seconds(29);
    const error = refusal(() => renew(id));
    expect(error).toMatchObject({ code: "limit_reached" });
    expect(error.message).toContain("2026-01-31T10:00:10.000Z");
    seconds(1);
    expect(renew(id).lease.remaining_seconds).toBe(60);
  });

  it("[LEASE-WAITER-1] has no limit in all, and leaves the person's seven days whole", () => {
    const id = open(week);
    for (let count = 0; count < 10; count++) {
      seconds(week / 2);
      renew(id);
    }
    expect(engine.extend(id, week).lease.remaining_seconds).toBe(2 * week);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[LEASE-WAITER-1] writes nothing while the lease is whole", () => {
    const id = open(60);
    const { length } = engine.getEvents();
    expect(renew(id).lease.remaining_seconds).toBe(60);
    expect(engine.getEvents()).toHaveLength(length);
  });

  it("[LEASE-WAITER-1] fills a paused lease too, so that it is whole when the look lapses", () => {
    const id = open(60);
    engine.deliver(id);
    seconds(50);
    engine.ack(id, undefined, { lapseSeconds: 100 });
    expect(renew(id).lease).toMatchObject({ remaining_seconds: 60, paused: true });
    seconds(100);
    expect(engine.getTicket(id)).toMatchObject({ state: "DELIVERED", lease: { remaining_seconds: 60 } });
  });

  it("[LEASE-WAITER-1] is the ticket's own agent", () => {
    expect(refusal(() => engine.renew(open(60), "agent:other")).code).toBe("not_addressee");
  });
});
