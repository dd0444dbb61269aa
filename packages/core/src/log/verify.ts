// `hap verify` (D21): sequence and hashes of the whole log; then every event's legality, every digest, and that the stored
// tickets equal the replay. Streams the log; finished tickets leave the memory once they were compared with their rows.
import {
  type ContentRef,
  canonicalJson,
  EVENT_TYPES,
  eventHash,
  findRefs,
  GENESIS_HASH,
  type HapEvent,
  isHapError,
  isOpen,
  type Json,
  refDigest,
} from "@hap/protocol";
import { contentDigest } from "../contents.ts";
import { sha256 } from "../facts.ts";
import { fold, foldCreate, type TicketEvent, ticketIdOf } from "../fold.ts";
import type { TicketRecord } from "../record.ts";
import type { EventRow, StoreReader } from "../store/store.ts";
import { assertLegal, assertLegalCreation, Illegal } from "./legal.ts";
import { upcast } from "./upcast.ts";

/** Where and why a log does not verify. */
export type Violation = { seq: number; event_id: string | null; message: string };

/** What verification found. `anchor` is where the head is pinned outside, or null. */
export type VerifyReport = { events: number; head: string; chainOnly: boolean; anchor: string | null } & (
  | { ok: true }
  | { ok: false; violation: Violation }
);

/** Verify a log, its chain only or all of it. */
export function verifyLog(store: StoreReader, options: { chainOnly: boolean }): VerifyReport {
  const replay = options.chainOnly ? null : new Replay(store);
  let prev = GENESIS_HASH;
  let seq = 0;
  try {
    for (const row of store.scanEvents(0)) {
      checkLink(row, seq + 1, prev);
      replay?.take(row);
      seq = row.seq;
      prev = row.hash;
    }
    replay?.finish();
  } catch (error) {
    const words = error instanceof Illegal || isHapError(error) ? error.message : undefined;
    if (words === undefined) throw error;
    const at = error instanceof Mismatch ? error.seq : seq + 1;
    const id = store.eventAt(at)?.id ?? null;
    const message = `Integrity violation at event ${at}${id === null ? "" : ` (${id})`}: ${words}.`;
    return {
      ok: false,
      events: seq,
      head: prev,
      chainOnly: options.chainOnly,
      anchor: null,
      violation: { seq: at, event_id: id, message },
    };
  }
  return { ok: true, events: seq, head: prev, chainOnly: options.chainOnly, anchor: null };
}

function checkLink(row: EventRow, seq: number, prev: string): void {
  if (row.seq !== seq) throw new Illegal(`event ${seq} is missing`);
  if (row.prev_hash !== prev) throw new Illegal("prev_hash is not the hash of the event before it");
  if (row.hash !== eventHash(prev, row.payload, sha256)) throw new Illegal("hash mismatch");
}

/** A ticket or content that differs, found when its last event was long past. */
class Mismatch extends Illegal {
  readonly seq: number;

  constructor(seq: number, what: string) {
    super(what);
    this.seq = seq;
  }
}

/** Replays events into tickets and compares what ends, and at last what is open, with the rows. */
class Replay {
  readonly #store: StoreReader;
  readonly #open = new Map<string, TicketRecord>();
  /** Digests whose text is gone, with the place of their event, until an erasure accounts for them. */
  readonly #missing = new Map<string, number>();
  readonly #types = new Set<string>(EVENT_TYPES);
  #created = 0;
  #trusted: string | undefined;
  #runtime: string | undefined;
  #epoch = 0;
  #previous: HapEvent | null = null;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  take(row: EventRow): void {
    const event = upcast(JSON.parse(row.payload)) as HapEvent;
    if (event.id !== row.id || event.type !== row.type || event.ts !== row.ts || event.seq !== row.seq)
      throw new Illegal("its columns say something else than its payload");
    if (!this.#types.has(event.type)) throw new Illegal(`its type ${row.type} is unknown`);
    if (row.seq === 1 && event.type !== "log.genesis") throw new Illegal("the log does not begin with log.genesis");
    const place = this.#apply(event, row);
    for (const ref of findRefs(event as unknown as Json)) this.#checkContent(ref, place, event.seq);
    this.#previous = event;
  }

  /** Apply an event; returns where its contents lie. */
  #apply(event: HapEvent, row: EventRow): number {
    switch (event.type) {
      case "log.genesis":
        if (row.seq !== 1) throw new Illegal("a second log.genesis");
        this.#runtime = event.runtime;
        this.#epoch = 1;
        return row.seq;
      case "log.epoch":
        if (event.previous_head !== row.prev_hash || event.epoch !== this.#epoch + 1)
          throw new Illegal("an epoch that does not follow its log");
        this.#epoch = event.epoch;
        return row.seq;
      case "policy.trust":
        this.#trusted = event.file_hash;
        return row.seq;
      case "content.erased":
        for (const digest of event.digests) this.#missing.delete(digest);
        return row.seq;
      case "policy.decision":
        return row.seq;
      case "ticket.create":
        assertLegalCreation(event);
        this.#created++;
        this.#open.set(event.ticket.id, foldCreate(event, row.hash));
        return row.seq;
      case "intent.invalid":
        return event.ticket_id === null ? row.seq : this.#applyToTicket(event);
      default:
        return this.#applyToTicket(event);
    }
  }

  #applyToTicket(event: TicketEvent): number {
    const id = ticketIdOf(event) as string;
    const record = this.#open.get(id);
    if (record === undefined) return this.#checkAfterEnd(event, id);
    assertLegal(record, event, this.#previous);
    if (event.type === "intent.sign") this.#checkNonce(event.intent.nonce, id, event.intent.runtime, event.intent.epoch);
    const after = fold(record, event);
    if (isOpen(after.state)) this.#open.set(id, after);
    else {
      this.#open.delete(id);
      this.#compare(after, true);
    }
    return record.seq;
  }

  /** After its end a ticket is only noted, used and heard; its row tells whether this is that use. */
  #checkAfterEnd(event: TicketEvent, id: string): number {
    const row = this.#store.ticketById(id);
    if (row === undefined || isOpen(row.state)) throw new Illegal(`it concerns ${id}, which is not there`);
    if (event.type === "ticket.consume") {
      assertLegal({ ...row, consumed: null }, event, this.#previous);
      if (row.consumed?.at !== event.ts || row.consumed.call_hash !== event.call_hash)
        throw new Illegal("its yes was used twice, or its row says otherwise");
    } else if (event.type === "ticket.heard") {
      if (row.heardAt !== event.ts) throw new Illegal("it was heard twice, or its row says otherwise");
    } else if (event.type !== "ticket.note" && event.type !== "intent.invalid")
      throw new Illegal(`${id} is ${row.state}, and ${event.type} cannot follow`);
    return row.seq;
  }

  #checkNonce(nonce: string, ticketId: string, runtime: string, epoch: number): void {
    // A nonce burned for two tickets cannot be in the table with both.
    if (this.#store.nonceTicket(nonce) !== ticketId) throw new Illegal("its nonce is not the one that was burned for it");
    if (runtime !== this.#runtime || epoch !== this.#epoch) throw new Illegal("it was made for another runtime or epoch");
  }

  #checkContent(ref: ContentRef, place: number, seq: number): void {
    const digest = refDigest(ref);
    const row = this.#store.content(place, digest);
    if (row === undefined) this.#missing.set(digest, seq);
    else if (`sha256:${contentDigest(row.salt, row.body)}` !== digest)
      throw new Illegal(`the text of ${ref} is not the one that was written`);
  }

  #compare(record: TicketRecord, ended: boolean): void {
    const row = this.#store.ticketBySeq(record.seq);
    if (row === undefined) throw new Mismatch(record.seq, `the stored tickets lack ${record.ticket.id}`);
    // Uses and notes after the end change these; they are compared with their own events.
    const later = ended ? { consumed: row.consumed, heardAt: row.heardAt, lastSeq: row.lastSeq, updatedAt: row.updatedAt } : {};
    if (canonicalJson({ ...record, ...later } as unknown as Json) !== canonicalJson(row as unknown as Json)) {
      throw new Mismatch(record.lastSeq, `the stored ticket ${record.ticket.id} is not what the log makes of it`);
    }
  }

  finish(): void {
    for (const record of this.#open.values()) this.#compare(record, false);
    const stored = this.#store.countTickets();
    if (stored !== this.#created) throw new Mismatch(1, `${stored} tickets are stored, but the log creates ${this.#created}`);
    for (const [digest, seq] of this.#missing) throw new Mismatch(seq, `the text ${digest} is gone, and no erasure says so`);
    if (this.#store.config("trusted_policy") !== this.#trusted)
      throw new Mismatch(1, "the confirmed policy is not the one that the log names");
  }
}
