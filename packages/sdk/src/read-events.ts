// Events beyond one page: a server answers at most a thousand at a time.
import type { EventPage, EventQuery } from "@hap/protocol";

const PAGE = 1000;

/** Read pages until there are as many events as asked for, or no more. */
export async function readEvents<T>(query: EventQuery, read: (query: EventQuery) => Promise<EventPage<T>>): Promise<T[]> {
  const { limit = PAGE, ...rest } = query;
  const found: T[] = [];
  for (let after = query.after; found.length < limit; ) {
    const page = await read({ ...rest, after, limit: Math.min(PAGE, limit - found.length) });
    found.push(...page.events);
    if (page.next === null || page.next === after) break;
    after = page.next;
  }
  return found;
}
