// What the hook answers, before a host's own JSON is made of it.
import type { JsonObject } from "./read-event.ts";

/** `none` leaves the matter to the host: it neither opens nor closes anything. */
export type Answer =
  /** `told`: what the model must read although the call runs, a person's words above all. */
  | { decision: "allow"; reason: string; told?: string; updatedInput?: JsonObject }
  | { decision: "deny"; reason: string }
  /** With an input: the host decides about that one. */
  | { decision: "none"; updatedInput?: JsonObject; told?: string }
  | { decision: "elicited"; action: "accept" | "decline" | "cancel"; content?: JsonObject };
