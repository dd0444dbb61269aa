// A ticket's record as a row, and back. Columns that are searched stand alone; the rest of what is fixed is one JSON text.

import type { SQLInputValue } from "node:sqlite";
import { isOpen, nextDeadline, PRIORITIES, shortCode } from "@hap/protocol";
import type { TicketRecord } from "../../record.ts";
import type { Row } from "./statements.ts";

const columns = [
  "seq",
  "id",
  "code",
  "from",
  "to",
  "intent",
  "artifact",
  "lease",
  "risk",
  "priority",
  "rank",
  "state",
  "created_at",
  "updated_at",
  "kind",
  "tier",
  "project",
  "session",
  "fixed",
  "hash",
  "last_seq",
  "deadline",
  "remaining",
  "lapse_at",
  "added_ms",
  "depth",
  "delivered_at",
  "snoozed_until",
  "renewed_at",
  "resolution",
  "consumed",
  "heard_at",
  "next_deadline",
] as const;

/** Insert one row; values as `insertValues` gives them. */
export const INSERT_TICKET = `INSERT INTO tickets (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;

/** Change what can change; values as `updateValues` gives them. */
export const UPDATE_TICKET = `UPDATE tickets SET "to"=?, state=?, updated_at=?, last_seq=?, deadline=?, remaining=?, lapse_at=?, added_ms=?, depth=?,
  delivered_at=?, snoozed_until=?, renewed_at=?, resolution=?, consumed=?, heard_at=?, next_deadline=? WHERE seq=?`;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export function insertValues(record: TicketRecord): SQLInputValue[] {
  const { ticket, clock } = record;
  const { id, from, to: _to, intent, artifact, lease, risk, priority, created_at, tier, project, session, ...fixed } = ticket;
  return [
    record.seq,
    id,
    shortCode(id),
    from,
    record.to,
    JSON.stringify(intent),
    JSON.stringify(artifact),
    JSON.stringify(lease),
    risk,
    priority,
    PRIORITIES.indexOf(priority),
    record.state,
    created_at,
    record.updatedAt,
    intent.kind,
    tier,
    project,
    session,
    JSON.stringify({ ...fixed, to: ticket.to }),
    record.hash,
    record.lastSeq,
    clock.deadline,
    clock.remaining,
    clock.lapseAt,
    clock.addedMs,
    record.depth,
    record.deliveredAt,
    record.snoozedUntil,
    record.renewedAt,
    json(record.resolution),
    json(record.consumed),
    record.heardAt,
    nextDue(record),
  ];
}

export function updateValues(record: TicketRecord): SQLInputValue[] {
  const { clock } = record;
  return [
    record.to,
    record.state,
    record.updatedAt,
    record.lastSeq,
    clock.deadline,
    clock.remaining,
    clock.lapseAt,
    clock.addedMs,
    record.depth,
    record.deliveredAt,
    record.snoozedUntil,
    record.renewedAt,
    json(record.resolution),
    json(record.consumed),
    record.heardAt,
    nextDue(record),
    record.seq,
  ];
}

function nextDue(record: TicketRecord): number | null {
  return isOpen(record.state) ? nextDeadline(record.clock) : null;
}

/** The record that a row holds. */
export function toRecord(row: Row): TicketRecord {
  const text = (name: string) => row[name] as string;
  const number = (name: string) => row[name] as number | null;
  const parsed = (name: string) => (row[name] === null ? null : JSON.parse(text(name)));
  const fixed = JSON.parse(text("fixed"));
  const lease = JSON.parse(text("lease"));
  return {
    seq: row.seq as number,
    lastSeq: row.last_seq as number,
    hash: text("hash"),
    ticket: {
      ...fixed,
      id: text("id"),
      from: text("from"),
      intent: JSON.parse(text("intent")),
      artifact: JSON.parse(text("artifact")),
      lease,
      risk: row.risk as number,
      priority: text("priority"),
      created_at: text("created_at"),
      tier: text("tier"),
      project: row.project as string | null,
      session: row.session as string | null,
    },
    state: text("state") as TicketRecord["state"],
    to: text("to"),
    clock: {
      ttlMs: lease.ttl_seconds * 1000,
      deadline: number("deadline"),
      remaining: number("remaining"),
      lapseAt: number("lapse_at"),
      addedMs: row.added_ms as number,
    },
    depth: row.depth as number,
    deliveredAt: row.delivered_at as string | null,
    snoozedUntil: number("snoozed_until"),
    renewedAt: number("renewed_at"),
    resolution: parsed("resolution"),
    consumed: parsed("consumed"),
    heardAt: row.heard_at as string | null,
    updatedAt: text("updated_at"),
  };
}
