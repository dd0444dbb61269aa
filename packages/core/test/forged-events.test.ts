// Everything else that no honest runtime writes (D21): deliveries, acks, leases, uses, creations, and what is no event.
import { eventHash } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../src/index.ts";
import { at, type Forger, forge, type Payload, someHash, stranger } from "./forge.ts";
import { type Ids, makeHistory } from "./history.ts";
import { tamper } from "./raw-store.ts";
import { testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;

beforeEach(() => {
  store = testStore();
});
afterEach(() => store.remove());

type Lie = [what: string, lie: (log: Forger, ids: Ids) => unknown, found: RegExp];

/** A delivery, or an ack's lapse. */
const deliver = (
  log: Forger,
  id: string,
  from_state: string,
  reason: string,
  atSeconds: number,
  change: Payload = {},
  ts = atSeconds,
) =>
  log.event(
    "ticket.state_change",
    id,
    { from_state, to_state: "DELIVERED", delivered_to: log.person, metadata: { reason, at: at(atSeconds) }, ...change },
    at(ts),
  );
const ack = (log: Forger, id: string, from = log.person) =>
  log.event("ticket.ack", id, { from, note: null, ack_ttl_seconds: null });
const cancel = (log: Forger, id: string, from: string, kind: string, ts = at(0)) =>
  log.event("ticket.cancel", id, { from_state: "DELIVERED", from, actor: { kind, id: from }, trust: "open", reason: null }, ts);
const escalate = (log: Forger, id: string, target: number, depth: number, seconds: number, change: Payload = {}) => {
  const { to } = (log.ticket(id).lease.escalate ?? { to: [stranger] }) as { to: string[] };
  log.event("ticket.escalate", id, { from_state: "DELIVERED", from: log.person, to: to[target], depth, ...change }, at(seconds));
};
const extend = (log: Forger, id: string, by: string, from: string, seconds: number, ts = 0) =>
  log.event("ticket.extend", id, { by, from, seconds }, at(ts));
const use = (log: Forger, id: string, by = "agent:local") => log.event("ticket.consume", id, { by, call_hash: someHash("a") });

const steps: Lie[] = [
  [
    "[TRUST-CLASS-3] a trust class that nobody knows",
    (log, { pending }) =>
      log.event("ticket.cancel", pending, {
        ...{ from_state: "PENDING", from: "agent:local", actor: { kind: "agent", id: "agent:local" } },
        ...{ trust: "nonsense", reason: null },
      }),
    /its trust class "nonsense" is unknown/,
  ],
  [
    "a delivery to somebody else",
    (log, { pending }) => deliver(log, pending, "PENDING", "delivered", 0, { delivered_to: stranger }),
    /delivered to somebody else/,
  ],
  [
    "a delivery after the deadline",
    (log, { pending }) => deliver(log, pending, "PENDING", "delivered", 61),
    /ended at .*10:01:00/,
  ],
  [
    "a delivery at another time",
    (log, { pending }) => deliver(log, pending, "PENDING", "delivered", 0, {}, 5),
    /delivered at another time/,
  ],
  [
    "a delivery of what is acked",
    (log, { held }) => deliver(log, held, "ACKED", "delivered", 0),
    /ACKED is not delivered by delivered/,
  ],
  [
    "a delivery from another state",
    (log, { held }) => deliver(log, held, "PENDING", "delivered", 0),
    /leaves PENDING, but the ticket is ACKED/,
  ],
  ["a lapse that came early", (log, { acked }) => deliver(log, acked, "ACKED", "ack_lapsed", 30, {}, 29), /had not lapsed yet/],
  ["a lapse at another time", (log, { acked }) => deliver(log, acked, "ACKED", "ack_lapsed", 31), /did not lapse at that time/],
  ["a lapse of a lasting ack", (log, { held }) => deliver(log, held, "ACKED", "ack_lapsed", 30), /did not lapse at that time/],
  ["an ack by an agent", (log, { delivered }) => ack(log, delivered, "agent:local"), /is not a person/],
  ["an ack of what was not delivered", (log, { pending }) => ack(log, pending), /is PENDING cannot be acked/],
  ["a second lasting ack", (log, { held }) => ack(log, held), /is ACKED cannot be acked/],
  [
    "a cancel by another agent",
    (log, { delivered }) => cancel(log, delivered, "agent:x", "agent"),
    /an agent canceled a ticket of another/,
  ],
  ["a cancel by an agent as a person", (log, { delivered }) => cancel(log, delivered, "agent:x", "human"), /is not a person/],
  ["a cancel by a timer", (log, { delivered }) => cancel(log, delivered, "system:timeout", "timer"), /a timer does not cancel/],
  [
    "a cancel after the deadline",
    (log, { delivered }) => cancel(log, delivered, "agent:local", "agent", at(60)),
    /ended at .*10:01:00/,
  ],
  [
    "a cancel in another's name",
    (log, { delivered }) => {
      cancel(log, delivered, "agent:local", "agent");
      Object.assign(log.payloads.at(-1) as Payload, { actor: { kind: "human", id: log.person } });
    },
    /its actor is not who canceled/,
  ],
];

const leases: Lie[] = [
  ["an escalation before its time", (log, { chained }) => escalate(log, chained, 0, 1, 59), /the lease had not ended/],
  ["an escalation past the next", (log, { chained }) => escalate(log, chained, 1, 1, 60), /somebody who was not next/],
  ["an escalation that skips a step", (log, { chained }) => escalate(log, chained, 0, 2, 60), /somebody who was not next/],
  [
    "an escalation from somebody else",
    (log, { chained }) => escalate(log, chained, 0, 1, 60, { from: stranger }),
    /taken from somebody who did not have it/,
  ],
  ["an escalation without a chain", (log, { delivered }) => escalate(log, delivered, 0, 1, 60), /somebody who was not next/],
  [
    "a reassignment by an agent",
    (log, { delivered }) =>
      log.event("ticket.reassign", delivered, { from_state: "DELIVERED", from: "agent:local", to: stranger }),
    /is not a person/,
  ],
  ["an extension by an agent", (log, { delivered }) => extend(log, delivered, "person", "agent:local", 60), /is not a person/],
  [
    "an extension beyond seven days",
    (log, { delivered }) => extend(log, delivered, "person", log.person, 604_801),
    /at most 604800 s may be added/,
  ],
  [
    "an extension after the deadline",
    (log, { delivered }) => extend(log, delivered, "person", log.person, 60, 60),
    /ended at .*10:01:00/,
  ],
  [
    "a renewal of more than a lease",
    (log, { delivered }) => extend(log, delivered, "waiter", "agent:local", 86_400, 1),
    /no more and no less/,
  ],
  [
    "a renewal by another agent",
    (log, { delivered }) => extend(log, delivered, "waiter", "agent:x", 1, 1),
    /another than its asker renewed it/,
  ],
  [
    "two renewals in one half",
    (log, { delivered }) => [10, 20].map((second) => extend(log, delivered, "waiter", "agent:local", 10, second)),
    /once per half of its lease/,
  ],
  [
    "a snooze longer than it says",
    (log, { delivered }) => log.event("ticket.snooze", delivered, { from: log.person, seconds: 1, until: at(999) }),
    /sleeps longer than it says/,
  ],
];

const uses: Lie[] = [
  ["a second use", (log, { approved }) => use(log, approved), /was used by agent:local/],
  ["a use of a no", (log, { rejected }) => use(log, rejected), /there is no yes to use/],
  ["a use of what is open", (log, { delivered }) => use(log, delivered), /there is no yes to use/],
  [
    "a use by another agent",
    (log, { delivered }) => {
      log.yes(delivered);
      use(log, delivered, "agent:x");
    },
    /another than its asker used it/,
  ],
  ["words heard twice", (log, { approved }) => log.event("ticket.heard", approved, { by: "agent:local" }), /nothing new to hear/],
  [
    "words heard of an open ticket",
    (log, { pending }) => log.event("ticket.heard", pending, { by: "agent:local" }),
    /nothing new to hear/,
  ],
  [
    "words heard by another agent",
    (log, { rejected }) => log.event("ticket.heard", rejected, { by: "agent:x" }),
    /another than its asker heard it/,
  ],
];

const genesis = { type: "log.genesis", runtime: `rt_${"0".repeat(26)}`, format: 1, protocol_version: "0.2", epoch: 1 };
const others: Lie[] = [
  [
    "a critical ticket that a timer may approve",
    (log, { critical }) => Object.assign(log.ticket(critical).lease, { on_timeout: "auto_approve" }),
    /a timer could approve it/,
  ],
  [
    "a question that a timer may approve",
    (log, { question }) => Object.assign(log.ticket(question).lease, { on_timeout: "auto_approve" }),
    /a timer could approve it/,
  ],
  [
    "a ticket opened at another time",
    (log, { pending }) => Object.assign(log.ticket(pending), { created_at: at(600) }),
    /opened at another time/,
  ],
  ["a second genesis", (log) => log.append(genesis), /a second log.genesis/],
  [
    "an epoch that follows nothing",
    (log) => log.append({ type: "log.epoch", reason: "restore", previous_head: "0".repeat(64), epoch: 2 }),
    /an epoch that does not follow/,
  ],
  ["an event of no type", (log) => log.append({ type: "ticket.bless" }), /its type ticket.bless is unknown/],
  ["an event about no ticket", (log) => log.event("ticket.heard", "tk_nosuch", { by: "agent:local" }), /it concerns tk_nosuch/],
  [
    "an event that says another place",
    (log) => Object.assign(log.payloads.at(-1) as Payload, { seq: 999 }),
    /its place says something else/,
  ],
  [
    "a text that was never kept",
    (log, { pending }) => log.event("ticket.note", pending, { from: "agent:local", note: `text:${someHash("0")}` }),
    /is gone, and no erasure says so/,
  ],
];

function findsOut(lie: Lie[1], words: RegExp): void {
  const ids = makeHistory(store.open({ world: testWorld() }));
  forge(store.path, (log) => lie(log, ids));
  expectViolation(words);
}

function expectViolation(words: RegExp): void {
  const engine = store.open({ world: testWorld() });
  const report = engine.verifyEventLog();
  expect(engine.verifyEventLog({ chainOnly: true }).ok).toBe(true);
  expect(report.ok).toBe(false);
  if (!report.ok) expect(report.violation.message).toMatch(words);
}

/** Give the last event another payload, and the hash that belongs to it. */
function replaceLast(text: string): void {
  tamper(store.path, (database) => {
    const last = database.prepare("SELECT seq, prev_hash FROM events ORDER BY seq DESC LIMIT 1").get();
    const hash = eventHash(last?.prev_hash as string, text, sha256);
    database.prepare("UPDATE events SET payload=?, hash=? WHERE seq=?").run(text, hash, last?.seq as number);
  });
}

describe("verification", () => {
  it.each(steps)("[VERIFY-LEGAL-1, TICKET-STATE-4] finds %s", (_, lie, words) => findsOut(lie, words));
  it.each(leases)("[VERIFY-LEGAL-1, LEASE-EXTEND-1] finds %s", (_, lie, words) => findsOut(lie, words));
  it.each(uses)("[VERIFY-LEGAL-1, USE-ONCE-1] finds %s", (_, lie, words) => findsOut(lie, words));
  it.each(others)("[VERIFY-LEGAL-1] finds %s", (_, lie, words) => findsOut(lie, words));

  it("[VERIFY-LEGAL-1] finds a second ticket of the same name", () => {
    const { pending } = makeHistory(store.open({ world: testWorld() }));
    expect(() => forge(store.path, (log) => log.append({ type: "ticket.create", ticket: log.ticket(pending) }))).toThrow(
      /UNIQUE/,
    );
    expectViolation(/a second ticket tk_/);
  });

  it.each(["null", "7", '"words"', "[]", "{}", '{"type":"ticket.heard"}'])(
    "[VERIFY-LEGAL-1] finds a payload %s, which is no event",
    (text) => {
      makeHistory(store.open({ world: testWorld() }));
      replaceLast(text);
      expectViolation(/its payload is not what its type says|its place says something else/);
    },
  );

  it("[VERIFY-LEGAL-1] finds an event that lacks what it needs", () => {
    const { pending } = makeHistory(store.open({ world: testWorld() }));
    expect(() => forge(store.path, (log) => deliver(log, pending, "PENDING", "delivered", 0, { metadata: undefined }))).toThrow(
      TypeError,
    );
    expectViolation(/its payload is not what its type says/);
  });

  it("[VERSION-IGNORE-1] takes fields that nobody knows", () => {
    const { rejected } = makeHistory(store.open({ world: testWorld() }));
    forge(store.path, (log) => log.event("ticket.heard", rejected, { by: "agent:local", mood: "sunny", more: [1, { a: null }] }));
    const engine = store.open({ world: testWorld() });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(engine.createTicket({ to: "human:alex", mood: "sunny" }).state).toBe("PENDING");
  });
});
