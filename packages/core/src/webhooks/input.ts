// What an owner says of a new webhook, checked.
import {
  HapError,
  parseAskerId,
  parseHumanId,
  parseWith,
  quote,
  TIERS,
  type Tier,
  tokenSchema,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookFilter,
} from "@hap/protocol";
import { isWebhookEvent } from "./payload.ts";

/** The filter with a word or null for each of its parts; people by name. */
export type FullFilter = { person: string | null; agent: string | null; kind: string | null; tier: Tier | null };

/** The events to tell of; all when none is named. */
export function readEvents(events: readonly string[] | undefined): WebhookEvent[] {
  if (events === undefined || events.length === 0) return [...WEBHOOK_EVENTS];
  const unknown = events.find((type) => !isWebhookEvent(type));
  if (unknown === undefined) return WEBHOOK_EVENTS.filter((type) => events.includes(type));
  throw new HapError("invalid_input", `events holds ${quote(unknown)}; choose from ${WEBHOOK_EVENTS.join(", ")}.`, {
    field: "events",
  });
}

/** The tickets to tell of. */
export function readFilter({ person, agent, kind, tier }: { [K in keyof WebhookFilter]?: string | undefined }): FullFilter {
  if (tier !== undefined && !(TIERS as readonly string[]).includes(tier))
    throw new HapError("invalid_input", `tier is ${quote(tier)}; choose from ${TIERS.join(", ")}.`, { field: "tier" });
  return {
    person: person === undefined ? null : parseHumanId(person, "person"),
    agent: agent === undefined ? null : parseAskerId(agent, "agent"),
    kind: kind === undefined ? null : parseWith(tokenSchema(), kind, "kind"),
    tier: (tier ?? null) as Tier | null,
  };
}

/** The filter as people see it: without what does not narrow. */
export function viewFilter(filter: FullFilter): WebhookFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}
