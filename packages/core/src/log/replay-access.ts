// Sign-ins, kept requests, clock anchors and counts of open tickets, replayed from the log and held against their rows (D35).
import type { EventOf } from "@hap/protocol";
import { type SessionRecord, sessionExpiry } from "../people/records.ts";
import { REMEMBER_MS, requestDigest } from "../people/requests.ts";
import type { StoreReader } from "../store/store.ts";
import { fromIso } from "../tickets/record.ts";
import { Mismatch, must } from "./illegal.ts";

type AccessType = "session.begin" | "session.end" | "request.keep" | "clock.anchor";
/** An event about a sign-in, a kept request or the clocks at a delivery. */
export type AccessEvent = { [T in AccessType]: EventOf<T> }[AccessType];

export class AccessReplay {
  readonly #store: StoreReader;
  readonly #sessions = new Map<string, EventOf<"session.begin">>();
  /** Digests of requests by place; older ones leave as time goes on. */
  readonly #requests = new Map<number, { digest: string; at: number }>();
  readonly #anchors = new Map<string, { wall: number; uptime: number; seq: number }>();
  /** When a request was last kept: that is when those that are past their time are forgotten. */
  #lastKept = 0;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  take(event: AccessEvent): void {
    switch (event.type) {
      case "session.begin":
        must(!this.#sessions.has(event.session_hash), "a second sign-in of the same secret");
        this.#sessions.set(event.session_hash, event);
        return;
      case "session.end":
        must(this.#sessions.get(event.session_hash)?.person === event.person, "it ends a sign-in that was not there");
        this.#sessions.delete(event.session_hash);
        return;
      case "request.keep":
        this.#lastKept = Math.max(this.#lastKept, fromIso(event.ts));
        this.#requests.set(event.seq, { digest: event.digest, at: fromIso(event.kept_at) });
        this.#forgetRequests();
        return;
      case "clock.anchor":
        this.#anchors.set(event.ticket, { wall: fromIso(event.wall_at), uptime: event.uptime_ms, seq: event.seq });
    }
  }

  /** A deleted person is signed out everywhere. */
  erase({ person }: EventOf<"person.erased">): void {
    for (const [hash, session] of this.#sessions) if (session.person === person) this.#sessions.delete(hash);
  }

  #forgetRequests(): void {
    for (const [seq, { at }] of this.#requests) {
      if (at >= this.#lastKept - 2 * REMEMBER_MS) return;
      this.#requests.delete(seq);
    }
  }

  /** `open` is how many tickets of each agent the log leaves open. */
  finish(open: ReadonlyMap<string, number>): void {
    this.#compareSessions();
    this.#compareRequests();
    this.#compareAnchors();
    this.#compareQuotas(open);
  }

  #compareSessions(): void {
    const stored = this.#store.listSessions();
    for (const row of stored) {
      const began = this.#sessions.get(row.hash);
      if (began === undefined) throw new Mismatch(1, `a sign-in of ${row.person} is stored that the log does not know`);
      if (!beganAs(began, row)) throw new Mismatch(began.seq, "the stored sign-in is not the one that began here");
    }
    const kept = new Set(stored.map(({ hash }) => hash));
    for (const [hash, { seq }] of this.#sessions)
      if (!kept.has(hash)) throw new Mismatch(seq, "the sign-in that began here is missing, and no event ended it");
  }

  #compareRequests(): void {
    const kept = new Set<number>();
    for (const row of this.#store.listRequests()) {
      const said = this.#requests.get(row.seq)?.digest ?? this.#digestAt(row.seq);
      if (said !== requestDigest(row))
        throw new Mismatch(Math.max(1, row.seq), "the kept request is not the one that the log names");
      kept.add(row.seq);
    }
    for (const [seq, { at }] of this.#requests)
      if (at >= this.#lastKept - REMEMBER_MS && !kept.has(seq))
        throw new Mismatch(seq, "the request that was kept here is missing");
  }

  /** A row may outlive its time when nothing was created since. */
  #digestAt(seq: number): string | undefined {
    const payload = this.#store.eventAt(seq)?.payload;
    return payload === undefined ? undefined : (JSON.parse(payload) as { digest?: string }).digest;
  }

  #compareAnchors(): void {
    const stored = this.#store.listAnchors();
    for (const { ticketSeq, wall, uptime } of stored) {
      const id = this.#store.ticketBySeq(ticketSeq)?.ticket.id ?? "";
      const said = this.#anchors.get(id);
      if (said?.wall !== wall || said.uptime !== uptime)
        throw new Mismatch(
          said?.seq ?? Math.max(1, ticketSeq),
          `the stored clocks of ${id === "" ? "a ticket" : id} are not those of its delivery`,
        );
      this.#anchors.delete(id);
    }
    for (const [id, { seq }] of this.#anchors) throw new Mismatch(seq, `the stored clocks of ${id} are missing`);
  }

  #compareQuotas(open: ReadonlyMap<string, number>): void {
    const counted = new Map(this.#store.listQuotas().map((row) => [row.agent, row.open]));
    for (const agent of new Set([...counted.keys(), ...open.keys()])) {
      const [stored, real] = [counted.get(agent) ?? 0, open.get(agent) ?? 0];
      if (stored !== real)
        throw new Mismatch(1, `${stored} open tickets of ${agent} are counted, but the log leaves ${real} open`);
    }
  }
}

/** Use moves a sign-in's end, by a fixed rule; everything else is as it began. */
function beganAs(began: EventOf<"session.begin">, row: SessionRecord): boolean {
  const { person, kind, how } = began;
  return (
    row.person === person &&
    row.kind === kind &&
    row.how === how &&
    row.createdAt === fromIso(began.began_at) &&
    row.lastUsedAt >= row.createdAt &&
    row.expiresAt === sessionExpiry(row)
  );
}
