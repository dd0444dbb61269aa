// A yes that must be confirmed (D3): plain words, then a phrase made for this one occasion, on the terminal device only.
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
