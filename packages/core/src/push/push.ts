// Whom to call outside of any page (Web Push): which browsers a person named, and what they are told. A call says that a
// ticket waits and never what it would do; it is a convenience beside the inbox, so it is sent once and not kept.
import { createPublicKey } from "node:crypto";
import { HapError, type HapEvent, isOpen, type Priority, shortCode, showInvisible, type Tier } from "@hap/protocol";
import { enlistPerson } from "../people/people.ts";
import { reachedBy } from "../quorum/inbox.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { viewEvent, viewTicket } from "../tickets/view.ts";
import type { Context } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";

/** A browser that wants to be called, as the Push API writes it. */
export type NewPushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };
/** All that a push tells. */
export type PushNotice = {
  ticket_id: string;
  code: string;
  from: string;
  priority: Priority;
  tier: Tier;
  /** True for something to approve or reject, false for a question. */
  approval: boolean;
  /** What the agent says it is about; only for browsers whose person allowed it. */
  summary?: string;
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

/** Push messages to browsers. */
export class Push {
  readonly #engine: Context;
  /** How far the log was read in vain. Only spares reading it again; what counts is the place in the store. */
  #place = 0;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** From now on call this browser when a ticket waits for the person. */
  addPushSubscription(
    person: string,
    input: NewPushSubscription,
    serverKey: string,
    allows = { summary: false },
  ): { browsers: number } {
    const { endpoint, keys } = checkSubscription(input);
    return this.#engine.run((session) => {
      const handle = enlistPerson(session, person);
      // What came while nobody was subscribed is not announced afterwards.
      if (session.tx.pushSubscriptions().length === 0) session.tx.setConfig(PLACE, String(session.head.seq));
      const others = session.tx.pushSubscriptions(handle).filter((record) => record.endpoint !== endpoint);
      session.tx.putPushSubscription({ endpoint, person: handle, ...keys, serverKey, createdAt: session.now });
      const surplus = others.slice(0, Math.max(0, others.length + 1 - BROWSERS_MAX));
      allowSummary(session.tx, endpoint, allows.summary);
      for (const record of surplus) session.tx.dropPushSubscriptions({ endpoint: record.endpoint });
      return { browsers: others.length + 1 - surplus.length };
    });
  }

  /** Call this browser no more. Does not tell whose it was. */
  removePushSubscription(person: string, endpoint: string): void {
    this.#engine.write((rows) => {
      const handle = rows.handleOf(person);
      if (handle === undefined || !rows.pushSubscriptions(handle).some((record) => record.endpoint === endpoint)) return;
      rows.dropPushSubscriptions({ endpoint });
    });
  }

  /** In how many browsers a person is called. */
  countPushSubscriptions(person: string): number {
    const { rows } = this.#engine;
    const handle = rows.handleOf(person);
    return handle === undefined ? 0 : rows.pushSubscriptions(handle).length;
  }

  /** Forget a browser that its push service does not know any more. */
  pushSubscriptionGone(endpoint: string): void {
    if (this.#engine.violation() === null) this.#engine.write((rows) => rows.dropPushSubscriptions({ endpoint }));
  }

  /** Turn new events and leases that end soon into calls, each handed out once. `more` says that events are left to look at. */
  takePushCalls(serverKey: string): { calls: PushCall[]; more: boolean } {
    const nothing = { calls: [], more: false };
    if (this.#engine.violation() !== null) return nothing;
    const { rows } = this.#engine;
    const browsers = rows.pushSubscriptions().filter((record) => record.serverKey === serverKey);
    if (browsers.length === 0) return nothing;
    const wanted = new Set(browsers.map(({ person }) => person));
    const now = this.#engine.now();
    const seen = readArrivals(rows, Math.max(this.#place, placeIn(rows)), wanted, now);
    const ending = endingSoon(rows, now).filter((record) => reachedBy(rows, record).some((person) => wanted.has(person)));
    // The place is moved on before anything is sent: of several servers on one store, one calls.
    const taken =
      seen.arrivals.length === 0 && !seen.more && ending.length === 0
        ? []
        : this.#engine.run((session) => takeNotices(session, seen, ending));
    this.#place = seen.last;
    const summaries = new Set(summaryBrowsers(rows));
    const calls = taken.flatMap(({ record, why }) => {
      const people = new Set(reachedBy(rows, record));
      return browsers
        .filter(({ person }) => people.has(person))
        .map(({ endpoint, p256dh, auth }) => ({
          subscription: { endpoint, keys: { p256dh, auth } },
          notice: summaries.has(endpoint) ? withSummary(rows, record, noticeOf(record, why)) : noticeOf(record, why),
          ttlSeconds: secondsLeft(record, now),
        }));
    });
    return { calls, more: seen.more };
  }
}

type Arrivals = { arrivals: { seq: number; record: TicketRecord }[]; last: number; more: boolean };
type Notice = { record: TicketRecord; why: PushNotice["why"] };

function placeIn(rows: StoreReader): number {
  return Number(rows.config(PLACE) ?? 0);
}

/** Tickets that came to somebody who has a browser to call, and still wait for them. */
function readArrivals(rows: StoreReader, after: number, wanted: ReadonlySet<string>, now: number): Arrivals {
  const events = rows.eventsAfter(after, PAGE).map((row) => viewEvent(row).payload);
  const arrivals = events.flatMap((event) => {
    const id = fromIso(event.ts) < now - STALE_MS ? null : arrivalOf(event);
    const record = id === null ? undefined : rows.ticketById(id);
    if (record === undefined || !isOpen(record.state) || (event.type === "intent.sign" && !opensNextSeat(record))) return [];
    return reachedBy(rows, record).some((person) => wanted.has(person)) ? [{ seq: event.seq, record }] : [];
  });
  return { arrivals, last: events.at(-1)?.seq ?? after, more: events.length === PAGE };
}

/** Tickets that nobody has looked at and whose lease ends within a minute, unless that was announced. */
function endingSoon(rows: StoreReader, now: number): TicketRecord[] {
  return rows.due(now + LAST_MINUTE_MS, ENDING_MAX).filter(({ ticket, clock: { deadline, ttlMs } }) => {
    // A lease that is short from the start is announced by the ticket's arrival.
    return deadline !== null && deadline > now && ttlMs > 2 * LAST_MINUTE_MS && !rows.hasReminder(ticket.id, deadline);
  });
}

/** Claim what was found: each arrival and each end of a lease is announced once, whoever else looks. */
function takeNotices(session: Session, { arrivals, last }: Arrivals, ending: readonly TicketRecord[]): Notice[] {
  const before = placeIn(session.tx);
  if (last > before) session.tx.setConfig(PLACE, String(last));
  const fresh = arrivals.filter(({ seq }) => seq > before).map(({ record }) => [record.ticket.id, record] as const);
  const told = ending.filter(({ ticket, clock }) => session.tx.putReminder(ticket.id, clock.deadline as number, session.now));
  return [
    ...[...new Map(fresh).values()].map((record): Notice => ({ record, why: "new" })),
    ...told.map((record): Notice => ({ record, why: "last_minute" })),
  ];
}

function secondsLeft({ clock }: TicketRecord, now: number): number {
  const ms = clock.deadline === null ? (clock.remaining ?? 0) : clock.deadline - now;
  return Math.min(LONGEST_TTL_SECONDS, Math.max(1, Math.ceil(ms / 1000)));
}

/** A vote brings the ticket to others only where people vote in order: the next seat is asked once the one before has approved. */
function opensNextSeat({ ticket }: TicketRecord): boolean {
  return ticket.quorum?.order === "listed";
}

/** The ticket that an event brings to a person, or null. */
function arrivalOf(event: HapEvent): string | null {
  if (event.type === "ticket.create") return event.ticket.id;
  if (event.type === "intent.sign") return event.intent.decision === "approve" ? event.intent.ticket_id : null;
  return event.type === "ticket.escalate" || event.type === "ticket.reassign" ? event.ticket_id : null;
}

function noticeOf({ ticket }: TicketRecord, why: PushNotice["why"]): PushNotice {
  const { id, from, priority, tier, ask } = ticket;
  return { ticket_id: id, code: shortCode(id), from, priority, tier, approval: ask === null, why };
}

/** Browsers whose person allowed the summary in messages. */
const SUMMARIES = "push_summaries";
const SUMMARY_CHARS = 120;

function summaryBrowsers(rows: StoreReader): string[] {
  return JSON.parse(rows.config(SUMMARIES) ?? "[]") as string[];
}

/** Remember what a browser may be told; those that are gone are forgotten. */
function allowSummary(rows: StoreWriter, endpoint: string, allowed: boolean): void {
  const known = new Set(rows.pushSubscriptions().map((record) => record.endpoint));
  const kept = summaryBrowsers(rows).filter((one) => one !== endpoint && known.has(one));
  const all = allowed ? [...kept, endpoint] : kept;
  rows.setConfig(SUMMARIES, all.length === 0 ? null : JSON.stringify(all));
}

function withSummary(rows: StoreReader, record: TicketRecord, notice: PushNotice): PushNotice {
  const { summary } = viewTicket(rows, record, 0).intent;
  return { ...notice, summary: [...showInvisible(summary)].slice(0, SUMMARY_CHARS).join("") };
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
