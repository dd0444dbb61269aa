// Whom to call outside of any page (Web Push): which browsers a person named, and what they are told. A call says that a
// ticket waits and never what it would do; it is a convenience beside the inbox, so it is sent once and not kept.
import { createPublicKey } from "node:crypto";
import { HapError, type HapEvent, isOpen, type Priority, shortCode, type Tier } from "@hap/protocol";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { viewEvent } from "../tickets/view.ts";
import { WebhookEngine } from "../webhooks/webhook-engine.ts";

/** A browser that wants to be called, as the Push API writes it. */
export type NewPushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };
/** All that a push tells. */
export type PushNotice = {
  ticket_id: string;
  code: string;
  from: string;
  priority: Priority;
  tier: Tier;
  why: "new" | "last_minute";
};
/** One message to one browser; after `ttlSeconds` it is of no use. */
export type PushCall = { subscription: NewPushSubscription; notice: PushNotice; ttlSeconds: number };

/** How far the log was turned into calls. */
const PLACE = "push_seq";
const PAGE = 500;
/** What came so long ago, while no server ran, is no news. */
const STALE_MS = 10 * 60_000;
const BROWSERS_MAX = 20;
const LAST_MINUTE_MS = 60_000;
/** How many leases in their last minute one look considers. */
const ENDING_MAX = 200;
const LONGEST_TTL_SECONDS = 86_400;

export abstract class PushEngine extends WebhookEngine {
  /** What was looked at and interested nobody need not be written down each time. */
  #place = 0;
  /** Leases whose last minute was told, by ticket and deadline. */
  #told = new Set<string>();

  /** From now on call this browser when a ticket waits for the person. */
  addPushSubscription(person: string, input: NewPushSubscription, serverKey: string): { browsers: number } {
    const { endpoint, keys } = checkSubscription(input);
    return this.run((session) => {
      const handle = this.handleIn(session, person);
      // What came while nobody was to be called is not called after.
      if (session.tx.pushSubscriptions().length === 0) session.tx.setConfig(PLACE, String(session.head.seq));
      session.tx.putPushSubscription({ endpoint, person: handle, ...keys, serverKey, createdAt: session.now });
      const all = session.tx.pushSubscriptions(handle);
      const others = all.filter((record) => record.endpoint !== endpoint);
      const surplus = others.slice(0, Math.max(0, all.length - BROWSERS_MAX));
      for (const record of surplus) session.tx.dropPushSubscriptions({ endpoint: record.endpoint });
      return { browsers: all.length - surplus.length };
    });
  }

  /** Call this browser no more. Whose it was is not told. */
  removePushSubscription(person: string, endpoint: string): void {
    const handle = this.store.handleOf(person);
    if (handle === undefined || !this.store.pushSubscriptions(handle).some((record) => record.endpoint === endpoint)) return;
    this.store.write((tx) => tx.dropPushSubscriptions({ endpoint }));
  }

  /** In how many browsers a person is called. */
  countPushSubscriptions(person: string): number {
    const handle = this.store.handleOf(person);
    return handle === undefined ? 0 : this.store.pushSubscriptions(handle).length;
  }

  /** Its push service knows the browser no more. */
  pushSubscriptionGone(endpoint: string): void {
    if (this.violation() === null) this.store.write((tx) => tx.dropPushSubscriptions({ endpoint }));
  }

  /** Turn new events and leases that end soon into calls, each handed out once. `more` says that events are left to look at. */
  takePushCalls(serverKey: string): { calls: PushCall[]; more: boolean } {
    if (this.violation() !== null) return { calls: [], more: false };
    const browsers = this.store.pushSubscriptions().filter((record) => record.serverKey === serverKey);
    if (browsers.length === 0) return { calls: [], more: false };
    const { arrived, more } = this.#arrived(new Set(browsers.map(({ person }) => person)));
    const notices = [
      ...arrived.map((record) => ({ record, why: "new" as const })),
      ...this.#ending().map((record) => ({ record, why: "last_minute" as const })),
    ];
    const calls = notices.flatMap(({ record, why }) =>
      browsers
        .filter(({ person }) => person === record.to)
        .map(({ endpoint, p256dh, auth }) => ({
          subscription: { endpoint, keys: { p256dh, auth } },
          notice: noticeOf(record, why),
          ttlSeconds: this.#secondsLeft(record),
        })),
    );
    return { calls, more };
  }

  /** Tickets that came to somebody who has a browser to call, and still wait for them. */
  #arrived(wanted: ReadonlySet<string>): { arrived: TicketRecord[]; more: boolean } {
    const after = Math.max(this.#place, Number(this.store.config(PLACE) ?? 0));
    const events = this.store.eventsAfter(after, PAGE).map((row) => viewEvent(row).payload);
    const last = events.at(-1);
    if (last === undefined) return { arrived: [], more: false };
    const waits = (event: HapEvent) => {
      const id = fromIso(event.ts) < this.now() - STALE_MS ? null : arrivalOf(event);
      const record = id === null ? undefined : this.store.ticketById(id);
      return record !== undefined && isOpen(record.state) && wanted.has(record.to) ? { seq: event.seq, record } : null;
    };
    const found = events.map(waits).filter((item) => item !== null);
    this.#place = last.seq;
    const more = events.length === PAGE;
    if (found.length === 0 && !more) return { arrived: [], more };
    // The place is moved on before anything is sent: of several servers on one store, one calls.
    const written = this.run((session) => {
      const before = Number(session.tx.config(PLACE) ?? 0);
      session.tx.setConfig(PLACE, String(Math.max(before, last.seq)));
      return before;
    });
    const fresh = found.filter(({ seq }) => seq > written).map(({ record }) => [record.ticket.id, record] as const);
    return { arrived: [...new Map(fresh).values()], more };
  }

  /** Tickets that nobody has looked at and whose lease ends within a minute, each once. */
  #ending(): TicketRecord[] {
    const now = this.now();
    const ending = this.store.due(now + LAST_MINUTE_MS, ENDING_MAX).filter(({ clock: { deadline, ttlMs } }) => {
      // A lease that is short from the start is announced by the ticket's arrival.
      return deadline !== null && deadline > now && ttlMs > 2 * LAST_MINUTE_MS;
    });
    const name = ({ ticket, clock }: TicketRecord) => `${ticket.id} ${clock.deadline}`;
    const fresh = ending.filter((record) => !this.#told.has(name(record)));
    this.#told = new Set(ending.map(name));
    return fresh;
  }

  #secondsLeft({ clock }: TicketRecord): number {
    const ms = clock.deadline === null ? (clock.remaining ?? 0) : clock.deadline - this.now();
    return Math.min(LONGEST_TTL_SECONDS, Math.max(1, Math.ceil(ms / 1000)));
  }
}

/** The ticket that an event brings to a person, or null. */
function arrivalOf(event: HapEvent): string | null {
  if (event.type === "ticket.create") return event.ticket.id;
  return event.type === "ticket.escalate" || event.type === "ticket.reassign" ? event.ticket_id : null;
}

function noticeOf({ ticket }: TicketRecord, why: PushNotice["why"]): PushNotice {
  const { id, from, priority, tier } = ticket;
  return { ticket_id: id, code: shortCode(id), from, priority, tier, why };
}

function checkSubscription({ endpoint, keys }: NewPushSubscription): NewPushSubscription {
  if (!URL.canParse(endpoint)) throw wrong("endpoint", "must be the address that the browser was given by its push service");
  const point = Buffer.from(keys.p256dh, "base64url");
  if (!isPoint(point)) throw wrong("keys.p256dh", "must be a public key on the curve P-256, as the browser gives it");
  const auth = Buffer.from(keys.auth, "base64url");
  if (auth.length !== 16) throw wrong("keys.auth", "must have 16 bytes, as the browser gives it");
  return {
    endpoint: new URL(endpoint).href,
    keys: { p256dh: point.toString("base64url"), auth: auth.toString("base64url") },
  };
}

function isPoint(point: Buffer): boolean {
  if (point.length !== 65 || point[0] !== 4) return false;
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  try {
    createPublicKey({ key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

function wrong(field: string, words: string): HapError {
  return new HapError("invalid_input", `${field} ${words}.`, { field });
}
