// The names of spaces.
import { HapError, quote } from "@hap/protocol";

/** What a space may be called: it stands in every event, in keys and in addresses. */
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Refuse a name that cannot stand in an address. */
export function checkSpace(space: string): string {
  if (NAME.test(space)) return space;
  throw new HapError(
    "invalid_input",
    `${quote(space)} cannot be the name of a space: use lower-case letters, digits and hyphens, 63 at most, and no hyphen first.`,
    { field: "space" },
  );
}
