// The log as it grows, for as long as the screen is open; a connection that is lost is taken up again after the last event.
import { isHapError, type LoggedEvent, type Ticket, ticketIdOf } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";

type Hear = { changed: (ids: string[]) => void; live: (live: boolean) => void };

const RETRY_MS = { first: 250, most: 10_000 };

/** Tell which tickets changed, until the signal aborts. */
export async function followLog(client: PersonClient, after: string | null, signal: AbortSignal, hear: Hear): Promise<void> {
  let cursor = after;
  let lost = false;
  for (let wait = RETRY_MS.first; !signal.aborted; wait = Math.min(RETRY_MS.most, wait * 2)) {
    try {
      // Any answer shows that there is somebody to follow again: the next event may be long in coming.
      if (lost) await client.violation();
      hear.live(true);
      for await (const events of client.follow({ signal, ...(cursor === null ? {} : { after: cursor }) })) {
        cursor = events.at(-1)?.cursor ?? cursor;
        wait = RETRY_MS.first;
        hear.changed(ticketsOf(events));
      }
    } catch (error) {
      if (!isHapError(error)) throw error;
      // A history that was replaced is followed from its beginning; the list is read anew in any case.
      if (error.code === "cursor_forked") cursor = null;
    }
    if (signal.aborted) return;
    lost = true;
    hear.live(false);
    await pause(wait, signal);
  }
}

/** Each ticket once. */
function ticketsOf(events: readonly LoggedEvent[]): string[] {
  const ids = events.map(({ payload }) => ticketIdOf(payload)).filter((id) => id !== null);
  return [...new Set(ids)];
}

/** Where to follow from: the place of a ticket that was just read, so that history is not told again. */
export function newestCursor(tickets: readonly Ticket[]): string | null {
  const newest = tickets.reduce<Ticket | undefined>(
    (a, b) => (a === undefined || b.updated_at > a.updated_at ? b : a),
    undefined,
  );
  return newest?.cursor ?? null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
