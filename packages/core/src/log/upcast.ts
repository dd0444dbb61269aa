// Old events are read as new ones (D22): an upcaster for each version step of a type, kept for ever.
import { EVENT_VERSION, EVENT_VERSIONS, HapError, type Json } from "@hap/protocol";

type Payload = { type: string; v: number; [key: string]: Json };

/** By type, the steps from version 1 on. */
const upcasters: Record<string, readonly ((payload: Payload) => Payload)[]> = {
  // A ticket of version 1 has no quorum, and that says the same in version 2: one person decides (D45).
  "ticket.create": [(ticket) => ticket],
  "intent.sign": [(vote) => ({ ...vote, seat: null, on_behalf_of: null })],
  "ticket.escalate": [(escalation) => ({ ...escalation, why: "lease_ended" })],
};

/** A payload as the newest version of its type. */
export function upcast(payload: unknown): unknown {
  let current = payload as Payload;
  const newest = EVENT_VERSIONS[current.type] ?? EVENT_VERSION;
  if (current.v > newest) {
    throw new HapError(
      "store_newer",
      `An event of type ${current.type} has version ${current.v}; this HAP knows ${newest}. Update HAP.`,
      { type: current.type, v: current.v },
    );
  }
  for (let v = current.v; v < newest; v++) current = upcasters[current.type]?.[v - 1]?.(current) ?? current;
  return current;
}
