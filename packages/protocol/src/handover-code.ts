// The code that a terminal shows and its person types on the server's page, before a browser's sign-in is handed over to it. Both
// sides compute it from the terminal's challenge, so a link that somebody else made asks for a code that the person does not have.
import type { Sha256 } from "./hash.ts";
import { makeCode } from "./one-time-code.ts";

/** The code of a challenge, `4K7M-92QX`. */
export function handoverCode(challenge: string, sha256: Sha256): string {
  const digest = sha256(`hap.handover/1 ${challenge}`);
  return makeCode(Uint8Array.from({ length: 5 }, (_, at) => Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16)));
}
