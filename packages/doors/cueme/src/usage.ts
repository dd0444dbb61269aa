// The error for words that are not understood.
import { HapError } from "@hap/protocol";

/** Wrong usage. */
export function usage(message: string): HapError {
  return new HapError("invalid_input", message);
}
