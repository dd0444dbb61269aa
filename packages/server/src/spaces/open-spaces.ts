// The spaces that a server has open: its own, always, and others of the same database while they are in use, up to a number. One that
// is idle is closed when another is needed; what it held is in the database.
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { SpaceFront } from "./space-front.ts";

/** The spaces of a database, as the server opens them. */
export type SpaceSource = {
  has: (space: string) => Promise<boolean>;
  open: (space: string) => HapEngine;
  /** Spaces in which a lease is due. */
  due: () => Promise<string[]>;
};

type Kept = { front: SpaceFront; uses: number };

/** How many spaces beside its own a server has open, unless it is told otherwise. */
export const MOST_SPACES = 64;
/** How often leases of spaces that nobody uses are looked for. */
const SWEEP_MS = 1_000;
/** How long a space is left alone whose leases could not be applied. */
const REST_MS = 30_000;

/** Opens and closes spaces. */
export class OpenSpaces {
  readonly #home: { space: string; front: SpaceFront };
  readonly #source: SpaceSource;
  readonly #make: (engine: HapEngine, space: string) => SpaceFront;
  readonly #most: number;
  readonly #onError: (error: unknown) => void;
  /** By name; the one used last is the last. */
  readonly #open = new Map<string, Promise<Kept>>();
  readonly #resting = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void> | null = null;
  #closed = false;

  constructor(options: {
    home: { space: string; front: SpaceFront };
    source: SpaceSource;
    make: (engine: HapEngine, space: string) => SpaceFront;
    most: number;
    onError: (error: unknown) => void;
  }) {
    this.#home = options.home;
    this.#source = options.source;
    this.#make = options.make;
    this.#most = options.most;
    this.#onError = options.onError;
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = null;
      });
    }, SWEEP_MS).unref();
  }

  /** True for a space that a request finds open. */
  isOpen(space: string): boolean {
    return space === this.#home.space || this.#open.has(space);
  }

  /** The space, opened if need be, and how to say that it is not used any more. */
  async use(space: string): Promise<{ front: SpaceFront; done: () => void }> {
    if (space === this.#home.space) return { front: this.#home.front, done: () => {} };
    const opening = this.#open.get(space) ?? this.#opened(space);
    this.#open.delete(space);
    this.#open.set(space, opening);
    const kept = await opening;
    // Closed while this waited: the next one is another.
    if (this.#open.get(space) !== opening) return this.use(space);
    kept.uses++;
    let used = true;
    const done = () => {
      if (used) kept.uses--;
      used = false;
    };
    return { front: kept.front, done };
  }

  #opened(space: string): Promise<Kept> {
    const opening = this.#openSpace(space);
    opening.catch(() => {
      if (this.#open.get(space) === opening) this.#open.delete(space);
    });
    return opening;
  }

  async #openSpace(space: string): Promise<Kept> {
    if (this.#closed) throw new HapError("server_stopping", "The server is shutting down; ask again in a moment.");
    if (!(await this.#source.has(space))) throw noSpace(space);
    await this.#makeRoom(space);
    const front = this.#make(this.#source.open(space), space);
    front.start();
    return { front, uses: 0 };
  }

  /** Close what is idle, the longest unused first, until one more fits. */
  async #makeRoom(wanted: string): Promise<void> {
    for (const [space, opening] of [...this.#open]) {
      if (this.#open.size <= this.#most) return;
      if (space === wanted) continue;
      const kept = await opening.catch(() => null);
      if (kept === null || kept.uses > 0 || this.#open.get(space) !== opening || kept.front.hasWork()) continue;
      this.#open.delete(space);
      await this.#close(kept.front, new Error("the space is closed here"));
    }
    if (this.#open.size <= this.#most) return;
    throw new HapError("rate_limited", `This server has ${this.#most} spaces in use, which is the most. Try again later.`, {
      retry_after_seconds: 5,
    });
  }

  async #close(front: SpaceFront, why: Error): Promise<void> {
    await front.letGo(why);
    await front.stop();
  }

  /** Apply leases that are due in spaces where no agent waits on any node. */
  async #sweep(): Promise<void> {
    try {
      for (const space of await this.#source.due()) {
        if (this.#closed || performance.now() < (this.#resting.get(space) ?? 0)) continue;
        await this.#apply(space);
      }
    } catch (error) {
      // Without the database nothing can be applied; requests say so to their callers.
      if (!(error instanceof HapError)) this.#onError(error);
    }
  }

  async #apply(space: string): Promise<void> {
    this.#resting.delete(space);
    try {
      const { front, done } = await this.use(space);
      // Every transaction applies leases that are due before its own work.
      await front.engine.later(() => {}).finally(done);
    } catch (error) {
      this.#resting.set(space, performance.now() + REST_MS);
      this.#onError(error);
    }
  }

  /** Every open space but the server's own. */
  async #others(): Promise<SpaceFront[]> {
    const kept = await Promise.all([...this.#open.values()].map((opening) => opening.catch(() => null)));
    return kept.flatMap((one) => (one === null ? [] : [one.front]));
  }

  /** End waits and streams of all of them. */
  async letGo(why: Error): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const front of await this.#others()) await front.letGo(why);
  }

  async stop(): Promise<void> {
    await this.#sweeping;
    for (const front of await this.#others()) await front.stop();
    this.#open.clear();
  }
}

/** The error for a space that the database does not have. */
function noSpace(space: string): HapError {
  return new HapError("space_not_found", `There is no space ${space} here. \`hap space list\` shows those that there are.`, {
    space,
  });
}
