// fold(state, event) -> state: the only place where a ticket changes. Pure; `fold(log) = rows` is checked by `hap verify`.
import {
  deliverLease,
  type EventOf,
  extendLease,
  type HapEvent,
  pauseLease,
  reassignLease,
  restartLease,
  resumeLease,
  snoozeLease,
  startLease,
  withVote,
} from "@hap/protocol";
import { fromIso, type StoredVote, type TicketRecord } from "./record.ts";

/** An event that concerns a ticket, and so changes its record. */
export type TicketEvent = Extract<HapEvent, { ticket_id: string }> | EventOf<"intent.sign"> | EventOf<"intent.invalid">;

/** The record that a `ticket.create` makes. */
export function foldCreate(event: EventOf<"ticket.create">, hash: string): TicketRecord {
  const { ticket } = event;
  return {
    seq: event.seq,
    lastSeq: event.seq,
    hash,
    ticket,
    state: "PENDING",
    to: ticket.to,
    clock: startLease(fromIso(ticket.created_at), ticket.lease.ttl_seconds * 1000),
    depth: 0,
    deliveredAt: null,
    snoozedUntil: null,
    renewedAt: null,
    resolution: null,
    consumed: null,
    heardAt: null,
    updatedAt: event.ts,
    ...(ticket.quorum === undefined ? {} : { votes: [] }),
  };
}

/** The record after one more event. Notes and refusals leave everything but its place as it was, and so does a vote that decides alone. */
export function fold(record: TicketRecord, event: TicketEvent): TicketRecord {
  return { ...record, ...change(record, event), lastSeq: event.seq, updatedAt: event.ts };
}

function change(record: TicketRecord, event: TicketEvent): Partial<TicketRecord> {
  const now = fromIso(event.ts);
  switch (event.type) {
    case "ticket.state_change":
      return event.metadata.reason === "delivered"
        ? { state: "DELIVERED", clock: deliverLease(record.clock, now), deliveredAt: event.ts }
        : { state: "DELIVERED", clock: resumeLease(record.clock, fromIso(event.metadata.at)) };
    case "ticket.ack":
      return {
        state: "ACKED",
        clock: pauseLease(record.clock, now, event.ack_ttl_seconds === null ? null : event.ack_ttl_seconds * 1000),
        snoozedUntil: null,
      };
    case "ticket.resolve":
      return {
        state: event.to_state,
        resolution: event.resolution,
        clock: event.resolution.actor.kind === "timer" ? record.clock : stopped(record),
      };
    case "ticket.cancel":
      return {
        state: "CANCELED",
        clock: stopped(record),
        resolution: {
          outcome: "canceled",
          actor: event.actor,
          assurance: event.actor.kind === "human" ? "local" : "none",
          confirmed: false,
          trust: event.trust,
          at: event.ts,
          comment: event.reason,
          answer: null,
          edits: null,
        },
      };
    case "ticket.escalate":
      return { ...handedOn(event.to), depth: event.depth, clock: restartLease(record.clock, now) };
    case "ticket.reassign":
      return { ...handedOn(event.to), clock: reassignLease(record.clock, now) };
    case "ticket.extend":
      return event.by === "waiter"
        ? { clock: extendLease(record.clock, event.seconds * 1000, false), renewedAt: now }
        : { clock: extendLease(record.clock, event.seconds * 1000, true) };
    case "ticket.snooze":
      return { clock: snoozeLease(record.clock, event.seconds * 1000), snoozedUntil: fromIso(event.until) };
    case "ticket.consume":
      return { consumed: { by: event.by, call_hash: event.call_hash, at: event.ts } };
    case "ticket.heard":
      return { heardAt: event.ts };
    case "ticket.note":
    case "ticket.timeout":
    case "intent.invalid":
      return {};
    case "intent.sign":
      return record.votes === undefined ? {} : { votes: withVote(record.votes, voteOf(event)) };
  }
}

/** What is kept of a vote. */
export function voteOf(event: Omit<EventOf<"intent.sign">, "id" | "seq" | "v" | "space">): StoredVote {
  const { intent, assurance, confirmed, seat, on_behalf_of, ts } = event;
  return {
    assurance,
    at: ts,
    by: intent.from,
    comment: intent.comment,
    confirmed,
    credential: intent.signature?.credential_id ?? null,
    decision: intent.decision,
    on_behalf_of: on_behalf_of ?? null,
    seat: seat ?? "",
  };
}

/** A ticket that somebody ended has no deadline; one that a timer ended keeps the deadline that it missed. */
function stopped(record: TicketRecord): TicketRecord["clock"] {
  return { ...record.clock, deadline: null, remaining: 0, lapseAt: null };
}

/** Somebody else has it now, and has not been shown it yet. */
function handedOn(to: string): Pick<TicketRecord, "state" | "to" | "deliveredAt" | "snoozedUntil"> {
  return { state: "PENDING", to, deliveredAt: null, snoozedUntil: null };
}
