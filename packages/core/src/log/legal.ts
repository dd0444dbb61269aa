// Is this event legal here (D21)? The replay of `hap verify` asks the guards that `decide` asked, with what the log says.
import {
  assertStep,
  type EventOf,
  type HapEvent,
  isLate,
  isOpen,
  LIMITS,
  mayStep,
  type NewEvent,
  timeoutEnd,
} from "@hap/protocol";
import { authorityOf } from "../authority.ts";
import { nextEscalation } from "../decide/expire.ts";
import { fold, type TicketEvent } from "../fold.ts";
import {
  DECISION_END,
  guardAdded,
  guardConsumable,
  guardDeadline,
  guardFit,
  guardLevel,
  guardOpen,
  guardRenewal,
} from "../guards.ts";
import { fromIso, type TicketRecord } from "../record.ts";

/** Why an event cannot have been written by an honest runtime. */
export class Illegal extends Error {
  override readonly name = "Illegal";
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Illegal(what);
}

/** Check one event against its ticket as replayed so far; `previous` is the event right before it in the log. */
export function assertLegal(record: TicketRecord, event: TicketEvent, previous: HapEvent | null): void {
  const now = fromIso(event.ts);
  switch (event.type) {
    case "ticket.state_change":
      assertStep(record.ticket.id, event.from_state, event.to_state, event.type);
      must(event.from_state === record.state, `it leaves ${event.from_state}, but the ticket is ${record.state}`);
      must(event.delivered_to === record.to, "it was delivered to somebody else than its addressee");
      if (event.metadata.reason === "ack_lapsed") {
        must(
          record.clock.lapseAt !== null && fromIso(event.metadata.at) === record.clock.lapseAt,
          "the ack did not lapse at that time",
        );
        must(now >= (record.clock.lapseAt as number), "the ack had not lapsed yet");
      }
      return;
    case "ticket.ack":
      guardOpen(record);
      guardDeadline(record, now);
      must(
        record.state === "ACKED" ? record.clock.lapseAt !== null : mayStep(record.state, "ACKED", event.type),
        `a ticket that is ${record.state} cannot be acked`,
      );
      must(authorityOf(record, event.from) !== null || event.from !== record.ticket.from, "it was acked by its own asker");
      return;
    case "intent.sign":
      assertVote(record, event, now);
      return;
    case "ticket.timeout":
      guardOpen(record);
      must(
        record.clock.deadline !== null && fromIso(event.deadline_at) === record.clock.deadline,
        "its deadline is not that of the lease",
      );
      must(now >= (record.clock.deadline as number), "the lease had not ended");
      must(nextEscalation(record) === null, "it should have been escalated");
      return;
    case "ticket.resolve":
      assertResolution(record, event, previous);
      return;
    case "ticket.cancel":
      guardOpen(record);
      assertStep(record.ticket.id, record.state, "CANCELED", event.type);
      must(event.from_state === record.state, `it leaves ${event.from_state}, but the ticket is ${record.state}`);
      must(event.actor.kind !== "agent" || event.actor.id === record.ticket.from, "an agent canceled a ticket of another");
      must(event.actor.kind !== "timer", "a timer does not cancel by this event");
      return;
    case "ticket.escalate":
      guardOpen(record);
      assertStep(record.ticket.id, record.state, "PENDING", event.type);
      must(record.clock.deadline !== null && now >= record.clock.deadline, "the lease had not ended");
      must(event.to === nextEscalation(record) && event.depth === record.depth + 1, "it went to somebody who was not next");
      return;
    case "ticket.reassign":
      guardOpen(record);
      guardDeadline(record, now);
      assertStep(record.ticket.id, record.state, "PENDING", event.type);
      guardAdded(record, fold(record, event).clock, LIMITS.addedSecondsMax * 1000);
      return;
    case "ticket.extend":
      guardOpen(record);
      guardDeadline(record, now);
      if (event.by === "waiter") {
        must(event.from === record.ticket.from, "another than its asker renewed it");
        guardRenewal(record, now);
        return;
      }
      guardAdded(record, fold(record, event).clock, LIMITS.addedSecondsMax * 1000);
      return;
    case "ticket.snooze":
      guardOpen(record);
      guardDeadline(record, now);
      guardAdded(record, fold(record, event).clock, LIMITS.addedSecondsMax * 1000);
      return;
    case "ticket.consume":
      must(event.by === record.ticket.from, "another than its asker used it");
      guardConsumable(record);
      return;
    case "ticket.heard":
      must(!isOpen(record.state) && record.heardAt === null, "there was nothing new to hear");
      return;
    case "ticket.note":
    case "intent.invalid":
      return;
  }
}

function assertVote(record: TicketRecord, event: EventOf<"intent.sign">, now: number): void {
  const { intent, authority } = event;
  guardOpen(record);
  guardDeadline(record, now);
  guardFit(record, intent.decision);
  guardLevel(record, { decision: intent.decision, assurance: event.assurance, confirmed: event.confirmed, authority }, false);
  must(intent.artifact_hash === record.ticket.artifact.diff_hash, "it is about another artifact");
  must(intent.ticket_hash === `sha256:${record.hash}`, "it is about another ticket of the same name");
  must(fromIso(intent.expires_at) > now, "it had expired");
  must(intent.edits === null || record.ticket.allow_edits, "it holds edits that the ticket does not allow");
  must(
    authority === "relay" ? intent.from === record.ticket.from && event.assurance === "none" : intent.from !== record.ticket.from,
    "its own asker decided",
  );
  if (authority === "addressee" || authority === "escalation")
    must(authorityOf(record, intent.from) === authority, `its maker was not its ${authority}`);
}

function assertResolution(record: TicketRecord, event: EventOf<"ticket.resolve">, previous: HapEvent | null): void {
  guardOpen(record);
  assertStep(record.ticket.id, record.state, event.to_state, event.type);
  must(event.from_state === record.state, `it leaves ${event.from_state}, but the ticket is ${record.state}`);
  must(previous !== null && previous.id === event.because, "the event that it follows from is not the one before it");
  const { resolution } = event;
  if (previous.type === "intent.sign") {
    const end = DECISION_END[previous.intent.decision];
    must(end.state === event.to_state && end.outcome === resolution.outcome, "it ended otherwise than the vote said");
    must(resolution.actor.id === previous.intent.from, "its actor is not who voted");
    must(
      (resolution.actor.kind === "human") === (previous.authority !== "relay"),
      "a relayed answer is passed off as a person's, or the other way round",
    );
    must(
      resolution.assurance === previous.assurance && resolution.confirmed === previous.confirmed,
      "it claims other evidence than the vote",
    );
    must(
      resolution.comment === previous.intent.comment &&
        resolution.answer === previous.intent.answer &&
        resolution.edits === previous.intent.edits,
      "it holds other words than the vote",
    );
    return;
  }
  must(previous.type === "ticket.timeout", "nothing decided it");
  const late = previous.late || isLate(fromIso(previous.deadline_at), fromIso(event.ts));
  const end = timeoutEnd(record.state as Parameters<typeof timeoutEnd>[0], record.ticket.lease.on_timeout, late);
  must(end.state === event.to_state && end.outcome === resolution.outcome, "its timeout had another action");
  must(resolution.actor.kind === "timer" && resolution.assurance === "none", "a timer is passed off as somebody");
}

/** A creation must itself be allowed: no timer may approve what is critical, and no question (D10). */
export function assertLegalCreation(event: Extract<NewEvent, { type: "ticket.create" }>): void {
  const { ticket } = event;
  must(
    ticket.lease.on_timeout !== "auto_approve" || (ticket.tier !== "critical" && ticket.ask_type === "approval"),
    "a timer could approve it",
  );
}
