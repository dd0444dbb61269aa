// Stop, notifications and the like: a remark on the timeline of every ticket that is open for this session, and nothing else.
import { ID_PATTERNS } from "@hap/protocol";
import { HOSTS } from "../hosts.ts";
import type { HookOptions } from "../options.ts";
import { type HookEvent, word } from "../read-event.ts";
import { withClient } from "./ask-person.ts";

/** How many tickets of a session get the remark. */
const MOST_TICKETS = 50;

/** Write the remark. */
export async function noteEvent(event: HookEvent, options: HookOptions): Promise<void> {
  const session = event.session?.toLowerCase() ?? "";
  if (!ID_PATTERNS.token.test(session)) return;
  await withClient(options, async (client) => {
    const { tickets } = await client.list({ session, state: "open", limit: MOST_TICKETS });
    for (const ticket of tickets) await client.note(ticket.id, remark(event, options));
  });
}

function remark(event: HookEvent, options: HookOptions): string {
  const also = ["message", "reason", "source"].map((field) => word(event.raw, field)).find((text) => text !== null);
  return `${HOSTS[options.host].title}: ${event.name}${also === undefined ? "" : ` (${also.slice(0, 500)})`}`;
}
