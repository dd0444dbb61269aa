// Webhooks: who is told of what, and the queue of messages, which is as durable as the log that it follows.
// Making and removing one is in the log (D18), its address among the texts that can be erased (D19).
import {
  type DeadLetter,
  ERASED,
  type EraseResult,
  HapError,
  ID_BYTES,
  makeId,
  type NewWebhook,
  quote,
  ticketIdOf,
  type WebhookView,
} from "@hap/protocol";
import { KeyEngine } from "../keys/key-engine.ts";
import { ContentReader, ContentWriter } from "../log/contents.ts";
import { eraseTexts, thenScrub } from "../log/erase.ts";
import { nameOf } from "../people/people.ts";
import { toIso } from "../tickets/record.ts";
import { viewEvent } from "../tickets/view.ts";
import { type FullFilter, readEvents, readFilter, viewFilter } from "./input.ts";
import { isWebhookEvent, messageBody, trialBody, violationBody, wanted } from "./payload.ts";
import { type DeliveryRecord, foldRemoval, foldWebhook, type KeptWebhook, type WebhookRecord } from "./records.ts";
import { retryDelay } from "./retry.ts";
import { parseTarget } from "./target.ts";

/** A message to send, and to where. */
export type DueDelivery = Pick<DeliveryRecord, "id" | "body" | "tries"> & {
  webhook: { id: string; url: string; secret: string };
};

/** How far the log was turned into messages. */
const PLACE = "webhooks_seq";
const PAGE = 500;
const WEBHOOKS_MAX = 100;
const DEAD_SHOWN = 1_000;
const SECRET_BYTES = 32;
/** How long a message that was given up is kept for an owner to send again. */
const DEAD_KEPT_MS = 30 * 86_400_000;

export abstract class WebhookEngine extends KeyEngine {
  /** What was looked at and interested nobody need not be written down each time. */
  #place = 0;

  /** From now on tell this address. The secret is in the answer and nowhere else. */
  createWebhook(input: NewWebhook, by: string): WebhookView & { secret: string } {
    this.assertOwner(by, "say where events go");
    const url = parseTarget(input.url);
    const events = readEvents(input.events);
    const filter = readFilter(input.filter ?? {});
    return this.run((session) => {
      if (session.tx.listWebhooks().length >= WEBHOOKS_MAX)
        throw new HapError("limit_reached", `There are ${WEBHOOKS_MAX} webhooks, which is the most. Remove one first.`, {});
      const contents = new ContentWriter(session.names);
      const [event] = session.commitApart(
        [
          {
            type: "webhook.create",
            webhook_id: session.names.id("whk_"),
            from: this.handleIn(session, by),
            url: contents.text("url", url),
            events,
            filter: { ...filter, person: filter.person === null ? null : this.handleIn(session, filter.person) },
            trust: this.trust,
          },
        ],
        contents.made,
      );
      const record = foldWebhook(event);
      const secret = `whsec_${Buffer.from(session.names.bytes(SECRET_BYTES)).toString("base64")}`;
      session.tx.putWebhook({ ...record, secret });
      return { ...this.#view(record), secret };
    });
  }

  listWebhooks(): WebhookView[] {
    return this.store.listWebhooks().map((record) => this.#view(record));
  }

  /** Tell them nothing more; what waits for them is dropped. */
  removeWebhook(id: string, by: string): WebhookView {
    this.assertOwner(by, "say where events go");
    return this.run((session) => {
      const record = this.#webhook(id);
      const [event] = session.commitApart([
        { type: "webhook.remove", webhook_id: id, from: this.handleIn(session, by), trust: this.trust },
      ]);
      session.tx.putWebhook({ ...foldRemoval(record, event), secret: "" });
      session.tx.silenceWebhook(id);
      return this.#view(record);
    });
  }

  /** Delete the address of a webhook that was removed, for good (D19). */
  eraseWebhook(id: string, by: string, reason?: string): EraseResult["erased"] {
    this.assertOwner(by, "erase where events went");
    return thenScrub(this.store, this.copyTools(), () =>
      this.run((session) => {
        const record = session.tx.webhookById(id) ?? this.#webhook(id);
        if (record.removedAt === null)
          throw new HapError("wrong_state", `${id} is in use, and needs its address: \`hap webhook remove ${id}\` first.`, {
            webhook_id: id,
          });
        return eraseTexts(session, record.seq, id, { from: this.handleIn(session, by), reason });
      }),
    );
  }

  /** Queue a message that says nothing, to see whether it arrives. */
  testWebhook(id: string, by: string): { delivery_id: string } {
    this.assertOwner(by, "try webhooks");
    this.#webhook(id);
    return this.run((session) => {
      const delivery = newDelivery(session.names.id("msg_"), id, "webhook.test", trialBody(id, toIso(session.now)), session.now);
      session.tx.putDelivery(delivery);
      return { delivery_id: delivery.id };
    });
  }

  /** Messages that were given up, newest first. */
  deadDeliveries(): DeadLetter[] {
    const urls = new Map(this.store.listWebhooks().map((record) => [record.id, this.#url(record)]));
    return this.store.deadDeliveries(DEAD_SHOWN).map((record) => this.#viewDead(record, urls.get(record.webhook) ?? ""));
  }

  /** Try a message again that was given up, with all its tries anew. */
  redeliver(id: string, by: string): DeadLetter {
    this.assertOwner(by, "send messages again");
    return this.run((session) => {
      const record = session.tx.delivery(id);
      if (record === undefined || !record.dead)
        throw new HapError(
          "webhook_not_found",
          `There is no dead message ${quote(id)}. \`hap webhook dead\` shows those that there are.`,
          {
            delivery_id: id,
          },
        );
      session.tx.putDelivery({ ...record, dead: false, tries: 0, nextAt: session.now });
      return this.#viewDead(record, this.#url(this.#webhook(record.webhook)));
    });
  }

  /** Turn new events into messages. Returns false when there was nothing new. `link` is where a person looks at a ticket. */
  queueDeliveries(link: (ticketId: string) => string | null): boolean {
    const webhooks = this.store.listWebhooks().map((record) => ({ ...record, filter: this.#filter(record) }));
    if (webhooks.length === 0 || this.violation() !== null) return false;
    const first = Math.min(...webhooks.map(({ seq }) => seq));
    const after = Math.max(this.#place, first, Number(this.store.config(PLACE) ?? 0));
    const events = this.store.eventsAfter(after, PAGE).map((row) => viewEvent(row).payload);
    const last = events.at(-1);
    if (last === undefined) return false;
    const messages = events.flatMap((event) => {
      const id = isWebhookEvent(event.type) ? ticketIdOf(event) : null;
      const ticket = id === null ? null : this.ticketFacts(id);
      if (ticket === null) return [];
      return webhooks
        .filter((webhook) => wanted(webhook, event, ticket))
        .map((webhook) => ({ webhook: webhook.id, event, body: messageBody(event, ticket, link(ticket.id)) }));
    });
    // Messages and the place that they come from are written together: none is lost, and none is made twice.
    if (messages.length > 0 || events.length === PAGE)
      this.run((session) => {
        const written = Number(session.tx.config(PLACE) ?? 0);
        const known = new Set(session.tx.listWebhooks().map(({ id }) => id));
        for (const { webhook, event, body } of messages)
          if (event.seq > written && known.has(webhook))
            session.tx.putDelivery(newDelivery(session.names.id("msg_"), webhook, event.type, body, session.now));
        session.tx.setConfig(PLACE, String(Math.max(written, last.seq)));
      });
    this.#place = last.seq;
    return true;
  }

  /** Take messages that are due, a few for each webhook; for `leaseMs` nobody else takes them. `busy` says how many each has under way. */
  takeDeliveries(busy: ReadonlyMap<string, number>, each: number, leaseMs: number): DueDelivery[] {
    if (this.violation() !== null) return [];
    const now = this.now();
    const due = () =>
      this.store.listWebhooks().flatMap((webhook) => {
        const room = each - (busy.get(webhook.id) ?? 0);
        return room <= 0 ? [] : this.store.dueDeliveries(webhook.id, now, room).map((record) => ({ record, webhook }));
      });
    if (due().length === 0) return [];
    return this.run((session) =>
      due().map(({ record, webhook }) => {
        session.tx.putDelivery({ ...record, nextAt: now + leaseMs });
        const { id, secret } = webhook;
        return { id: record.id, body: record.body, tries: record.tries, webhook: { id, secret, url: this.#url(webhook) } };
      }),
    );
  }

  /** A message to every address in use, whatever it asked for: the log does not verify. It passes by the queue, which is read-only then. */
  violationNotices(): DueDelivery[] {
    const violation = this.violation();
    if (violation === null) return [];
    const body = violationBody(violation, toIso(this.now()));
    return this.store.listWebhooks().map((webhook) => {
      const id = makeId("msg_", this.random(new Uint8Array(ID_BYTES)));
      return { id, body, tries: 0, webhook: { id: webhook.id, secret: webhook.secret, url: this.#url(webhook) } };
    });
  }

  /** It arrived. */
  delivered(id: string): void {
    this.store.write((tx) => tx.dropDelivery(id));
  }

  /** It did not arrive: later again, or never (`forGood`). Says which. */
  notDelivered(id: string, problem: string, forGood = false): "failed" | "dead" {
    const chance = (this.random(new Uint8Array(1))[0] as number) / 255;
    return this.run((session) => {
      const record = session.tx.delivery(id);
      if (record === undefined) return "failed";
      const tries = record.tries + 1;
      const delay = forGood ? null : retryDelay(tries, chance);
      session.tx.dropDeadDeliveries(session.now - DEAD_KEPT_MS);
      session.tx.putDelivery({ ...record, tries, problem, dead: delay === null, nextAt: session.now + (delay ?? 0) });
      return delay === null ? "dead" : "failed";
    });
  }

  /** Nobody got to try it: it is due again at once. */
  notTried(id: string): void {
    this.run((session) => {
      const record = session.tx.delivery(id);
      if (record !== undefined) session.tx.putDelivery({ ...record, nextAt: session.now });
    });
  }

  /** How many messages wait, and how many were given up. */
  countDeliveries(): { waiting: number; dead: number } {
    return this.store.countDeliveries();
  }

  /** One that is in use. */
  #webhook(id: string): KeptWebhook {
    const record = this.store.listWebhooks().find((webhook) => webhook.id === id);
    if (record !== undefined) return record;
    throw new HapError(
      "webhook_not_found",
      `There is no webhook ${quote(id)}. \`hap webhook list\` shows those that there are.`,
      {
        webhook_id: id,
      },
    );
  }

  #url({ seq, url }: WebhookRecord): string {
    return (new ContentReader(this.store, seq).resolve(url) as string | undefined) ?? ERASED;
  }

  /** Which tickets it hears of, with the person's name. */
  #filter({ filter }: WebhookRecord): FullFilter {
    return { ...filter, person: filter.person === null ? null : nameOf(this.store, filter.person) };
  }

  #view(record: WebhookRecord): WebhookView {
    return {
      id: record.id,
      url: this.#url(record),
      events: [...record.events],
      filter: viewFilter(this.#filter(record)),
      created_by: nameOf(this.store, record.createdBy),
      created_at: record.createdAt,
    };
  }

  #viewDead({ id, webhook, type, tries, problem, createdAt }: DeliveryRecord, url: string): DeadLetter {
    return { id, webhook_id: webhook, url, type, tries, problem, created_at: toIso(createdAt) };
  }
}

function newDelivery(id: string, webhook: string, type: string, body: string, now: number): DeliveryRecord {
  return { id, webhook, type, body, dead: false, tries: 0, nextAt: now, createdAt: now, problem: null };
}
