// The stored side of verification: rows, texts and burned nonces, read along with the log in the order of its places.
import { type ContentRef, refDigest } from "@hap/protocol";
import type { StoredContent, StoredTicket, StoreReader } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { Alongside, sameValue } from "./alongside.ts";
import { contentDigest } from "./contents.ts";
import { Mismatch } from "./illegal.ts";

/** How many nonces are looked up at once: one at a time costs twice as much. */
const NONCES = 256;

/** What lies stored under one place of the log. */
type Kept = { row: StoredTicket | undefined; digests: Set<string>; used: Set<string>; bodies: Map<string, string> | null };

export class StoredSide {
  readonly #store: StoreReader;
  readonly #rows: Alongside<StoredTicket>;
  readonly #texts: Alongside<StoredContent>;
  readonly #kept = new Map<number, Kept>();
  /** Nonces that were not looked up yet, with the ticket that each was used for, and where. */
  readonly #nonces = new Map<string, string>();
  readonly #noncePlaces = new Map<string, number>();
  #textsUsed = 0;
  #votes = 0;

  constructor(store: StoreReader) {
    this.#store = store;
    this.#rows = new Alongside(store.scanTickets(), ({ seq }) => seq);
    this.#texts = new Alongside(store.scanContents(), ({ ticketSeq }) => ticketSeq);
  }

  /** End the scans. */
  close(): void {
    this.#rows.close();
    this.#texts.close();
  }

  /** Read the row and the texts of a place; each text must hash to its digest. The texts themselves are kept when that is said. */
  read(place: number, withBodies = false): void {
    if (this.#kept.has(place)) return;
    const [row] = this.#rows.take(place);
    const digests = new Set<string>();
    const bodies = withBodies ? new Map<string, string>() : null;
    for (const { digest, salt, body } of this.#texts.take(place)) {
      if (contentDigest(salt, body) !== digest)
        throw new Mismatch(place, `the text of sha256:${digest} is not the one that was written`);
      digests.add(`sha256:${digest}`);
      bodies?.set(`sha256:${digest}`, body);
    }
    this.#kept.set(place, { row, digests, used: new Set(), bodies });
  }

  /** A text of a place whose texts are kept; undefined when it is gone. */
  text(ref: ContentRef, place: number): string | undefined {
    return this.#kept.get(place)?.bodies?.get(refDigest(ref));
  }

  forget(place: number): void {
    this.#kept.delete(place);
  }

  holds(ref: ContentRef, place: number): boolean {
    const kept = this.#kept.get(place);
    const digest = refDigest(ref);
    if (kept?.digests.has(digest) !== true) return false;
    if (!kept.used.has(digest)) this.#textsUsed++;
    kept.used.add(digest);
    return true;
  }

  /** Every text must be one that an event refers to, and every nonce one that a vote used. */
  checkCounts(): void {
    const texts = this.#store.countContents();
    if (texts !== this.#textsUsed) throw new Mismatch(1, `${texts - this.#textsUsed} texts are stored that no event refers to`);
    const nonces = this.#store.countNonces();
    if (nonces !== this.#votes) throw new Mismatch(1, `${nonces} nonces are stored, but the log used ${this.#votes}`);
  }

  /** Does the row of a ticket name an event after this record's last one? */
  goesOn(record: TicketRecord): boolean {
    const row = this.#kept.get(record.seq)?.row;
    return row !== undefined && readable(record, () => row.lastSeq > record.lastSeq);
  }

  /** A ticket must be stored as the log makes it. */
  compare(record: TicketRecord): void {
    const row = this.#kept.get(record.seq)?.row;
    if (row === undefined) throw new Mismatch(record.seq, `the stored tickets lack ${record.ticket.id}`);
    if (row.holds(record)) return;
    const { id } = record.ticket;
    const wrong = readable(record, () => row.wrongColumn());
    if (wrong !== null)
      throw new Mismatch(record.seq, `the column ${wrong} of the stored ticket ${id} is not what its record says`);
    if (!sameValue(record, row.record()))
      throw new Mismatch(record.lastSeq, `the stored ticket ${id} is not what the log makes of it`);
  }

  /** A vote used a nonce: it must have been burned for this ticket. A nonce used for two tickets cannot be, for both. */
  useNonce(nonce: string, ticketId: string, seq: number): void {
    this.#votes++;
    if (this.#nonces.has(nonce)) this.checkNonces();
    this.#nonces.set(nonce, ticketId);
    this.#noncePlaces.set(nonce, seq);
    if (this.#nonces.size >= NONCES) this.checkNonces();
  }

  /** Look up the nonces that were used since. */
  checkNonces(): void {
    if (this.#nonces.size === 0) return;
    const places = this.#store.notBurned(this.#nonces).map((nonce) => this.#noncePlaces.get(nonce) as number);
    if (places.length > 0) throw new Mismatch(Math.min(...places), "its nonce is not the one that was burned for it");
    this.#nonces.clear();
    this.#noncePlaces.clear();
  }
}

/** Read a row that somebody may have made unreadable. */
function readable<T>(record: TicketRecord, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Mismatch(record.seq, `the stored ticket ${record.ticket.id} cannot be read`);
  }
}
