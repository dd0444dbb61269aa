// Votes and ends that no honest runtime writes (D21), in a log that was hashed anew by somebody who knows how.
import { TIMER_ACTOR } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, type Forger, forge, type Payload, someHash, stranger } from "./forge.ts";
import { type Ids, makeHistory } from "./history.ts";
import { testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;

beforeEach(() => {
  store = testStore();
});
afterEach(() => store.remove());

type Lie = [what: string, lie: (log: Forger, ids: Ids) => unknown, found: RegExp];

const ref = `text:${someHash("0")}`;
const signature = { algorithm: "ES256", value: "AAAA", credential_id: "x" };
const asHuman = (id: string) => ({ actor: { kind: "human", id } });

const voters: Lie[] = [
  ["its own asker", (log, { delivered }) => log.yes(delivered, { intent: { from: "agent:local" } }), /its own asker decided/],
  [
    "another agent",
    (log, { delivered }) => log.yes(delivered, { intent: { from: "agent:x" }, sign: { authority: "owner" } }),
    /is not a person/,
  ],
  [
    "somebody else than the addressee",
    (log, { delivered }) => log.yes(delivered, { intent: { from: stranger } }),
    /its maker was not its addressee/,
  ],
  [
    "a target of no escalation",
    (log, { delivered }) => log.yes(delivered, { sign: { authority: "escalation" } }),
    /was not its escalation/,
  ],
  [
    "an owner whom no policy makes one",
    (log, { delivered }) => log.yes(delivered, { sign: { authority: "owner" } }),
    /no confirmed policy makes anybody owner/,
  ],
  [
    "an agent that relays with evidence",
    (log, { question }) => log.relay(question, { sign: { assurance: "local" } }),
    /at level none/,
  ],
  ["an agent that relays to a critical question", (log, { hard }) => log.relay(hard), /cannot end tk_\w+, which is critical/],
  [
    "an agent that relays for another",
    (log, { question }) => log.relay(question, { intent: { from: "agent:x" } }),
    /relayed by its own asker/,
  ],
  [
    "an agent that relays a no",
    (log, { question }) => log.relay(question, { intent: { decision: "reject", answer: null } }),
    /relays nothing but answers/,
  ],
  [
    "an agent that relays as a person",
    (log, { question }) => log.relay(question, { resolution: asHuman("agent:local") }),
    /passed off as a person's/,
  ],
];

const evidence: Lie[] = [
  ["no confirmation of a critical yes", (log, { critical }) => log.yes(critical), /is critical: a yes must be confirmed/],
  [
    "a level that no signature proves",
    (log, { critical }) => log.yes(critical, { sign: { assurance: "passkey" } }),
    /Level passkey is proven by/,
  ],
  [
    "a signature that nobody can check",
    (log, { critical }) => log.yes(critical, { sign: { assurance: "passkey" }, intent: { signature } }),
    /No credential x is enrolled here/,
  ],
  [
    "level none",
    (log, { delivered }) => log.yes(delivered, { sign: { assurance: "none" } }),
    /Nothing shows that a person said yes/,
  ],
  [
    "another artifact",
    (log, { delivered }) => log.yes(delivered, { intent: { artifact_hash: someHash("0") } }),
    /about another artifact/,
  ],
  ["other bytes", (log, { delivered }) => log.yes(delivered, { intent: { bytes_hash: someHash("0") } }), /about other bytes/],
  [
    "another ticket of the same name",
    (log, { delivered }) => log.yes(delivered, { intent: { ticket_hash: someHash("0") } }),
    /another ticket of the same name/,
  ],
  [
    "another runtime",
    (log, { delivered }) => log.yes(delivered, { intent: { runtime: `rt_${"0".repeat(26)}` } }),
    /another runtime or epoch/,
  ],
  ["another epoch", (log, { delivered }) => log.yes(delivered, { intent: { epoch: 2 } }), /another runtime or epoch/],
  ["an expiry that was over", (log, { delivered }) => log.yes(delivered, { intent: { expires_at: at(0) } }), /it had expired/],
  [
    "an expiry in an hour",
    (log, { delivered }) => log.yes(delivered, { intent: { expires_at: at(3600) } }),
    /valid for too long/,
  ],
  [
    "a yes without a key that is labelled as proven",
    (log, { pending }) => log.yes(pending, { sign: { unproven: false } }),
    /its label is not that of its evidence/,
  ],
  [
    "a vote without the label that votes before it have",
    (log, { pending }) => log.yes(pending, { sign: { unproven: undefined } }),
    /it lacks the label/,
  ],
  [
    "an expiry too far for a critical yes",
    (log, { critical }) => log.yes(critical, { sign: { confirmed: true }, intent: { expires_at: at(61) } }),
    /valid for too long/,
  ],
  [
    "a nonce used before",
    (log, { delivered }) => log.yes(delivered, { intent: { nonce: (log.first("intent.sign").intent as Payload).nonce } }),
    /nonce is not the one that was burned/,
  ],
  [
    "edits that the ticket does not allow",
    (log, { delivered }) => log.yes(delivered, { intent: { edits: ref } }),
    /edits that the ticket does not allow/,
  ],
  [
    "an answer to an approval",
    (log, { delivered }) => log.yes(delivered, { intent: { decision: "answer" } }),
    /asks for an approval/,
  ],
  [
    "an answer without one",
    (log, { question }) => log.yes(question, { intent: { decision: "answer" } }),
    /its answer does not belong/,
  ],
  ["a yes to a question", (log, { question }) => log.yes(question), /asks a question/],
];

const moments: Lie[] = [
  ["a yes at the deadline", (log, { delivered }) => log.yes(delivered, { ts: at(60) }), /lease of tk_\w+ ended at .*10:01:00/],
  [
    "a yes after an ack that had lapsed",
    (log, { acked }) => log.yes(acked, { ts: at(31), end: { from_state: "ACKED" } }),
    /an ack had lapsed before it/,
  ],
  [
    "a yes to what nobody was shown",
    (log, { pending }) => log.yes(pending, { end: { from_state: "PENDING" } }),
    /PENDING.* cannot become APPROVED/,
  ],
  ["a second end", (log, { rejected }) => log.yes(rejected), /is REJECTED/],
  [
    "an end that leaves another state",
    (log, { delivered }) => log.yes(delivered, { end: { from_state: "ACKED" } }),
    /leaves ACKED, but the ticket is DELIVERED/,
  ],
  ["an end at another time", (log, { delivered }) => log.yes(delivered, { resolution: { at: at(-5) } }), /ended at another time/],
];

const ends: Lie[] = [
  [
    "that its vote does not give",
    (log, { delivered }) => log.yes(delivered, { intent: { decision: "reject" } }),
    /ended otherwise than the vote said/,
  ],
  [
    "with another outcome",
    (log, { delivered }) => log.yes(delivered, { resolution: { outcome: "rejected" } }),
    /ended otherwise than the vote said/,
  ],
  [
    "by the vote for another ticket",
    (log, { delivered, critical }) => log.end(critical, log.vote(delivered)),
    /vote before it is about another ticket/,
  ],
  ["that nothing decided", (log, { delivered }) => log.end(delivered, log.payloads.at(-1)?.id as string), /nothing decided it/],
  [
    "by an event that is not before it",
    (log, { delivered }) => log.end(delivered, log.payloads[3]?.id as string),
    /not the one before it/,
  ],
  [
    "by somebody else than its vote",
    (log, { delivered }) => log.yes(delivered, { resolution: asHuman(stranger) }),
    /its actor is not who voted/,
  ],
  [
    "with more evidence than its vote",
    (log, { delivered }) => log.yes(delivered, { resolution: { confirmed: true } }),
    /other evidence than the vote/,
  ],
  [
    "in another class of trust",
    (log, { delivered }) => log.yes(delivered, { resolution: { trust: "remote" } }),
    /other evidence than the vote/,
  ],
  ["with other words", (log, { delivered }) => log.yes(delivered, { resolution: { comment: ref } }), /other words than the vote/],
];

const approving = { end: { to_state: "APPROVED" }, resolution: { outcome: "approved" } };
const timers: Lie[] = [
  [
    "as a person",
    (log, { delivered }) => log.timeout(delivered, at(60), { resolution: asHuman(log.person) }),
    /a timer is passed off as somebody/,
  ],
  [
    "as another system",
    (log, { delivered }) => log.timeout(delivered, at(60), { resolution: { actor: { kind: "timer", id: "system:x" } } }),
    /a timer is passed off/,
  ],
  [
    "with evidence",
    (log, { delivered }) => log.timeout(delivered, at(60), { resolution: { assurance: "local" } }),
    /a timer is passed off/,
  ],
  [
    "with words",
    (log, { delivered }) => log.timeout(delivered, at(60), { resolution: { comment: ref } }),
    /a timer has no words/,
  ],
  [
    "with a reason of its own",
    (log, { delivered }) => log.timeout(delivered, at(60), { event: { reason: "because" } }),
    /reason is not the runtime's/,
  ],
  [
    "that approves what it must not",
    (log, { delivered }) => log.timeout(delivered, at(60), approving),
    /its timeout had another action/,
  ],
  [
    "that approves too late",
    (log, { timed }) => log.timeout(timed, at(121), { ...approving, event: { action_taken: "auto_approve" } }),
    /had another action/,
  ],
  [
    "that says other than it does",
    (log, { delivered }) => log.timeout(delivered, at(60), { event: { action_taken: "cancel" } }),
    /names another action/,
  ],
  ["before its time", (log, { delivered }) => log.timeout(delivered, at(59)), /the lease had not ended/],
  [
    "with another deadline",
    (log, { delivered }) => log.timeout(delivered, at(60), { event: { deadline_at: at(1) } }),
    /deadline is not that of the lease/,
  ],
  ["while the ticket is held", (log, { held }) => log.timeout(held, at(60)), /deadline is not that of the lease/],
  ["in place of an escalation", (log, { chained }) => log.timeout(chained, at(60)), /should have been escalated/],
  [
    "of another ticket",
    (log, { delivered, critical }) => {
      log.timeout(delivered, at(60));
      const end = log.payloads.at(-1) as Payload;
      end.ticket_id = critical;
    },
    /timeout before it is that of another ticket/,
  ],
];

function findsOut(lie: Lie[1], words: RegExp): void {
  const ids = makeHistory(store.open({ world: testWorld() }));
  forge(store.path, (log) => lie(log, ids));
  const engine = store.open({ world: testWorld() });
  const report = engine.verifyEventLog();
  expect(engine.verifyEventLog({ chainOnly: true }).ok).toBe(true);
  expect(report.ok).toBe(false);
  if (report.ok) return;
  expect(report.violation.message).toMatch(words);
  expect(report.violation.message).toMatch(/^Integrity violation at event \d+ \(evt_\w{26}\): /);
}

describe("verification", () => {
  it("[VERIFY-LEGAL-1] takes what is legal: it finds lies, and a forger who tells none is not found", () => {
    const ids = makeHistory(store.open({ world: testWorld() }));
    forge(store.path, (log) => {
      log.yes(ids.delivered);
      log.yes(ids.critical, { sign: { confirmed: true }, intent: { nonce: `n_${"8".repeat(32)}` } });
      log.timeout(ids.pending, at(60), { end: { from_state: "PENDING" } });
      log.timeout(ids.timed, at(60), {
        ...approving,
        event: { action_taken: "auto_approve" },
        resolution: { outcome: "approved", actor: TIMER_ACTOR },
      });
    });
    const engine = store.open({ world: testWorld() });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(engine.getTicket(ids.delivered).state).toBe("APPROVED");
  });

  it.each(voters)("[VERIFY-LEGAL-1, DECIDE-WHO-2] finds a vote by %s", (_, lie, words) => findsOut(lie, words));
  it.each(evidence)("[VERIFY-LEGAL-1, ASSURE-YES-1] finds a vote with %s", (_, lie, words) => findsOut(lie, words));
  it.each(moments)("[VERIFY-LEGAL-1, TICKET-STATE-4] finds %s", (_, lie, words) => findsOut(lie, words));
  it.each(ends)("[VERIFY-LEGAL-1, TICKET-STATE-4] finds an end %s", (_, lie, words) => findsOut(lie, words));
  it.each(timers)("[VERIFY-LEGAL-1, DECIDE-ACTOR-1] finds a timer %s", (_, lie, words) => findsOut(lie, words));
});
