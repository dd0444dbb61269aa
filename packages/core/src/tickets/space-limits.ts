// What one space may take, set by whoever runs the database (D58). A space without limits has those of HAP alone.
import { HapError } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";

/** Limits of a space. What is left out is not limited. */
export type SpaceLimits = { open_tickets?: number; requests_per_minute?: number };

const KEY = "limits";

/** The limits of these rows' space. */
export function readLimits(rows: Pick<StoreReader, "config">): SpaceLimits {
  return JSON.parse(rows.config(KEY) ?? "{}") as SpaceLimits;
}

/** What is kept for these limits; null for none. */
export function limitsRow(limits: SpaceLimits): [string, string | null] {
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
      throw new HapError("invalid_input", `${name} is ${value}; it must be a whole number, 1 or more.`, { field: name });
  return [KEY, Object.keys(limits).length === 0 ? null : JSON.stringify(limits)];
}

/** Refuse a new ticket in a space that has as many open ones as it may. */
export function guardSpace(rows: StoreReader): void {
  const { open_tickets: most } = readLimits(rows);
  if (most === undefined || rows.allOpenTickets() < most) return;
  throw new HapError(
    "quota_exceeded",
    `This space has ${most} open tickets, which is the most that it may have. Decide or cancel some.`,
    {
      limit: most,
    },
  );
}
