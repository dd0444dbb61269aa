// The database's time, as a node knows it: its own monotonic clock and the difference learned from each answer (D42).

/** How far the learned difference may be off before it is learned again. */
const TOLERANCE_MS = 20;

/** Time by the database. A node's own wall clock is never read once the database has answered. */
export class DatabaseClock {
  #offset = Date.now() - performance.now();
  #reading: number | null = null;
  readonly #headAt: () => number;

  /** `headAt`: the time of the last event, which no later one may precede. */
  constructor(headAt: () => number) {
    this.#headAt = headAt;
  }

  readonly now = (): number => {
    const at = Math.max(Math.floor(performance.now() + this.#offset), this.#headAt());
    this.#reading ??= at;
    return at;
  };

  /** An answer of the database said that it is `now` there. */
  learn(now: number): void {
    const offset = now - performance.now();
    if (Math.abs(offset - this.#offset) > TOLERANCE_MS) this.#offset = offset;
  }

  /** A transaction begins: what it reads first is the time that its commit is judged by. */
  begin(): void {
    this.#reading = null;
  }

  /** The time that the transaction has read, or null if it read none or has a clock of its own. */
  get reading(): number | null {
    return this.#reading;
  }
}
