// From a record to the ticket that every face shows: names for handles, words for references, a lease as of now.
import {
  type Ask,
  type ContentRef,
  type Decision,
  ERASED,
  encodeCursor,
  findRefs,
  type HapEvent,
  isOpen,
  isRef,
  isUnproven,
  type Json,
  type LoggedEvent,
  mapStrings,
  type Presentable,
  personWords,
  present,
  presentationText,
  remainingMs,
  type StoredResolution,
  type Ticket,
  ticketIdOf,
} from "@hap/protocol";
import { ContentReader } from "../log/contents.ts";
import { nameOf, resolveHandle } from "../people/people.ts";
import { viewQuorum } from "../quorum/view-quorum.ts";
import type { EventRow, StoreReader, ViewSource } from "../store/store.ts";
import { type TicketRecord, toIso } from "./record.ts";

/** What a ticket shows of itself, without what changes with time. */
export function presentable(
  store: ViewSource,
  record: TicketRecord,
  contents = new ContentReader(store, record.seq),
): Presentable {
  const { ticket } = record;
  const text = (ref: string | null) =>
    ref === null ? null : ((contents.resolve(ref as ContentRef) as string | undefined) ?? ERASED);
  return {
    id: ticket.id,
    from: ticket.from,
    intent: {
      kind: ticket.intent.kind,
      summary: text(ticket.intent.summary) as string,
      details: (contents.resolve(ticket.intent.details as ContentRef) ?? { erased: true }) as Record<string, unknown>,
      confidence: ticket.intent.confidence,
    },
    artifact: { ...ticket.artifact, repo: text(ticket.artifact.repo), base_commit: text(ticket.artifact.base_commit) },
    ask: readAsk(contents, record),
    risk: ticket.risk,
    risk_claimed: ticket.risk_claimed,
    // Copies: what a caller does to its ticket must not reach the record, which others are shown from.
    risk_factors: { ...ticket.risk_factors },
    tier: ticket.tier,
    effects: [...ticket.effects],
    ...(ticket.findings === undefined ? {} : { findings: readFindings(contents, ticket.findings) }),
    ...(ticket.presentation === undefined ? {} : { presentation: ticket.presentation }),
    priority: ticket.priority,
    project: ticket.project === null ? null : nameOf(store, ticket.project),
    session: ticket.session,
    lease: { ttl_seconds: ticket.lease.ttl_seconds, on_timeout: ticket.lease.on_timeout },
  };
}

/** The classifier's sentences; none once they were erased. */
function readFindings(contents: ContentReader, ref: string): NonNullable<Ticket["findings"]> {
  return (contents.resolve(ref as ContentRef) ?? []) as NonNullable<Ticket["findings"]>;
}

function readAsk(contents: ContentReader, record: TicketRecord): Ask {
  const { ask, ask_type, allow_edits } = record.ticket;
  if (ask === null || ask_type === "approval") return { type: "approval", allow_edits };
  return (contents.resolve(ask as ContentRef) as Ask | undefined) ?? { type: "text", prompt: ERASED };
}

/** The text that a person's decision binds to. */
export function presentationOf(store: ViewSource, record: TicketRecord): string {
  return presentationText(present(presentable(store, record)));
}

/** The whole ticket as it is on the wire. */
export function viewTicket(store: StoreReader, record: TicketRecord, now: number): Ticket {
  const { ticket, clock } = record;
  const contents = new ContentReader(store, record.seq);
  const shown = presentable(store, record, contents);
  const to = nameOf(store, record.to);
  const { escalate } = ticket.lease;
  return {
    ...shown,
    space: store.space,
    to,
    state: record.state,
    lease: {
      ...shown.lease,
      escalate:
        escalate === null ? null : { to: escalate.to.map((handle) => nameOf(store, handle)), max_depth: escalate.max_depth },
      remaining_seconds: isOpen(record.state) ? Math.ceil(remainingMs(clock, now) / 1000) : 0,
      deadline_at: clock.deadline === null ? null : toIso(clock.deadline),
      paused: record.state === "ACKED",
      ack_lapses_at: clock.lapseAt === null ? null : toIso(clock.lapseAt),
      snoozed_until: record.snoozedUntil === null || record.snoozedUntil <= now ? null : toIso(record.snoozedUntil),
      escalations: record.depth,
    },
    classifier: ticket.classifier,
    policy_hash: ticket.policy_hash,
    created_at: ticket.created_at,
    updated_at: record.updatedAt,
    delivered_at: record.deliveredAt,
    ...(ticket.quorum === undefined ? {} : { quorum: viewQuorum(store, record, contents) }),
    resolution:
      record.resolution === null
        ? null
        : viewResolution(record.resolution, contents, (id) => (id === record.to ? to : resolveHandle(store, id))),
    consumed: record.consumed === null ? null : { ...record.consumed },
    heard_at: record.heardAt,
    ticket_hash: `sha256:${record.hash}`,
    cursor: cursorAt(store, record.lastSeq),
    seq: record.seq,
  };
}

/** The yes behind an outcome; what has none carries no label. */
const DECISION_OF: Partial<Record<string, Decision>> = { approved: "approve", answered: "answer" };

function viewResolution(
  resolution: StoredResolution,
  contents: ContentReader,
  named: (id: string) => string,
): Ticket["resolution"] {
  const read = (ref: string | null) => (ref === null ? null : (contents.resolve(ref as ContentRef) ?? null));
  const comment = read(resolution.comment);
  const decision = DECISION_OF[resolution.outcome];
  const relayed = resolution.actor.kind !== "human";
  return {
    ...resolution,
    unproven: decision !== undefined && isUnproven({ decision, assurance: resolution.assurance, relayed }),
    actor: { ...resolution.actor, id: named(resolution.actor.id) },
    comment: resolution.comment !== null && comment === null ? ERASED : (comment as string | null),
    answer: read(resolution.answer) as NonNullable<Ticket["resolution"]>["answer"],
    edits: read(resolution.edits) as Record<string, unknown> | null,
  };
}

/** The opaque cursor of an event that exists. */
export function cursorAt(store: ViewSource, seq: number): string {
  return encodeCursor({ space: store.space, seq, mark: store.hashAt(seq).slice(0, 16) });
}

/** An event as anyone can verify it: the hashed payload and its links. */
export function viewEvent(row: EventRow): LoggedEvent {
  const payload = JSON.parse(row.payload) as HapEvent;
  const cursor = encodeCursor({ space: payload.space, seq: row.seq, mark: row.hash.slice(0, 16) });
  return {
    seq: row.seq,
    id: payload.id,
    type: payload.type,
    ts: payload.ts,
    payload,
    prev_hash: row.prev_hash,
    hash: row.hash,
    cursor,
  };
}

/** An event in the draft's shape: names and words where the log has handles and digests. */
export function resolveEvent(store: StoreReader, payload: HapEvent): Json {
  const ticketId = ticketIdOf(payload);
  const ticketSeq =
    payload.type === "ticket.create"
      ? payload.seq
      : ticketId === null
        ? payload.seq
        : (store.ticketById(ticketId)?.seq ?? payload.seq);
  const contents = findRefs(payload as unknown as Json).length === 0 ? undefined : new ContentReader(store, ticketSeq);
  const resolved = mapStrings(payload as unknown as Json, (text) =>
    isRef(text) ? (contents?.resolve(text) ?? ERASED) : personWords(resolveHandle(store, text)),
  );
  return payload.type === "intent.sign" ? withoutNulls(resolved as { intent: Json }) : resolved;
}

/** The draft's intent (21.2) leaves out what was not said. Only here: in the log and in what is signed (D23) it is null. */
function withoutNulls({ intent, ...event }: { intent: Json }): Json {
  const said = Object.entries(intent as Record<string, Json>).filter(([, value]) => value !== null);
  return { ...event, intent: Object.fromEntries(said) } as Json;
}

/** The draft tells of an end by a change of state (3.2); ours, the resolution, goes along as its metadata. */
export function draftShape(event: Json): Json {
  const { type, because, resolution, ...rest } = event as Record<string, Json>;
  if (type !== "ticket.resolve") return event;
  return { ...rest, type: "ticket.state_change", metadata: { reason: "resolved", because, resolution } } as Json;
}
