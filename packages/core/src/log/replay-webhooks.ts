// Webhooks, replayed from the log: into rows when they are rebuilt, and beside them when they are verified (D21).
import type { EventOf, HapEvent } from "@hap/protocol";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { foldRemoval, foldWebhook, type WebhookRecord } from "../webhooks/records.ts";
import { sameValue } from "./alongside.ts";
import { Illegal, must, mustBePerson } from "./illegal.ts";

type WebhookEvent = EventOf<"webhook.create"> | EventOf<"webhook.remove">;

/** True for events about webhooks. */
export function isWebhookChange(event: HapEvent): event is WebhookEvent {
  return event.type === "webhook.create" || event.type === "webhook.remove";
}

/** Put what one event makes into the rows. A secret that is gone cannot be made again. */
export function replayWebhook(tx: StoreWriter, event: WebhookEvent): void {
  if (event.type === "webhook.create") {
    tx.putWebhook({ ...foldWebhook(event), secret: "" });
    return;
  }
  const record = tx.webhookById(event.webhook_id);
  if (record !== undefined) tx.putWebhook({ ...record, ...foldRemoval(record, event) });
}

/** Replays webhooks and compares the end with the rows: an address that was put in past the log is found. */
export class WebhookReplay {
  readonly #store: StoreReader;
  readonly #webhooks = new Map<string, WebhookRecord>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  take(event: WebhookEvent): void {
    mustBePerson(event.from);
    const known = this.#webhooks.get(event.webhook_id);
    if (event.type === "webhook.create") {
      must(known === undefined, `a second webhook ${event.webhook_id}`);
      this.#webhooks.set(event.webhook_id, foldWebhook(event));
      return;
    }
    must(known !== undefined && known.removedAt === null, `${event.webhook_id} is no webhook in use`);
    this.#webhooks.set(event.webhook_id, foldRemoval(known, event));
  }

  finish(): void {
    for (const webhook of this.#webhooks.values()) {
      const { secret: _, ...stored } = this.#store.webhookById(webhook.id) ?? { secret: "" };
      if (!sameValue(webhook, stored)) throw new Illegal(`the stored webhook ${webhook.id} is not what the log makes of it`);
    }
    must(this.#store.countWebhooks() === this.#webhooks.size, "webhooks are stored that the log does not know");
    const used = [...this.#webhooks.values()].filter(({ removedAt }) => removedAt === null).map(({ id }) => id);
    const stored = this.#store.listWebhooks().map(({ id }) => id);
    must(sameValue(used.sort(), stored.sort()), "the stored webhooks in use are not those of the log");
  }
}
