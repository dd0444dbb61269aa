// How nodes hear of commits in a space: coalesced NOTIFY, the node's LISTEN connection, and a poll behind both. A lost notification
// delays by the poll and loses nothing: each look asks the database for what changed.
import type { Pool } from "pg";
import type { Bell } from "../store.ts";
import { CHANNEL, type PgChannel } from "./pg-channel.ts";
import type { PgStore } from "./pg-store.ts";

/** At most one notification in so long. */
const COALESCE_MS = 3;
/** How often a listening node looks by itself. */
const POLL_MS = 1_000;

/** The bell of one space on one node. */
export class PgBell implements Bell {
  readonly #store: PgStore;
  readonly #pool: Pool;
  readonly #channel: PgChannel;
  readonly #listeners = new Set<() => void>();
  #ringing: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #leave: (() => void) | null = null;
  #looking = false;
  #again = false;
  #closed = false;

  constructor(store: PgStore, pool: Pool, channel: PgChannel) {
    this.#store = store;
    this.#pool = pool;
    this.#channel = channel;
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
      this.#leave = this.#channel.on(this.#store.space, () => this.#look());
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  #look(): void {
    if (this.#closed) return;
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
    this.#leave?.();
    this.#leave = null;
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#rest();
    if (this.#ringing !== null) clearTimeout(this.#ringing);
    this.#ringing = null;
  }
}
