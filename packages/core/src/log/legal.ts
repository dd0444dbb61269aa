// Is this event legal here (D21)? The replay of `hap verify` asks the guards that `decide` asked, with what the log says.
import {
  assertStep,
  dueStep,
  type EventOf,
  type HapEvent,
  INTENT_TTL_MS,
  isLate,
  isOpen,
  isUnproven,
  LIMITS,
  mayStep,
  type OpenState,
  type Standing,
  TIMER_ACTOR,
  timeoutEnd,
} from "@hap/protocol";
import type { Demand } from "../credentials/demand.ts";
import { authorityOf } from "../decisions/authority.ts";
import { actionTaken, nextEscalation, timeoutReason } from "../tickets/decide/expire.ts";
import { secondsToRenew } from "../tickets/decide/prolong.ts";
import { fold, type TicketEvent } from "../tickets/fold.ts";
import {
  DECISION_END,
  guardAdded,
  guardConsumable,
  guardDeadline,
  guardEvidence,
  guardFit,
  guardLevel,
  guardOpen,
  guardRenewal,
} from "../tickets/guards.ts";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { must, mustBePerson } from "./illegal.ts";
import { assertLegalQuorum, assertSeat, assertShort, type Evidence, evidenceFor } from "./legal-quorum.ts";

const limitMs = LIMITS.addedSecondsMax * 1000;

/** Still open, and everything that time alone does has been done before. */
function guardTime(record: TicketRecord, now: number): asserts record is TicketRecord & { state: OpenState } {
  guardOpen(record);
  guardDeadline(record, now);
  must(dueStep(record.state, record.clock, now) === "nothing", "an ack had lapsed before it");
}

function mustLeave(record: TicketRecord, event: { from_state: string }): void {
  must(event.from_state === record.state, `it leaves ${event.from_state}, but the ticket is ${record.state}`);
}

/** What the log says beside the ticket: the event right before, what a yes needed from its maker, and who was in which group. */
export type Replayed = { previous: HapEvent | null; demand: Demand; standing: Standing };

/** Check one event against its ticket as replayed so far. */
export function assertLegal(record: TicketRecord, event: TicketEvent, { previous, demand, standing }: Replayed): void {
  const now = fromIso(event.ts);
  switch (event.type) {
    case "ticket.state_change":
      assertDelivery(record, event, now);
      return;
    case "ticket.ack":
      guardTime(record, now);
      mustBePerson(event.from);
      must(
        record.state === "ACKED" ? record.clock.lapseAt !== null : mayStep(record.state, "ACKED", event.type),
        `a ticket that is ${record.state} cannot be acked`,
      );
      return;
    case "intent.sign":
      assertVote(record, event, now, demand);
      assertSeat(record, event, standing);
      return;
    case "ticket.timeout":
      guardOpen(record);
      must(
        record.clock.deadline !== null && fromIso(event.deadline_at) === record.clock.deadline,
        "its deadline is not that of the lease",
      );
      must(now >= record.clock.deadline, "the lease had not ended");
      must(nextEscalation(record) === null, "it should have been escalated");
      must(event.reason === timeoutReason(record), "its reason is not the runtime's");
      return;
    case "ticket.resolve":
      assertResolution(record, event, previous, standing);
      return;
    case "ticket.cancel":
      guardTime(record, now);
      assertStep(record.ticket.id, record.state, "CANCELED", event.type);
      mustLeave(record, event);
      must(event.actor.kind !== "timer", "a timer does not cancel by this event");
      must(event.actor.id === event.from, "its actor is not who canceled");
      if (event.actor.kind === "human") mustBePerson(event.from);
      else if (event.actor.kind === "agent") must(event.from === record.ticket.from, "an agent canceled a ticket of another");
      return;
    case "ticket.escalate":
      guardOpen(record);
      assertStep(record.ticket.id, record.state, "PENDING", event.type);
      mustLeave(record, event);
      must(event.from === record.to, "it was taken from somebody who did not have it");
      if (event.why === "quorum_short") {
        assertShort(record, event, standing);
        return;
      }
      must(record.clock.deadline !== null && now >= record.clock.deadline, "the lease had not ended");
      must(event.to === nextEscalation(record) && event.depth === record.depth + 1, "it went to somebody who was not next");
      return;
    case "ticket.reassign":
      guardTime(record, now);
      assertStep(record.ticket.id, record.state, "PENDING", event.type);
      mustLeave(record, event);
      mustBePerson(event.from);
      guardAdded(record, fold(record, event).clock, limitMs);
      return;
    case "ticket.extend":
      guardTime(record, now);
      if (event.by === "person") {
        mustBePerson(event.from);
        guardAdded(record, fold(record, event).clock, limitMs);
        return;
      }
      must(event.from === record.ticket.from, "another than its asker renewed it");
      guardRenewal(record, now);
      must(event.seconds === secondsToRenew(record, now), "a renewal gives a whole lease, no more and no less");
      return;
    case "ticket.snooze":
      guardTime(record, now);
      mustBePerson(event.from);
      must(fromIso(event.until) === now + event.seconds * 1000, "it sleeps longer than it says");
      guardAdded(record, fold(record, event).clock, limitMs);
      return;
    case "ticket.consume":
      must(event.by === record.ticket.from, "another than its asker used it");
      guardConsumable(record);
      return;
    case "ticket.heard":
      must(event.by === record.ticket.from, "another than its asker heard it");
      must(!isOpen(record.state) && record.heardAt === null, "there was nothing new to hear");
      return;
    case "ticket.note":
    case "intent.invalid":
      return;
  }
}

function assertDelivery(record: TicketRecord, event: EventOf<"ticket.state_change">, now: number): void {
  const { reason, at } = event.metadata;
  assertStep(record.ticket.id, event.from_state, event.to_state, event.type);
  mustLeave(record, event);
  must(event.delivered_to === record.to, "it was delivered to somebody else than its addressee");
  must(
    reason === (record.state === "PENDING" ? "delivered" : "ack_lapsed"),
    `a ticket that is ${record.state} is not delivered by ${reason}`,
  );
  if (reason === "delivered") {
    guardTime(record, now);
    must(at === event.ts, "it was delivered at another time");
    return;
  }
  must(record.clock.lapseAt !== null && fromIso(at) === record.clock.lapseAt, "the ack did not lapse at that time");
  must(now >= record.clock.lapseAt, "the ack had not lapsed yet");
}

function assertVote(record: TicketRecord, event: EventOf<"intent.sign">, now: number, demand: Demand): void {
  const { intent, authority, assurance, confirmed } = event;
  const { ticket } = record;
  guardTime(record, now);
  guardFit(record, intent.decision);
  guardEvidence(ticket.id, intent, assurance);
  guardLevel(record, { decision: intent.decision, assurance, confirmed, authority }, demand);
  must(intent.artifact_hash === ticket.artifact.diff_hash, "it is about another artifact");
  must(intent.edits !== null || intent.bytes_hash === ticket.artifact.bytes_hash, "it is about other bytes");
  must(intent.ticket_hash === `sha256:${record.hash}`, "it is about another ticket of the same name");
  const ahead = fromIso(intent.expires_at) - now;
  must(ahead > 0, "it had expired");
  must(ahead <= (ticket.tier === "critical" ? INTENT_TTL_MS.critical : INTENT_TTL_MS.longest), "it was valid for too long");
  must((intent.decision === "answer") === (intent.answer !== null), "its answer does not belong to its decision");
  must(
    intent.edits === null || (intent.decision === "approve" && ticket.allow_edits),
    "it holds edits that the ticket does not allow",
  );
  const label = isUnproven({ decision: intent.decision, assurance, relayed: authority === "relay" });
  must(event.unproven === undefined || event.unproven === label, "its label is not that of its evidence");
  if (authority === "relay") {
    must(intent.decision === "answer", "a client relays nothing but answers");
    must(intent.from === ticket.from && assurance === "none", "it was not relayed by its own asker at level none");
    return;
  }
  must(intent.from !== ticket.from, "its own asker decided");
  mustBePerson(intent.from);
  if (authority === "addressee" || authority === "escalation")
    must(authorityOf(record, intent.from) === authority, `its maker was not its ${authority}`);
}

function assertResolution(
  record: TicketRecord,
  event: EventOf<"ticket.resolve">,
  previous: HapEvent | null,
  standing: Standing,
): void {
  guardOpen(record);
  assertStep(record.ticket.id, record.state, event.to_state, event.type);
  mustLeave(record, event);
  must(previous !== null && previous.id === event.because, "the event that it follows from is not the one before it");
  must(previous.ts === event.ts && event.resolution.at === event.ts, "it ended at another time than it was decided");
  if (previous.type === "intent.sign") assertFollowsVote(event, previous, evidenceFor(record, previous, standing));
  else {
    must(previous.type === "ticket.timeout", "nothing decided it");
    assertFollowsTimeout(record, event, previous);
  }
}

function assertFollowsVote(event: EventOf<"ticket.resolve">, vote: EventOf<"intent.sign">, evidence: Evidence): void {
  const { resolution } = event;
  const { intent } = vote;
  const end = DECISION_END[intent.decision];
  must(intent.ticket_id === event.ticket_id, "the vote before it is about another ticket");
  must(end.state === event.to_state && end.outcome === resolution.outcome, "it ended otherwise than the vote said");
  must(resolution.actor.id === intent.from, "its actor is not who voted");
  must(
    resolution.actor.kind === (vote.authority === "relay" ? "agent" : "human"),
    "a relayed answer is passed off as a person's, or the other way round",
  );
  must(
    resolution.assurance === evidence.assurance && resolution.confirmed === evidence.confirmed && resolution.trust === vote.trust,
    "it claims other evidence than the vote",
  );
  must(
    resolution.comment === intent.comment && resolution.answer === intent.answer && resolution.edits === intent.edits,
    "it holds other words than the vote",
  );
}

function assertFollowsTimeout(record: TicketRecord, event: EventOf<"ticket.resolve">, timeout: EventOf<"ticket.timeout">): void {
  const { actor, assurance, confirmed, comment, answer, edits, outcome } = event.resolution;
  const late = timeout.late || isLate(fromIso(timeout.deadline_at), fromIso(event.ts));
  const end = timeoutEnd(record.state as OpenState, record.ticket.lease.on_timeout, late);
  must(timeout.ticket_id === event.ticket_id, "the timeout before it is that of another ticket");
  must(end.state === event.to_state && end.outcome === outcome, "its timeout had another action");
  must(timeout.action_taken === actionTaken(record, end.state), "its timeout names another action");
  must(
    actor.kind === TIMER_ACTOR.kind && actor.id === TIMER_ACTOR.id && assurance === "none" && !confirmed,
    "a timer is passed off as somebody",
  );
  must(comment === null && answer === null && edits === null, "a timer has no words");
}

/** A creation must itself be allowed: no timer may approve what is critical, and no question (D10). */
export function assertLegalCreation(event: EventOf<"ticket.create">): void {
  const { ticket } = event;
  must(
    ticket.lease.on_timeout !== "auto_approve" ||
      (ticket.tier !== "critical" && ticket.ask_type === "approval" && ticket.quorum === undefined),
    "a timer could approve it",
  );
  assertLegalQuorum(event);
  must(ticket.created_at === event.ts, "it was opened at another time");
}
