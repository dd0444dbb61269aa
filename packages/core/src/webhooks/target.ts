// The address of a webhook as an owner may give it. Where its name leads is checked when something is sent there.
import { HapError, quote } from "@hap/protocol";

const LONGEST = 2000;

/** An address in its one form; an error when nothing can be sent there. */
export function parseTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const web = url !== null && (url.protocol === "https:" || url.protocol === "http:");
  if (!web || text.length > LONGEST)
    throw new HapError("invalid_input", `url is ${quote(text.slice(0, 100))}; it must be an https address.`, { field: "url" });
  if (url.username !== "" || url.password !== "")
    throw new HapError("invalid_input", "url holds a name or a password. Messages are signed instead: check the signature.", {
      field: "url",
    });
  url.hash = "";
  return url.href;
}
