// What this connection read or wrote last, kept for as long as nobody else has committed: SQLite counts the commits of other
// connections (`data_version`), and one look at that count spares the reads of a whole command. A part that is undone takes
// everything with it: nothing is served that the file does not hold.
import type { UsedCredential } from "../../credentials/record.ts";
import type { GrantRecord } from "../../grants/records.ts";
import type { KeyRecord, SessionRecord } from "../../people/records.ts";
import type { TicketRecord } from "../../tickets/record.ts";
import type { ContentRow, Head } from "../store.ts";
import type { Statements } from "./statements.ts";

/** How many tickets, texts' owners, names and hashes are kept. */
const KEPT = 256;
/** Texts of one ticket that together are longer are kept for one transaction only. */
const LIGHT_CHARACTERS = 16_384;

/** A map that forgets what was put first: its keys stand in a ring, in the order in which they came. */
class Recent<K, V> extends Map<K, V> {
  readonly #ring: (K | undefined)[] = [];
  #next = 0;

  override set(key: K, value: V): this {
    if (!this.has(key)) {
      const oldest = this.#ring[this.#next];
      if (oldest !== undefined) this.delete(oldest);
      this.#ring[this.#next] = key;
      this.#next = (this.#next + 1) % KEPT;
    }
    return super.set(key, value);
  }

  override clear(): void {
    super.clear();
    this.#ring.length = 0;
    this.#next = 0;
  }
}

/** How many tickets of each agent are open. */
type OpenCounts = ReadonlyMap<string, number>;

/** What is kept under a key, or what `read` finds; that is kept then, unless it is nothing. */
export function remembered<K, V>(kept: Map<K, V>, key: K, read: () => V | undefined): V | undefined {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = read();
  if (found !== undefined) kept.set(key, found);
  return found;
}

/** What is kept of one store's file. */
export class Mirror {
  readonly tickets = new Recent<string, TicketRecord>();
  readonly names = new Recent<string, string>();
  readonly handles = new Recent<string, string>();
  readonly hashes = new Recent<number, string>();
  readonly keys = new Recent<string, KeyRecord>();
  readonly sessions = new Recent<string, SessionRecord>();
  /** Keys of people, by person. */
  readonly credentials = new Recent<string, readonly UsedCredential[]>();
  readonly config = new Map<string, string | undefined>();
  /** Grants that no event has ended. */
  openGrants: GrantRecord[] | null = null;
  head: Head | null = null;
  /** The schema's number in the file. */
  schema: number | null = null;
  readonly #contents = new Recent<number, { texts: Map<string, ContentRow>; characters: number }>();
  readonly #heavy = new Set<number>();
  readonly #sql: Statements;
  #unsaved = new Map<string, number>();
  #version = -1;
  #pins = 0;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Itself, without anything that another connection may have changed. Inside `pinned` that was looked at. */
  fresh(): this {
    if (this.#pins === 0) this.#look();
    return this;
  }

  /** Forget everything if another connection has committed since the last look. */
  #look(): void {
    const version = this.#sql.get("PRAGMA data_version").get()?.data_version as number;
    if (version !== this.#version) this.clear();
    this.#version = version;
  }

  /** Run reads that look once, together, at whether somebody else has written; a transaction always looks once it has begun. */
  pinned<T>(work: () => T, look = this.#pins === 0): T {
    if (look) this.#look();
    this.#pins++;
    try {
      return work();
    } finally {
      this.#pins--;
      if (this.#pins === 0) this.#dropHeavy();
    }
  }

  clear(): void {
    const { tickets, names, handles, hashes, keys, sessions, credentials, config } = this;
    for (const kept of [tickets, names, handles, hashes, keys, sessions, credentials, config, this.#contents]) kept.clear();
    this.#heavy.clear();
    this.#unsaved = new Map();
    this.openGrants = null;
    this.head = null;
    this.schema = null;
  }

  contents(ticketSeq: number): ReadonlyMap<string, ContentRow> | undefined {
    return this.#contents.get(ticketSeq)?.texts;
  }

  /** Keep all the texts of a ticket. */
  keepContents(ticketSeq: number, texts: Iterable<[string, ContentRow]>): ReadonlyMap<string, ContentRow> {
    const kept = { texts: new Map<string, ContentRow>(), characters: 0 };
    this.#contents.set(ticketSeq, kept);
    for (const [digest, content] of texts) this.addContent(ticketSeq, digest, content);
    return kept.texts;
  }

  /** One text more of a ticket whose texts are kept. */
  addContent(ticketSeq: number, digest: string, content: ContentRow): void {
    const kept = this.#contents.get(ticketSeq);
    if (kept === undefined) return;
    kept.texts.set(digest, content);
    kept.characters += content.body.length;
    if (kept.characters > LIGHT_CHARACTERS) this.#heavy.add(ticketSeq);
  }

  dropContents(ticketSeq: number): void {
    this.#contents.delete(ticketSeq);
  }

  #dropHeavy(): void {
    for (const ticketSeq of this.#heavy) this.#contents.delete(ticketSeq);
    this.#heavy.clear();
  }

  /** Open tickets of agents that the running transaction has counted and not yet written. */
  get unsaved(): OpenCounts {
    return this.#unsaved;
  }

  countOpen(agent: string, open: number): void {
    this.#unsaved.set(agent, open);
  }

  /** Take up what was counted before a part that is undone, or nothing once it is written. */
  resumeCounts(counts: OpenCounts = new Map()): void {
    this.#unsaved = new Map(counts);
  }
}
