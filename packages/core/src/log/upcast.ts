// Old events are read as new ones (D22): an upcaster for each version step of a type, kept for ever.
import { EVENT_VERSION, HapError, type Json } from "@hap/protocol";

type Payload = { type: string; v: number; [key: string]: Json };

/** By type, the steps from version 1 on. There is one version of every type today. */
const upcasters: Record<string, readonly ((payload: Payload) => Payload)[]> = {};

/** A payload as the newest version of its type. */
export function upcast(payload: unknown): unknown {
  let current = payload as Payload;
  if (current.v > EVENT_VERSION) {
    throw new HapError(
      "store_newer",
      `An event of type ${current.type} has version ${current.v}; this HAP knows ${EVENT_VERSION}. Update HAP.`,
      { type: current.type, v: current.v },
    );
  }
  for (let v = current.v; v < EVENT_VERSION; v++) current = upcasters[current.type]?.[v - 1]?.(current) ?? current;
  return current;
}
