// One LISTEN connection of a node for all its spaces. It connects again by itself; after each connect every listener looks, since
// notifications may have been missed.
import pg from "pg";
import { connectionOptions, isPooled } from "./connection-options.ts";

/** How long to wait before LISTEN is tried again. */
const RECONNECT_MS = 500;
/** The channel that nodes notify each other on. */
export const CHANNEL = "hap";

/** Hands notifications to the spaces that they name. */
export class PgChannel {
  readonly #url: string;
  readonly #spaces = new Map<string, Set<() => void>>();
  #client: pg.Client | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Call `look` when the space was notified; the returned function ends that. Without listeners there is no connection. */
  on(space: string, look: () => void): () => void {
    const looks = this.#spaces.get(space) ?? new Set();
    this.#spaces.set(space, looks.add(look));
    void this.#connect();
    return () => {
      looks.delete(look);
      if (looks.size === 0 && this.#spaces.get(space) === looks) this.#spaces.delete(space);
      if (this.#spaces.size === 0) this.#rest();
    };
  }

  async #connect(): Promise<void> {
    // A pooler's sessions are shared: nobody would hear what one of them listens for. The poll sees commits within a second.
    if (isPooled(this.#url)) return;
    if (this.#client !== null || this.#spaces.size === 0) return;
    const client = new pg.Client(connectionOptions(this.#url));
    this.#client = client;
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      client.end().catch(() => {});
      setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload = "{}" }) => {
      const { space } = JSON.parse(payload) as { space?: string };
      for (const look of this.#spaces.get(space ?? "") ?? []) look();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      for (const looks of this.#spaces.values()) for (const look of looks) look();
    } catch {
      lost();
    }
  }

  #rest(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => {});
  }

  close(): void {
    this.#spaces.clear();
    this.#rest();
  }
}
