// A node's record of the database's time against its own monotonic clock. It can say whether the database's clock ran evenly since a
// given time, which a timer's yes depends on (D9): a clock that was set forward must not approve anything.

/** How far the difference may be off before it is learned again. */
const TOLERANCE_MS = 20;
/** How far the database's clock may have moved against this node's before it counts as set. */
const MOVED_MS = 5_000;
/** Entries that are kept; with usual drift that is more than a week. */
const KEPT = 4_096;

/** Differences between the database's clock and this process's monotonic one, each with the time at which it was learned. */
export class ClockWitness {
  readonly #learned: { at: number; offset: number }[] = [];
  #offset = Date.now() - performance.now();

  /** What to add to `performance.now()` to get the database's time. Until the database has answered, this machine's own. */
  get offset(): number {
    return this.#offset;
  }

  /** An answer of the database said that it is `now` there. */
  learn(now: number, monotonic = performance.now()): void {
    const offset = now - monotonic;
    if (this.#learned.length > 0 && Math.abs(offset - this.#offset) <= TOLERANCE_MS) return;
    this.#offset = offset;
    this.#learned.push({ at: now, offset });
    if (this.#learned.length > KEPT) this.#learned.shift();
  }

  /** True if this node has watched the database's clock since that time, and it ran evenly. */
  steadySince(at: number): boolean {
    const first = this.#learned.findIndex((entry, place) => entry.at <= at && at <= this.#heldUntil(place) + MOVED_MS);
    if (first < 0) return false;
    return this.#learned.slice(first).every(({ offset }) => Math.abs(offset - this.#offset) <= MOVED_MS);
  }

  /** The last time by an entry's difference. A clock that was set back passes some times twice; the first one counts. */
  #heldUntil(place: number): number {
    const [entry, next] = [this.#learned[place], this.#learned[place + 1]];
    return entry === undefined || next === undefined ? Number.POSITIVE_INFINITY : next.at - (next.offset - entry.offset);
  }
}
