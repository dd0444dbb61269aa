// Two helpers of verification: reading a second ordered stream along with the log, and comparing plain values.

/** A stream in the order of a number that the reader asks for in rising order; what lies between is passed over. */
export class Alongside<T> {
  readonly #items: Iterator<T>;
  readonly #placeOf: (item: T) => number;
  #next: T | undefined;

  constructor(items: Iterable<T>, placeOf: (item: T) => number) {
    this.#items = items[Symbol.iterator]();
    this.#placeOf = placeOf;
    this.#advance();
  }

  /** Everything at `place`. */
  take(place: number): T[] {
    const found: T[] = [];
    while (this.#next !== undefined && this.#placeOf(this.#next) <= place) {
      if (this.#placeOf(this.#next) === place) found.push(this.#next);
      this.#advance();
    }
    return found;
  }

  /** Read no further. */
  close(): void {
    this.#items.return?.();
  }

  #advance(): void {
    const { done, value } = this.#items.next();
    this.#next = done === true ? undefined : value;
  }
}

/** Deep equality of what JSON can hold; a key that is undefined counts as absent on neither side. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b))
    return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  return true;
}
