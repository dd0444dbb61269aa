// Telling a person that what they asked for did not happen.
import { signedOut, wordsOf } from "./session.ts";
import { say } from "./toasts.ts";

/** Say why it failed; where the sign-in is over, the page asks for a new one instead. */
export function sayFailure(error: unknown): void {
  if (!signedOut(error)) say(wordsOf(error), { tone: "bad" });
}
