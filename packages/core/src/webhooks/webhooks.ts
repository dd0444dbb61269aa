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
import { ContentReader, ContentWriter } from "../log/contents.ts";
import { eraseTexts } from "../log/erase.ts";
import { assertOwner } from "../people/owners.ts";
import { enlistPerson, nameOf } from "../people/people.ts";
import { votersOf } from "../quorum/inbox.ts";
import type { StoreReader } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { ticketFacts } from "../tickets/ticket-queries.ts";
import { viewEvent } from "../tickets/view.ts";
import type { Context } from "../transaction/context.ts";
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

/** Webhooks and their queue. */
export class Webhooks {
  readonly #engine: Context;
  /** How far the log was read in vain. Only spares reading it again; what counts is the place in the store. */
  #place = 0;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** From now on tell this address. The secret is in the answer and nowhere else. */
  createWebhook(input: NewWebhook, by: string): WebhookView & { secret: string } {
    const url = parseTarget(input.url);
    const events = readEvents(input.events);
    const filter = readFilter(input.filter ?? {});
    return this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "say where events go");
      if (session.tx.listWebhooks().length >= WEBHOOKS_MAX)
        throw new HapError("limit_reached", `There are ${WEBHOOKS_MAX} webhooks, which is the most. Remove one first.`, {});
      const contents = new ContentWriter(session.names);
      const [event] = session.commitApart(
        [
          {
            type: "webhook.create",
            webhook_id: session.names.id("whk_"),
            from: enlistPerson(session, by),
            url: contents.text("url", url),
            events,
            filter: { ...filter, person: filter.person === null ? null : enlistPerson(session, filter.person) },
            trust: facts.trust,
          },
        ],
        contents.made,
      );
      const record = foldWebhook(event);
      const secret = `whsec_${Buffer.from(session.names.bytes(SECRET_BYTES)).toString("base64")}`;
      session.tx.putWebhook({ ...record, secret });
      return { ...viewWebhook(session.tx, record), secret };
    });
  }

  listWebhooks(): WebhookView[] {
    const { rows } = this.#engine;
    return rows.listWebhooks().map((record) => viewWebhook(rows, record));
  }

  /** Tell them nothing more; what waits for them is dropped. */
  removeWebhook(id: string, by: string): WebhookView {
    return this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "say where events go");
      const record = webhookInUse(session.tx, id);
      const [event] = session.commitApart([
        { type: "webhook.remove", webhook_id: id, from: enlistPerson(session, by), trust: facts.trust },
      ]);
      session.tx.putWebhook({ ...foldRemoval(record, event), secret: "" });
      session.tx.silenceWebhook(id);
      return viewWebhook(session.tx, record);
    });
  }

  /** Delete the address of a webhook that was removed, for good (D19). */
  eraseWebhook(id: string, by: string, reason?: string): EraseResult["erased"] {
    return this.#engine.runThenScrub((session, facts) => {
      assertOwner(session.tx, facts, by, "erase where events went");
      const record = session.tx.webhookById(id) ?? webhookInUse(session.tx, id);
      if (record.removedAt === null)
        throw new HapError("wrong_state", `${id} is in use, and needs its address: \`hap webhook remove ${id}\` first.`, {
          webhook_id: id,
        });
      return eraseTexts(session, record.seq, id, { from: enlistPerson(session, by), reason });
    });
  }

  /** Queue a message that says nothing, to see whether it arrives. */
  testWebhook(id: string, by: string): { delivery_id: string } {
    return this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "try webhooks");
      webhookInUse(session.tx, id);
      const delivery = newDelivery(session.names.id("msg_"), id, "webhook.test", trialBody(id, toIso(session.now)), session.now);
      session.tx.putDelivery(delivery);
      return { delivery_id: delivery.id };
    });
  }

  /** Messages that were given up, newest first. */
  deadDeliveries(): DeadLetter[] {
    const { rows } = this.#engine;
    const urls = new Map(rows.listWebhooks().map((record) => [record.id, urlOf(rows, record)]));
    return rows.deadDeliveries(DEAD_SHOWN).map((record) => viewDead(record, urls.get(record.webhook) ?? ""));
  }

  /** Try a message again that was given up, with all its tries anew. */
  redeliver(id: string, by: string): DeadLetter {
    return this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "send messages again");
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
      return viewDead(record, urlOf(session.tx, webhookInUse(session.tx, record.webhook)));
    });
  }

  /** Turn new events into messages. Returns false when there was nothing new. `link` is where a person looks at a ticket. */
  queueDeliveries(link: (ticketId: string) => string | null): boolean {
    const { rows } = this.#engine;
    const webhooks = rows.listWebhooks().map((record) => ({ ...record, filter: filterOf(rows, record) }));
    if (webhooks.length === 0 || this.#engine.violation() !== null) return false;
    const first = Math.min(...webhooks.map(({ seq }) => seq));
    const after = Math.max(this.#place, first, Number(rows.config(PLACE) ?? 0));
    const events = rows.eventsAfter(after, PAGE).map((row) => viewEvent(row).payload);
    const last = events.at(-1);
    if (last === undefined) return false;
    const messages = events.flatMap((event) => {
      const id = isWebhookEvent(event.type) ? ticketIdOf(event) : null;
      const facts = id === null ? null : ticketFacts(rows, id);
      if (facts === null) return [];
      const ticket = { ...facts, voters: votersByName(rows, facts.id) };
      return webhooks
        .filter((webhook) => wanted(webhook, event, ticket))
        .map((webhook) => ({ webhook: webhook.id, event, body: messageBody(event, ticket, link(ticket.id)) }));
    });
    let news = true;
    // Messages and the place that they come from are written together: none is lost, and none is made twice.
    if (messages.length > 0 || events.length === PAGE)
      news = this.#engine.run((session) => {
        const written = Number(session.tx.config(PLACE) ?? 0);
        const known = new Set(session.tx.listWebhooks().map(({ id }) => id));
        for (const { webhook, event, body } of messages)
          if (event.seq > written && known.has(webhook))
            session.tx.putDelivery(newDelivery(session.names.id("msg_"), webhook, event.type, body, session.now));
        session.tx.setConfig(PLACE, String(Math.max(written, last.seq)));
        return written < last.seq;
      });
    this.#place = last.seq;
    return news;
  }

  /** Take messages that are due, a few for each webhook; for `leaseMs` nobody else takes them. `busy` says how many each has under way. */
  takeDeliveries(busy: ReadonlyMap<string, number>, each: number, leaseMs: number): DueDelivery[] {
    if (this.#engine.violation() !== null) return [];
    // A look without a lock first: mostly there is nothing to send.
    if (dueFor(this.#engine.rows, this.#engine.now(), busy, each).length === 0) return [];
    return this.#engine.run((session) =>
      dueFor(session.tx, session.now, busy, each).map(({ record, webhook }) => {
        session.tx.putDelivery({ ...record, nextAt: session.now + leaseMs });
        const { id, secret } = webhook;
        const url = urlOf(session.tx, webhook);
        return { id: record.id, body: record.body, tries: record.tries, webhook: { id, secret, url } };
      }),
    );
  }

  /** A message to every address in use, whatever it asked for: the log does not verify. It passes by the queue, which is read-only then. */
  violationNotices(): DueDelivery[] {
    const violation = this.#engine.violation();
    const { rows } = this.#engine;
    if (violation === null) return [];
    const body = violationBody(violation, toIso(this.#engine.now()));
    return rows.listWebhooks().map((webhook) => {
      const id = makeId("msg_", this.#engine.random(new Uint8Array(ID_BYTES)));
      return { id, body, tries: 0, webhook: { id: webhook.id, secret: webhook.secret, url: urlOf(rows, webhook) } };
    });
  }

  /** It arrived. */
  delivered(id: string): void {
    this.#engine.write((rows) => rows.dropDelivery(id));
  }

  /** It did not arrive: later again, or never (`forGood`). Says which. */
  notDelivered(id: string, problem: string, forGood = false): "failed" | "dead" {
    const chance = (this.#engine.random(new Uint8Array(1))[0] as number) / 255;
    return this.#engine.run((session) => {
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
    this.#engine.run((session) => {
      const record = session.tx.delivery(id);
      if (record !== undefined) session.tx.putDelivery({ ...record, nextAt: session.now });
    });
  }

  /** How many messages wait, and how many were given up. */
  countDeliveries(): { waiting: number; dead: number } {
    return this.#engine.rows.countDeliveries();
  }
}

/** Deliveries that are due, a few for each webhook. */
function dueFor(
  rows: StoreReader,
  now: number,
  busy: ReadonlyMap<string, number>,
  each: number,
): { record: DeliveryRecord; webhook: KeptWebhook }[] {
  return rows.listWebhooks().flatMap((webhook) => {
    const room = each - (busy.get(webhook.id) ?? 0);
    return room <= 0 ? [] : rows.dueDeliveries(webhook.id, now, room).map((record) => ({ record, webhook }));
  });
}

/** A webhook that is in use. */
function webhookInUse(rows: StoreReader, id: string): KeptWebhook {
  const record = rows.listWebhooks().find((webhook) => webhook.id === id);
  if (record !== undefined) return record;
  throw new HapError("webhook_not_found", `There is no webhook ${quote(id)}. \`hap webhook list\` shows those that there are.`, {
    webhook_id: id,
  });
}

function urlOf(rows: StoreReader, { seq, url }: WebhookRecord): string {
  return (new ContentReader(rows, seq).resolve(url) as string | undefined) ?? ERASED;
}

/** The tickets that it is told of, with the person's name. */
function votersByName(rows: StoreReader, id: string): string[] {
  const record = rows.ticketById(id);
  return record === undefined ? [] : votersOf(rows, record).map((handle) => nameOf(rows, handle));
}

function filterOf(rows: StoreReader, { filter }: WebhookRecord): FullFilter {
  return { ...filter, person: filter.person === null ? null : nameOf(rows, filter.person) };
}

function viewWebhook(rows: StoreReader, record: WebhookRecord): WebhookView {
  return {
    id: record.id,
    url: urlOf(rows, record),
    events: [...record.events],
    filter: viewFilter(filterOf(rows, record)),
    created_by: nameOf(rows, record.createdBy),
    created_at: record.createdAt,
  };
}

function viewDead({ id, webhook, type, tries, problem, createdAt }: DeliveryRecord, url: string): DeadLetter {
  return { id, webhook_id: webhook, url, type, tries, problem, created_at: toIso(createdAt) };
}

function newDelivery(id: string, webhook: string, type: string, body: string, now: number): DeliveryRecord {
  return { id, webhook, type, body, dead: false, tries: 0, nextAt: now, createdAt: now, problem: null };
}
