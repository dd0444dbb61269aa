// The id of a stored event without parsing its payload, which may be damaged.
import type { EventRow } from "../store/store.ts";

/** `evt_…`, or null when there is no such event or it cannot be read. */
export function rowEventId(row: EventRow | undefined): string | null {
  return /"id":"(evt_[0-9a-z]{26})"/.exec(row?.payload ?? "")?.[1] ?? null;
}
