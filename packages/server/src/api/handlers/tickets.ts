// What a server adds to operations on tickets and the log: roles, the page's own phrase, and events as each may see them.
import { HapError, type LoggedEvent } from "@hap/protocol";
import { assertMayRead, eitherHandlers, type PersonCaller, personHandlers } from "@hap/sdk/embedded";
import type { Principal } from "../../auth/principal.ts";
import { readFilter, resolvedFor, toLive, wants } from "../../live/filter.ts";
import type { Hub } from "../../live/hub.ts";
import { streamEvents } from "../../live/sse.ts";
import type { ServerHandlers } from "../entries.ts";
import { OwnReply } from "../reply.ts";
import type { ApiRequest } from "../request.ts";

/** How many events one request looks at when few of them are wanted. */
const MOST_SCANNED = 5_000;
const SCAN = 500;

/** Handlers of tickets and the log. */
export function ticketHandlers(hub: Hub) {
  return {
    createTicket: ({ caller }, input) => {
      if (caller === null) throw new HapError("login_needed", "Sign in first, or come with an API key.");
      return eitherHandlers.createTicket(caller, input);
    },
    verify: ({ caller, principal }, input) => {
      const role = principal?.kind === "person" ? principal.role : null;
      if (role !== "owner" && role !== "auditor")
        throw new HapError("scope_missing", "A verification reads the whole log; it is for owners and auditors.");
      return personHandlers.verify(caller as PersonCaller, input);
    },
    eventPage: (call, query) => readPage(call, query),
    streamEvents: (call, { last_event_id, after, ...filter }) => {
      streamEvents(hub, call.outgoing, {
        principal: call.principal as Principal,
        filter: readFilter(filter),
        after: last_event_id ?? after ?? null,
        signal: call.signal,
      });
      return new OwnReply(200, undefined, {}, true);
    },
  } satisfies Partial<ServerHandlers>;
}

/** Events that the caller may see, with the words that they may read. */
function readPage(
  { engine, caller, principal: from }: ApiRequest,
  query: { after?: string; limit?: number; ticket?: string; agent?: string; person?: string; state?: string; resolved?: boolean },
) {
  const principal = from as Principal;
  const { limit = 200, ticket } = query;
  if (ticket !== undefined && caller !== null) assertMayRead(caller, ticket);
  const filter = readFilter(query);
  const found: LoggedEvent[] = [];
  let { after } = query;
  for (let scanned = 0; scanned < MOST_SCANNED && found.length < limit; ) {
    const page = engine.getEvents({
      ...(after === undefined ? {} : { after }),
      ...(ticket === undefined ? {} : { ticket }),
      limit: SCAN,
    });
    for (const event of page) {
      if (found.length === limit) break;
      after = event.cursor;
      const live = toLive(engine, event);
      if (!wants(principal, filter, live)) continue;
      const seen = resolvedFor(engine, principal, live);
      // In the draft's shape there is nothing but words: who may not read them gets no such event.
      if (query.resolved !== true || seen.resolved !== undefined) found.push(seen);
    }
    scanned += page.length;
    if (page.length < SCAN) break;
  }
  const events = query.resolved === true ? (engine.resolve(found) as Record<string, unknown>[]) : found;
  return { events, next: after ?? null };
}
