// How a command refuses when something that it wrote must stay: a wrong guess that counts, a denial that is logged.
import type { HapError } from "@hap/protocol";

/** Returned, not thrown: the writes are committed first, then the caller gets the error. */
export class Refused {
  readonly error: HapError;

  constructor(error: HapError) {
    this.error = error;
  }
}
