// What ends a run, with a word that hosts can match on and words that say what to do next.
import { ModelError } from "./model/types.ts";

export type YumeErrorKind = "usage" | "session" | "history" | "provider" | "internal";

export class YumeError extends Error {
  readonly kind: YumeErrorKind;

  constructor(kind: YumeErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "YumeError";
    this.kind = kind;
  }
}

/** The word for any error. */
export function kindOf(error: unknown): string {
  return error instanceof ModelError || error instanceof YumeError ? error.kind : "internal";
}
