// Few tries for those who guess: a bucket of attempts for each address, refilled slowly. Only failures cost anything.
import { HapError } from "@hap/protocol";

const MOST_ADDRESSES = 10_000;

export class RateLimit {
  readonly #tries: number;
  readonly #refillMs: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** `tries` at once, then one more each `refillMs`. */
  constructor(tries: number, refillMs: number, now: () => number) {
    this.#tries = tries;
    this.#refillMs = refillMs;
    this.#now = now;
  }

  /** Refuse an address that has no try left. */
  check(address: string): void {
    const { left, at } = this.#bucket(address);
    if (left >= 1) return;
    const seconds = Math.max(1, Math.ceil((at + this.#refillMs * (1 - left) - this.#now()) / 1000));
    throw new HapError("rate_limited", `Too many failed attempts from here. Try again in ${seconds} s.`, {
      retry_after_seconds: seconds,
    });
  }

  /** An attempt failed. */
  spend(address: string): void {
    const bucket = this.#bucket(address);
    // Forgetting the oldest address is better than growing for ever; an attacker with that many has as many tries anyway.
    if (this.#buckets.size >= MOST_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value as string);
    this.#buckets.set(address, { left: bucket.left - 1, at: this.#now() });
  }

  #bucket(address: string): { left: number; at: number } {
    const now = this.#now();
    const known = this.#buckets.get(address);
    if (known === undefined) return { left: this.#tries, at: now };
    return { left: Math.min(this.#tries, known.left + (now - known.at) / this.#refillMs), at: now };
  }
}
