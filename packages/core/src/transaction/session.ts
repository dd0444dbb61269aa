// One write transaction of the engine: `now` read once under the lock, due leases first, then events appended and folded.
import {
  canonicalJson,
  EVENT_VERSION,
  type EventOf,
  eventHash,
  FOLD_VERSION,
  HapError,
  type HapEvent,
  isOpen,
  type Json,
  LIMITS,
  LOG_FORMAT,
  type NewEvent,
  type NewEventOf,
  PROTOCOL_VERSION,
  type TrustClass,
} from "@hap/protocol";
import type { NewContent } from "../log/contents.ts";
import type { Head, StoreWriter } from "../store/store.ts";
import { decideExpire } from "../tickets/decide/expire.ts";
import { fold, foldCreate, type TicketEvent } from "../tickets/fold.ts";
import { fromIso, type TicketRecord, toIso } from "../tickets/record.ts";
import { guardSpace } from "../tickets/space-limits.ts";
import { type Names, sha256, type World } from "./facts.ts";

/** How many due leases one transaction applies, so that it stays short. */
const DUE_PER_TRANSACTION = 50;
/** How far wall clock and uptime may drift apart before the wall clock counts as moved. */
const CLOCK_DRIFT_MS = 5_000;

/** Events as they are once the log has stamped them. */
type Stamped<T extends readonly NewEvent[]> = { [K in keyof T]: EventOf<T[K]["type"]> };

/** Who runs the log: from `log.genesis` and the last `log.epoch`. */
export type Runtime = { id: string; epoch: number };

export class Session {
  readonly tx: StoreWriter;
  readonly now: number;
  readonly names: Names;
  readonly trust: TrustClass;
  readonly #world: World;
  /** The events of this transaction so far. */
  readonly appended: HapEvent[] = [];
  #head: Head;
  #runtime: Runtime | null = null;

  constructor(tx: StoreWriter, world: World, names: Names, trust: TrustClass) {
    this.tx = tx;
    this.#world = world;
    this.names = names;
    this.trust = trust;
    this.now = world.now();
    this.#head = tx.head();
    refuseViolated(tx);
    if (this.#head.seq === 0) this.#writeGenesis();
  }

  get head(): Head {
    return this.#head;
  }

  /** True when something was appended. */
  get wrote(): boolean {
    return this.appended.length > 0;
  }

  #putContents(ticketSeq: number, contents: readonly NewContent[]): void {
    for (const { ref, salt, body } of contents) this.tx.putContent(ticketSeq, ref, salt, body);
  }

  /** The log's runtime and epoch. */
  runtime(): Runtime {
    this.#runtime ??= { id: this.tx.config("runtime") as string, epoch: Number(this.tx.config("epoch")) };
    return this.#runtime;
  }

  #writeGenesis(): void {
    const runtime = this.names.id("rt_");
    this.tx.setConfig("runtime", runtime);
    this.tx.setConfig("epoch", "1");
    this.tx.setConfig("fold_version", String(FOLD_VERSION));
    this.append([{ type: "log.genesis", runtime, format: LOG_FORMAT, protocol_version: PROTOCOL_VERSION, epoch: 1 }], null);
  }

  /** Begin a later epoch than one whose history was lost: what was signed in that one never counts in this log. */
  leaveEpoch(lost: number): void {
    for (let { id, epoch } = this.runtime(); epoch <= lost; this.#runtime = { id, epoch }) {
      epoch++;
      this.append([{ type: "log.epoch", reason: "failover", previous_head: this.#head.hash, epoch }], null);
      this.tx.setConfig("epoch", String(epoch));
    }
  }

  /** Run one command; when it throws, only what it did is undone, and due leases that were applied stay. */
  attempt<T>(work: () => T): T {
    const head = this.#head;
    const { length } = this.appended;
    try {
      return this.tx.attempt(work);
    } catch (error) {
      this.#head = head;
      this.appended.length = length;
      throw error;
    }
  }

  /** A ticket with everything that is due on it applied, or an error that names it. */
  ticket(id: string): TicketRecord {
    const record = this.tx.ticketById(id);
    if (record === undefined) throw noSuchTicket(id);
    return this.applyDue(record);
  }

  /** Apply what is due on one ticket: steps can follow each other. */
  applyDue(record: TicketRecord): TicketRecord {
    let current = record;
    for (;;) {
      const events = decideExpire(current, this.now, this.trust, this.#clockJumped(current));
      if (events.length === 0) return current;
      current = this.commit(current, events);
    }
  }

  /** Apply due leases of any ticket, a bounded number at a time. */
  sweep(): number {
    if (!this.tx.anyDue(this.now)) return 0;
    const due = this.tx.due(this.now, DUE_PER_TRANSACTION);
    for (const record of due) this.applyDue(record);
    return due.length;
  }

  /** Append events of a known ticket and store what they make of it. */
  commit(record: TicketRecord, events: readonly NewEvent[], contents: readonly NewContent[] = []): TicketRecord {
    if (events.length === 0) return record;
    let current = record;
    for (const { payload } of this.append(events, record.lastSeq)) current = fold(current, payload as TicketEvent);
    this.#putContents(record.seq, contents);
    this.tx.updateTicket(current);
    if (isOpen(record.state) && !isOpen(current.state)) this.tx.countOpen(record.ticket.from, -1);
    const delivered = record.state === "PENDING" && current.deliveredAt !== null;
    if (delivered && current.ticket.lease.on_timeout === "auto_approve") this.#anchor(record);
    return current;
  }

  /** Keep both clocks as they are when a ticket is delivered that a timer may approve. */
  #anchor({ seq, ticket }: TicketRecord): void {
    const uptime = this.#world.uptime();
    this.append([{ type: "clock.anchor", ticket: ticket.id, wall_at: toIso(this.now), uptime_ms: uptime }], null);
    this.tx.putAnchor(seq, this.now, uptime);
  }

  /** Append a `ticket.create` and store the new ticket. */
  commitCreate(events: readonly NewEvent[], contents: readonly NewContent[]): TicketRecord {
    const [create] = events as [NewEventOf<"ticket.create">];
    this.#guardOpenTickets(create.ticket.from);
    const [made] = this.append(events, null);
    const { payload, hash } = made as { payload: HapEvent; hash: string };
    const record = foldCreate(payload as EventOf<"ticket.create">, hash);
    this.tx.insertTicket(record, contents);
    this.tx.countOpen(record.ticket.from, 1);
    return record;
  }

  /** Checked before anything is written: what fails after a write is undone at a price that others pay too. */
  #guardOpenTickets(agent: string): void {
    const open = this.tx.openTickets(agent);
    if (open >= LIMITS.openTicketsPerAgent) throw tooManyOpen(agent, open);
    guardSpace(this.tx);
  }

  /** Append events that concern no ticket; their contents lie under the first one's own place. */
  commitApart<const T extends readonly NewEvent[]>(events: T, contents: readonly NewContent[] = []): Stamped<T> {
    const appended = this.append(events, null).map(({ payload }) => payload);
    this.#putContents(appended[0]?.seq ?? 0, contents);
    return appended as unknown as Stamped<T>;
  }

  /** A signature by this key was accepted, and its counter stands there now. */
  useCredential(id: string, counter: number | undefined): void {
    if (counter !== undefined) this.tx.useCredential(id, counter, toIso(this.now));
  }

  /** Link events to the log's chain and, after `ticketPrev`, to their ticket's own. */
  append(events: readonly NewEvent[], ticketPrev: number | null): { payload: HapEvent; hash: string }[] {
    const ts = toIso(this.now);
    let before = ticketPrev;
    let previousId = "";
    return events.map((event) => {
      const seq = this.#head.seq + 1;
      const id = this.names.eventId(seq);
      const linked = event.type === "ticket.resolve" && event.because === "" ? { ...event, because: previousId } : event;
      const payload = { id, ts, space: this.tx.space, seq, v: versionOf(event), ...linked } as HapEvent;
      const text = canonicalJson(payload as unknown as Json);
      if (text.length > LIMITS.eventBytes) {
        throw new HapError(
          "too_large",
          `A ${event.type} event would have ${text.length} bytes; at most ${LIMITS.eventBytes} are allowed.`,
          { bytes: text.length, limit: LIMITS.eventBytes },
        );
      }
      const hash = eventHash(this.#head.hash, text, sha256);
      this.tx.appendEvent({ seq, payload: text, prev_hash: this.#head.hash, hash }, before);
      this.#head = { seq, hash };
      this.appended.push(payload);
      previousId = id;
      if (ticketPrev !== null) before = seq;
      return { payload, hash };
    });
  }

  /** True when the wall clock moved since an auto_approve ticket was delivered, or nothing can tell: the machine or node started later. */
  #clockJumped(record: TicketRecord): boolean {
    if (record.ticket.lease.on_timeout !== "auto_approve" || record.deliveredAt === null) return false;
    const anchor = this.tx.anchor(record.seq);
    if (anchor === undefined || anchor.wall !== fromIso(record.deliveredAt)) return true;
    if (this.#world.steadySince !== undefined) return !this.#world.steadySince(anchor.wall);
    const drift = this.now - anchor.wall - (this.#world.uptime() - anchor.uptime);
    return Math.abs(drift) > CLOCK_DRIFT_MS;
  }
}

/** The lowest version that can say what an event says (D22, D45). */
function versionOf(event: NewEvent): number {
  if (event.type === "ticket.create") return event.ticket.quorum === undefined ? EVENT_VERSION : 2;
  const later = (event.type === "intent.sign" && event.seat !== undefined) || (event.type === "ticket.escalate" && event.why);
  return later ? 2 : EVENT_VERSION;
}

/** After a violation nothing is written until the log verifies again (D21). */
function refuseViolated(tx: StoreWriter): void {
  const violation = tx.config("violation");
  if (violation === undefined) return;
  throw new HapError(
    "integrity_violation",
    `The event log does not verify: ${violation} The store is read-only. Run \`hap verify\`, keep a copy for inquiry, and restore a backup.`,
    { violation },
  );
}

function tooManyOpen(agent: string, open: number): HapError {
  return new HapError(
    "quota_exceeded",
    `${agent} has ${open} open tickets, which is the most that one agent may have. Wait, or cancel some.`,
    { agent, limit: LIMITS.openTicketsPerAgent },
  );
}

export function noSuchTicket(id: string): HapError {
  return new HapError("ticket_not_found", `There is no ticket ${id}. \`hap list --all\` shows those that you may see.`, {
    ticket_id: id,
  });
}
