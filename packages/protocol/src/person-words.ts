// How a person is called on a face. Events and views name a deleted person by their handle, which means nothing to a reader.
import { ID_PATTERNS } from "./identifiers.ts";

/** Stands where the name of a deleted person was. */
export const ERASED_PERSON = "erased person";

/** True for the id of a person who was deleted: their handle. No name has its shape (D38). */
export function isErasedPerson(id: string): boolean {
  return ID_PATTERNS.handle.test(id);
}

/** An id as a face shows it: unchanged, or `erased person`. */
export function personWords(id: string): string {
  return isErasedPerson(id) ? ERASED_PERSON : id;
}
