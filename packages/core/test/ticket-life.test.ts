// The life of a ticket through the engine (D6, D8): every edge that there is, and an error for every one that there is not.
import { isOpen, TICKET_STATES, type TicketState } from "@hap/protocol";
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

const question = { type: "confirm" } as const;

/** A ticket in each state, by the shortest way there. */
const ways: Record<TicketState, () => string> = {
  PENDING: () => engine.createTicket({ to: "human:alex" }).id,
  DELIVERED: () => engine.deliver(ways.PENDING()).id,
  ACKED: () => engine.ack(ways.PENDING()).id,
  APPROVED: () => engine.approve(ways.PENDING()).id,
  REJECTED: () => engine.reject(ways.PENDING()).id,
  CHANGES_REQUESTED: () => engine.requestChanges(ways.PENDING()).id,
  ANSWERED: () => engine.answer(engine.createTicket({ to: "human:alex", ask: question }).id, true).id,
  EXPIRED: () => {
    const { id } = engine.createTicket({ to: "human:alex", ttl_seconds: 1 });
    world.advance(1000);
    return engine.getTicket(id).id;
  },
  CANCELED: () => engine.cancel(ways.PENDING()).id,
};

const typesOf = (id: string) => engine.getEvents({ ticket: id }).map((event) => event.type);

describe("a ticket", () => {
  it("[TICKET-STATE-1] begins PENDING", () => {
    const ticket = engine.createTicket({ to: "human:alex" });
    expect(ticket.state).toBe("PENDING");
    expect(engine.getTicket(ticket.id)).toEqual(ticket);
  });

  it.each(TICKET_STATES)("[TICKET-STATE-2] can be %s, and stays so when it is read", (state) => {
    expect(engine.getTicket(ways[state]()).state).toBe(state);
  });

  it.each([
    ["PENDING", "DELIVERED", (id: string) => engine.deliver(id)],
    ["PENDING", "CANCELED", (id: string) => engine.cancel(id)],
    ["PENDING", "PENDING", (id: string) => engine.reassign(id, "human:sam")],
    ["DELIVERED", "ACKED", (id: string) => engine.ack(id)],
    ["DELIVERED", "APPROVED", (id: string) => engine.approve(id)],
    ["DELIVERED", "REJECTED", (id: string) => engine.reject(id)],
    ["DELIVERED", "CHANGES_REQUESTED", (id: string) => engine.requestChanges(id)],
    ["DELIVERED", "CANCELED", (id: string) => engine.cancel(id)],
    ["DELIVERED", "PENDING", (id: string) => engine.reassign(id, "human:sam")],
    ["ACKED", "APPROVED", (id: string) => engine.approve(id)],
    ["ACKED", "REJECTED", (id: string) => engine.reject(id)],
    ["ACKED", "CHANGES_REQUESTED", (id: string) => engine.requestChanges(id)],
    ["ACKED", "CANCELED", (id: string) => engine.cancel(id)],
    ["ACKED", "PENDING", (id: string) => engine.reassign(id, "human:sam")],
  ] as const)("[TICKET-STATE-2] goes from %s to %s", (from, to, act) => {
    const id = ways[from]();
    expect(act(id).state).toBe(to);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[TICKET-STATE-2] goes from ACKED back to DELIVERED when its ack lapses", () => {
    const { id } = engine.ack(ways.DELIVERED(), undefined, { lapseSeconds: 10 });
    world.advance(10_000);
    expect(engine.getTicket(id).state).toBe("DELIVERED");
  });

  const verbs: Record<string, (id: string) => unknown> = {
    deliver: (id) => engine.deliver(id),
    ack: (id) => engine.ack(id),
    approve: (id) => engine.approve(id),
    reject: (id) => engine.reject(id),
    changes: (id) => engine.requestChanges(id),
    answer: (id) => engine.answer(id, true),
    cancel: (id) => engine.cancel(id),
    extend: (id) => engine.extend(id, 60),
    snooze: (id) => engine.snooze(id, 60),
    reassign: (id) => engine.reassign(id, "human:sam"),
    renew: (id) => engine.renew(id, "agent:local"),
  };
  const ends = TICKET_STATES.filter((state) => !isOpen(state));

  const targets: Record<string, TicketState> = {
    deliver: "DELIVERED",
    ack: "ACKED",
    approve: "APPROVED",
    reject: "REJECTED",
    changes: "CHANGES_REQUESTED",
    answer: "ANSWERED",
    cancel: "CANCELED",
    reassign: "PENDING",
  };

  it.each(ends)("[TICKET-STATE-2, TICKET-STATE-3] that is %s is left by nothing, and says how it ended", (state) => {
    const id = ways[state]();
    const before = engine.getTicket(id);
    for (const [verb, act] of Object.entries(verbs)) {
      const error = refusal(() => act(id));
      expect(error.kind, verb).toBe("conflict");
      expect(error.message, verb).toContain(state);
      expect(error.message, verb).toContain("Nothing was changed");
      expect(error.fields, verb).toMatchObject({ from_state: state, to_state: targets[verb] ?? null });
      if (verb in targets) expect(error.message, verb).toContain(`cannot become ${targets[verb]}`);
    }
    const { cursor: _cursor, updated_at: _updated, ...after } = engine.getTicket(id);
    const { cursor: _before, updated_at: _at, ...expected } = before;
    expect(after).toEqual(expected);
  });

  it("[TICKET-STATE-3] names both states when it is acked a second time for good", () => {
    const error = refusal(() => engine.ack(ways.ACKED()));
    expect(error.code).toBe("wrong_state");
    expect(error.fields).toMatchObject({ from_state: "ACKED", to_state: "ACKED" });
    expect(error.message).toMatch(/is ACKED.*become ACKED/);
  });

  it("[TICKET-STATE-3, ASK-TYPE-1] is answered only as a question, and approved only as an approval", () => {
    const asked = engine.createTicket({ to: "human:alex", ask: question });
    expect(refusal(() => engine.approve(asked.id)).message).toContain("asks a question");
    expect(refusal(() => engine.requestChanges(asked.id)).message).toContain("asks a question");
    expect(refusal(() => engine.answer(ways.DELIVERED(), "yes")).message).toContain("asks for an approval");
    expect(engine.getTicket(asked.id).state).toBe("PENDING");
    expect(engine.reject(asked.id).state).toBe("REJECTED");
  });

  it("[FAULT-MISSING-1] that nobody opened is missing for every verb", () => {
    for (const id of ["tk_nosuchticketanywhere", undefined as unknown as string])
      for (const [verb, act] of Object.entries(verbs))
        expect(
          refusal(() => act(id)),
          verb,
        ).toMatchObject({ code: "ticket_not_found", kind: "missing" });
  });

  it("[EVENT-WRITES-1, TICKET-DELIVER-2] writes one event a verb, and delivers itself first where it must", () => {
    expect(typesOf(ways.DELIVERED())).toEqual(["ticket.create", "ticket.state_change"]);
    expect(typesOf(ways.ACKED())).toEqual(["ticket.create", "ticket.state_change", "ticket.ack"]);
    expect(typesOf(ways.CANCELED())).toEqual(["ticket.create", "ticket.cancel"]);
    for (const state of ["APPROVED", "REJECTED", "CHANGES_REQUESTED", "ANSWERED"] as const)
      expect(typesOf(ways[state]())).toEqual(["ticket.create", "ticket.state_change", "intent.sign", "ticket.resolve"]);
  });

  it("[EVENT-WRITES-2] writes a timeout and then its resolution, in one transaction", () => {
    const id = ways.EXPIRED();
    const events = engine.getEvents({ ticket: id });
    expect(events.map((event) => event.type)).toEqual(["ticket.create", "ticket.timeout", "ticket.resolve"]);
    const [, timeout, resolve] = events;
    expect(resolve?.payload).toMatchObject({ because: timeout?.id, from_state: "PENDING", to_state: "EXPIRED" });
    expect(resolve?.ts).toBe(timeout?.ts);
  });

  it("[EVENT-WRITES-3] writes events of their own for extend, snooze, reassign, note, consume and heard", () => {
    const id = ways.DELIVERED();
    engine.extend(id, 60);
    engine.snooze(id, 60);
    engine.reassign(id, "human:sam");
    engine.note(id, "still needed", "agent:local");
    engine.approve(id);
    engine.consume(id, { by: "agent:local", call_hash: `sha256:${"a".repeat(64)}` });
    engine.heard(id, "agent:local");
    expect(
      typesOf(id).filter((type) => !["ticket.create", "ticket.state_change", "intent.sign", "ticket.resolve"].includes(type)),
    ).toEqual(["ticket.extend", "ticket.snooze", "ticket.reassign", "ticket.note", "ticket.consume", "ticket.heard"]);
  });

  it("[EVENT-SHAPE-1, EVENT-GENESIS-1, EVENT-SIGN-1] keeps whole messages, from the genesis on", () => {
    engine.approve(ways.PENDING());
    const events = engine.getEvents();
    expect(events[0]?.payload).toMatchObject({ type: "log.genesis", space: "default", format: 1, protocol_version: "0.2" });
    for (const [index, { id, type, ts, payload }] of events.entries())
      expect(payload).toMatchObject({ seq: index + 1, id, type, ts, space: "default", v: 1 });
    expect(events.find((event) => event.type === "intent.sign")?.payload).toMatchObject({
      assurance: "local",
      confirmed: false,
      trust: "open",
      intent: { signature: null },
    });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });
});

describe("the end of a ticket", () => {
  it("[DECIDE-OUTCOME-1, DECIDE-ACTOR-1] says outcome, actor, assurance and time", () => {
    const at = new Date(world.now()).toISOString();
    const person = { kind: "human", id: "human:alex" };
    const resolutions = Object.fromEntries(ends(["APPROVED", "REJECTED", "CHANGES_REQUESTED", "ANSWERED"]));
    expect(resolutions).toEqual({
      APPROVED: { outcome: "approved", actor: person, assurance: "local", at },
      REJECTED: { outcome: "rejected", actor: person, assurance: "local", at },
      CHANGES_REQUESTED: { outcome: "changes_requested", actor: person, assurance: "local", at },
      ANSWERED: { outcome: "answered", actor: person, assurance: "local", at },
    });
    const agent = engine.getTicket(ways.CANCELED()).resolution;
    expect(agent).toMatchObject({ outcome: "canceled", actor: { kind: "agent", id: "agent:local" }, assurance: "none" });
    const expired = engine.getTicket(ways.EXPIRED()).resolution;
    expect(expired).toMatchObject({ outcome: "rejected", actor: { kind: "timer", id: "system:timeout" }, assurance: "none" });
  });

  function ends(states: TicketState[]) {
    return states.map((state) => {
      const { resolution } = engine.getTicket(ways[state]());
      const { outcome, actor, assurance, at } = resolution ?? {};
      return [state, { outcome, actor, assurance, at }];
    });
  }

  it("[DECIDE-COMMENT-1, DECIDE-OUTCOME-1] carries the person's words verbatim", () => {
    const comment = "  Ja, aber:\n\t„bitte“ mit Tests 🙂 \\u0041 ";
    expect(engine.reject(ways.PENDING(), comment).resolution?.comment).toBe(comment);
    expect(engine.cancel(ways.PENDING(), "changed my mind").resolution?.comment).toBe("changed my mind");
    const asked = engine.createTicket({ to: "human:alex", ask: { type: "choice", options: ["red", "blue"] } });
    expect(engine.answer(asked.id, "blue", { comment: "the sky" }).resolution).toMatchObject({
      comment: "the sky",
      answer: { type: "choice", choices: ["2"] },
    });
  });

  it("[DECIDE-CHANGES-1] can be a request for changes", () => {
    const ticket = engine.requestChanges(ways.ACKED(), "smaller steps");
    expect(ticket).toMatchObject({
      state: "CHANGES_REQUESTED",
      resolution: { outcome: "changes_requested", comment: "smaller steps" },
    });
  });

  it("[DECIDE-OUTCOME-1] holds the edits that its ticket allows, and no others", () => {
    const ask = { type: "approval", allow_edits: true } as const;
    const ticket = engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make a" }, ask });
    const edited = engine.approve(ticket.id, undefined, { edits: { command: "make b" } });
    expect(edited.resolution?.edits).toEqual({ command: "make b" });
    const plain = engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "make a" } });
    expect(refusal(() => engine.approve(plain.id, undefined, { edits: { command: "make b" } })).code).toBe("edits_refused");
    expect(refusal(() => engine.reject(ticket.id)).code).toBe("already_decided");
  });

  it("[DECIDE-RACE-1] is told to whoever came second: who, what and when", () => {
    const id = ways.PENDING();
    const other = store.open({ world });
    engine.reject(id);
    const error = refusal(() => other.approve(id));
    expect(error).toMatchObject({ code: "already_decided" });
    expect(error.message).toContain("rejected by human human:alex at 2026-01-31T10:00:00.000Z");
    expect(error.fields).toMatchObject({ outcome: "rejected", actor: { kind: "human", id: "human:alex" } });
  });
});

describe("delivery", () => {
  it("[TICKET-DELIVER-1] does not follow from lists, from reading, or from somebody else's look", () => {
    const id = ways.PENDING();
    engine.listAll();
    engine.listPending("human:alex");
    engine.inbox("human:alex");
    engine.getTicket(id);
    engine.deliverShown([id], "human:sam");
    expect(engine.getTicket(id).state).toBe("PENDING");
    engine.deliverShown([id], "human:alex");
    expect(engine.getTicket(id).state).toBe("DELIVERED");
  });

  it("[TICKET-DELIVER-1] is refused to somebody who may decide but is not the addressee", () => {
    const { id } = engine.createTicket({ to: "human:alex", escalate_to: "human:sam" });
    expect(refusal(() => engine.deliver(id, { by: "human:sam" }))).toMatchObject({ code: "not_addressee" });
    expect(engine.getTicket(id).state).toBe("PENDING");
  });

  it("[TICKET-DELIVER-1] of a page passes over what ended meanwhile", () => {
    const [first, second] = [ways.PENDING(), ways.PENDING()];
    engine.cancel(first);
    engine.deliverShown([first, second], "human:alex");
    expect([first, second].map((id) => engine.getTicket(id).state)).toEqual(["CANCELED", "DELIVERED"]);
  });

  it("[TICKET-DELIVER-2] happens once: a second look writes nothing", () => {
    const id = ways.DELIVERED();
    const { length } = engine.getEvents();
    expect(engine.deliver(id).state).toBe("DELIVERED");
    expect(engine.getEvents()).toHaveLength(length);
  });
});

describe("canceling", () => {
  it("[TICKET-CANCEL-1] is for its own agent in any open state, and for no other", () => {
    for (const state of ["PENDING", "DELIVERED", "ACKED"] as const) {
      const id = ways[state]();
      expect(refusal(() => engine.cancel(id, "mine now", { by: "agent:other" })).code).toBe("not_addressee");
      const canceled = engine.cancel(id, "no longer needed", { by: "agent:local" });
      expect(canceled).toMatchObject({ state: "CANCELED", resolution: { actor: { kind: "agent", id: "agent:local" } } });
    }
  });

  it("[TICKET-CANCEL-1] is for its person too, as a person, and for nobody else", () => {
    const id = ways.DELIVERED();
    expect(refusal(() => engine.cancel(id, undefined, { by: "human:sam" })).code).toBe("not_addressee");
    expect(engine.cancel(id, undefined, { by: "alex" }).resolution?.actor).toEqual({ kind: "human", id: "human:alex" });
  });
});
