// Why an event cannot have been written by an honest runtime, and the two conditions that everybody checks.
import { ID_PATTERNS } from "@hap/protocol";

/** The log says something that cannot be. */
export class Illegal extends Error {
  override readonly name = "Illegal";
}

/** A ticket, a text or a nonce that differs, found when its event was past. */
export class Mismatch extends Illegal {
  readonly seq: number;

  constructor(seq: number, what: string) {
    super(what);
    this.seq = seq;
  }
}

/** Refuse the log unless the condition holds. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Illegal(what);
}

/** In the log a person is a handle; nobody else acts as one. */
export function mustBePerson(id: string): void {
  must(ID_PATTERNS.handle.test(id), `${id} is not a person`);
}
