// The private signal of a store that cannot answer a read at once (D39).

/** Thrown by a read whose row is not in memory. The store undoes the command, fetches the row and runs the command again. */
export class NeedsRead extends Error {
  override readonly name = "NeedsRead";
  /** What to fetch, in the store's own words. */
  readonly key: string;

  constructor(key: string) {
    super(`The store must fetch ${key} first. Only the store catches this: a command that did would hide it.`);
    this.key = key;
  }

  /** One signal for what several commands of a batch need. */
  joined(_others: readonly NeedsRead[]): NeedsRead {
    return this;
  }
}
