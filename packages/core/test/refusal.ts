// What a call was refused with, so that tests can look at code, words and fields.
import { type HapError, isHapError } from "@hap/protocol";

/** The HapError that `act` throws; anything else is a failure. */
export function refusal(act: () => unknown): HapError {
  try {
    act();
  } catch (error) {
    if (isHapError(error)) return error;
    throw error;
  }
  throw new Error("expected a HapError, but nothing was thrown");
}
