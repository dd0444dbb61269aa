// The error for an answer that nobody can read.

/** Standard output is closed, full or discarded. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
}
