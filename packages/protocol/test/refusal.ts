// What a call refused with, so that tables can check code, message and field in one comparison.
import { isHapError } from "../src/errors.ts";

/** Code, message and, where the error names one, field of the HapError that `act` throws; anything else is a failure. */
export function refusal(act: () => unknown): { code: string; message: string; field?: string } {
  try {
    act();
  } catch (error) {
    if (!isHapError(error)) throw error;
    const { field } = error.fields;
    return { code: error.code, message: error.message, ...(typeof field === "string" ? { field } : {}) };
  }
  throw new Error("expected a HapError, but nothing was thrown");
}
