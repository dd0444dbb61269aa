// A yes that must be confirmed (D3): plain words, then a phrase made for this one occasion, on the terminal device only.
import { HapError, makePhrase, PHRASE, readPhrase } from "@hap/protocol";
import type { Context } from "../context.ts";
import { TerminalDevice } from "./device.ts";

/** What is confirmed: its name in errors, and the rows to read first. */
export type Confirmation = { what: string; rows: readonly string[] };

/** Show the phrase that `issue` gets, on the terminal alone, and return what was typed; the engine checks it. */
export async function typePhrase({ what, rows }: Confirmation, issue: () => Promise<string>): Promise<string> {
  const device = new TerminalDevice(what);
  try {
    device.write(`\n${rows.join("\n")}\n\nTo confirm, type:  ${await issue()}\n> `);
    return device.readLine();
  } finally {
    device.close();
  }
}

/** Returns once a phrase of this terminal's own was typed, for what is no ticket; otherwise throws. */
export async function confirmAtTerminal(context: Context, confirmation: Confirmation & { words: string }): Promise<void> {
  const phrase = makePhrase(confirmation.words, context.randomBytes(PHRASE.chars));
  if (readPhrase(await typePhrase(confirmation, async () => phrase)) === phrase) return;
  throw new HapError(
    "confirmation_needed",
    `${confirmation.what} was not confirmed: the phrase does not match. Nothing was recorded; run it again.`,
  );
}
