// How nodes hear of commits: coalesced NOTIFY from a connection of its own, LISTEN on another, and a poll behind both. A lost
// notification delays by the poll and loses nothing: each look asks the database for what changed.
import pg, { type Pool } from "pg";
import type { Bell } from "../store.ts";
import { connectionOptions } from "./connection-options.ts";
import type { PgStore } from "./pg-store.ts";

/** At most one notification in so long. */
const COALESCE_MS = 3;
/** How often a listening node looks by itself. */
const POLL_MS = 1_000;
/** How long to wait before LISTEN is tried again. */
const RECONNECT_MS = 500;
const CHANNEL = "hap";

/** The bell of one space on one node. */
export class PgBell implements Bell {
  readonly #url: string;
  readonly #store: PgStore;
  readonly #pool: Pool;
  readonly #listeners = new Set<() => void>();
  #ringing: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #client: pg.Client | null = null;
  #looking = false;
  #again = false;
  #closed = false;

  constructor(url: string, store: PgStore, pool: Pool) {
    this.#url = url;
    this.#store = store;
    this.#pool = pool;
  }

  ring(): void {
    this.#ringing ??= setTimeout(() => {
      this.#ringing = null;
      const payload = JSON.stringify({ space: this.#store.space });
      // A notification that is not sent costs others a second: their poll sees the commit.
      this.#pool.query("SELECT pg_notify($1, $2)", [CHANNEL, payload]).catch(() => {});
    }, COALESCE_MS);
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#poll === null) {
      this.#poll = setInterval(() => this.#look(), POLL_MS);
      void this.#connect();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  async #connect(): Promise<void> {
    if (this.#closed || this.#client !== null || this.#poll === null) return;
    const client = new pg.Client(connectionOptions(this.#url));
    this.#client = client;
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      client.end().catch(() => {});
      if (this.#poll !== null) setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => {
      if (payload !== undefined && (JSON.parse(payload) as { space?: string }).space === this.#store.space) this.#look();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      // What was committed before this connection listened.
      this.#look();
    } catch {
      lost();
    }
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  #look(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    this.#store
      .look(() => {
        for (const listener of [...this.#listeners]) listener();
      })
      // The database cannot be reached: the poll looks again, and whoever asks is told.
      .catch(() => {})
      .finally(() => {
        this.#looking = false;
        if (!this.#again || this.#closed) return;
        this.#again = false;
        this.#look();
      });
  }

  #rest(): void {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => {});
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#rest();
    if (this.#ringing !== null) clearTimeout(this.#ringing);
    this.#ringing = null;
  }
}
