// Webhooks: where a server tells what happens, as owners say it and see it.
import type { Tier, WebhookEvent } from "./constants.ts";

/** Which tickets a webhook hears of; what is not said does not narrow. */
export type WebhookFilter = {
  person?: string | undefined;
  agent?: string | undefined;
  kind?: string | undefined;
  tier?: Tier | undefined;
};

/** What an owner says of a new webhook, not yet checked; all events unless some are named. */
export type NewWebhook = {
  url: string;
  events?: readonly string[] | undefined;
  filter?: { [K in keyof WebhookFilter]?: string | undefined } | undefined;
};

/** A webhook as people see it. */
export type WebhookView = {
  id: string;
  url: string;
  events: WebhookEvent[];
  filter: WebhookFilter;
  created_by: string;
  created_at: string;
};

/** A message to a webhook that was given up. */
export type DeadLetter = {
  id: string;
  webhook_id: string;
  url: string;
  type: string;
  tries: number;
  problem: string | null;
  created_at: string;
};
