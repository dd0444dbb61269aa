// Webhooks, as the log makes them, and the messages for them. What signs and what waits is post: it lies beside the log.
import type { ContentRef, EventOf, WebhookEvent } from "@hap/protocol";

/** A webhook as the log makes it: its address is a text beside it, its person a handle. */
export type WebhookRecord = {
  id: string;
  /** Place of its `webhook.create`; it is told of nothing before. */
  seq: number;
  url: ContentRef;
  events: readonly WebhookEvent[];
  filter: EventOf<"webhook.create">["filter"];
  createdBy: string;
  createdAt: string;
  removedAt: string | null;
};
/** A webhook and what signs its messages: `whsec_` and base64; empty once it was removed. */
export type KeptWebhook = WebhookRecord & { secret: string };

/** The webhook that an event makes. */
export function foldWebhook(event: EventOf<"webhook.create">): WebhookRecord {
  const { webhook_id: id, seq, url, events, filter, from: createdBy, ts: createdAt } = event;
  return { id, seq, url: url as ContentRef, events, filter, createdBy, createdAt, removedAt: null };
}

/** The webhook after it was removed. */
export function foldRemoval(record: WebhookRecord, event: EventOf<"webhook.remove">): WebhookRecord {
  return { ...record, removedAt: event.ts };
}

/** One message for one webhook. Its id stays the same through all tries. Times in milliseconds. */
export type DeliveryRecord = {
  id: string;
  webhook: string;
  type: string;
  body: string;
  dead: boolean;
  tries: number;
  nextAt: number;
  createdAt: number;
  /** Why the last try failed, in words of our own. */
  problem: string | null;
};
