// A one-time code (D25): shown on the terminal device and nowhere else, and typed there by the person.
import { isHapError } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import { TerminalDevice } from "../terminal/device.ts";

/** Show `rows` and a new code, and return what was typed. Where the store is elsewhere, its own terminal shows the code. */
export async function typeCode(client: PersonClient, what: string, rows: readonly string[]): Promise<string> {
  const device = new TerminalDevice(what);
  try {
    const code = await codeToShow(client);
    const shown =
      code === null ? "Run `hap credential code` on the terminal of the server, and type the code here." : `Code: ${code}`;
    device.write(`\n${rows.join("\n")}\n\n${shown}\nType the code to go on.\n> `);
    return device.readLine();
  } finally {
    device.close();
  }
}

async function codeToShow(client: PersonClient): Promise<string | null> {
  try {
    return (await client.issueCode("enrol")).code;
  } catch (error) {
    if (isHapError(error) && error.code === "terminal_needed") return null;
    throw error;
  }
}
