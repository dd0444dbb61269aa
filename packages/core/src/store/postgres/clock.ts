// The database's time, as a node knows it: its own monotonic clock and the difference learned from each answer (D42).
import type { ClockWitness } from "./clock-witness.ts";

/** Time by the database, for one space. A node's own wall clock is never read once the database has answered. */
export class DatabaseClock {
  readonly #witness: ClockWitness;
  readonly #headAt: () => number;
  #reading: number | null = null;

  /** `headAt`: the time of the last event, which no later one may precede. */
  constructor(witness: ClockWitness, headAt: () => number) {
    this.#witness = witness;
    this.#headAt = headAt;
  }

  readonly now = (): number => {
    const at = Math.max(Math.floor(performance.now() + this.#witness.offset), this.#headAt());
    this.#reading ??= at;
    return at;
  };

  /** An answer of the database said that it is `now` there. */
  learn(now: number): void {
    this.#witness.learn(now);
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
