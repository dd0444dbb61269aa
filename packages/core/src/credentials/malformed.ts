// Keys and signatures that cannot even be read.
import { HapError } from "@hap/protocol";

/** What is misshaped, as an error of the field that it came in. */
export function malformed(field: string, what: string): HapError {
  return field === "signature"
    ? new HapError("signature_invalid", `Signature invalid: ${what}.`, { field })
    : new HapError("invalid_input", `${field} cannot be used: ${what}.`, { field });
}
