// A yes that must be confirmed (D3): plain words, then a phrase made for this one occasion, on the terminal device only.
import { HapError } from "@hap/protocol";
import type { Context } from "../context.ts";
import { TerminalDevice } from "./device.ts";
import { isPhrase, makePhrase } from "./phrase.ts";

/** What is confirmed: its name in errors, the rows to read first, and the words that the phrase begins with. */
export type Confirmation = { what: string; rows: readonly string[]; words: string };

/** Returns once the phrase was typed; otherwise throws, and nothing may be recorded. */
export function confirmAtTerminal(context: Context, { what, rows, words }: Confirmation): void {
  const device = new TerminalDevice(what);
  try {
    const phrase = makePhrase(words, context.randomBytes);
    device.write(`\n${rows.join("\n")}\n\nTo confirm, type:  ${phrase}\n> `);
    if (isPhrase(device.readLine(), phrase)) return;
  } finally {
    device.close();
  }
  throw new HapError(
    "confirmation_needed",
    `${what} was not confirmed: the phrase does not match. Nothing was recorded; run it again.`,
  );
}
