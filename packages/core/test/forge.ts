// What an attacker who can write the database would do: change or add events, hash the chain anew, and rebuild the rows,
// so that nothing but the meaning of the log can tell.
import {
  canonicalJson,
  type EventOf,
  eventHash,
  GENESIS_HASH,
  type HapEvent,
  isUnproven,
  type Json,
  makeEventId,
  TIMER_ACTOR,
} from "@hap/protocol";
import { rebuildRows } from "../src/log/rebuild.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { sha256 } from "../src/transaction/facts.ts";
import { tamper } from "./raw-store.ts";

/** A payload of which any field can be set to anything. */
export type Payload = Record<string, unknown>;
/** What the attacker makes of a vote and of the end that follows from it. */
type Yes = { ts?: string; sign?: Payload; intent?: Payload; end?: Payload; resolution?: Payload };

/** The moment so many seconds after test stores begin. */
export const at = (seconds: number) => new Date(Date.parse("2026-01-31T10:00:00Z") + seconds * 1000).toISOString();
/** A hash of nothing in particular. */
export const someHash = (digit: string) => `sha256:${digit.repeat(64)}`;
/** A person whom nobody knows. */
export const stranger = `human:${"0".repeat(26)}`;

/** The log in the attacker's hands. */
export class Forger {
  readonly payloads: Payload[];
  readonly #hashes: Map<string, string>;

  constructor(payloads: Payload[], hashes: Map<string, string>) {
    this.payloads = payloads;
    this.#hashes = hashes;
  }

  /** Add an event as if the runtime had written it; returns its id. */
  append(event: Payload, ts = at(0)): string {
    const seq = this.payloads.length + 1;
    const id = makeEventId(seq, new Uint8Array(17).fill(seq % 256));
    this.payloads.push({ id, ts, space: "default", seq, v: 1, ...event });
    return id;
  }

  /** Add an event of a ticket. */
  event(type: string, ticket_id: string, fields: Payload, ts = at(0)): string {
    return this.append({ type, ticket_id, ...fields }, ts);
  }

  first(type: string): Payload {
    return this.payloads.find((payload) => payload.type === type) as Payload;
  }

  /** What is fixed about a ticket. */
  ticket(id: string): Payload & { artifact: Payload; lease: Payload } {
    const found = this.payloads.find((payload) => (payload.ticket as Payload | undefined)?.id === id);
    return found?.ticket as Payload & { artifact: Payload; lease: Payload };
  }

  /** The handle of the person that the tickets are for. */
  get person(): string {
    return (this.first("ticket.create").ticket as Payload).to as string;
  }

  vote(id: string, { ts = at(0), sign, intent }: Yes = {}): string {
    const { diff_hash, bytes_hash } = this.ticket(id).artifact;
    const evidence = { assurance: "local", confirmed: false, trust: "open", authority: "addressee" };
    const said = {
      ...(this.first("intent.sign").intent as Payload),
      ticket_id: id,
      ticket_hash: `sha256:${this.#hashes.get(id)}`,
      artifact_hash: diff_hash,
      bytes_hash,
      nonce: `n_${"9".repeat(32)}`,
      issued_at: ts,
      expires_at: new Date(Date.parse(ts) + 60_000).toISOString(),
      comment: null,
    };
    const vote = { ...evidence, ...sign, intent: { ...said, ...intent } } as unknown as EventOf<"intent.sign">;
    // The label that the evidence has: each forgery is found by what it forges.
    const unproven = isUnproven({
      decision: vote.intent.decision,
      assurance: vote.assurance,
      relayed: vote.authority === "relay",
    });
    return this.append({ ...vote, unproven, ...sign, type: "intent.sign" }, ts);
  }

  end(id: string, because: string, { ts = at(0), end, resolution }: Yes = {}): void {
    const evidence = { assurance: "local", confirmed: false, trust: "open" };
    const outcome = { outcome: "approved", actor: { kind: "human", id: this.person }, at: ts };
    const words = { comment: null, answer: null, edits: null };
    const full = { ...outcome, ...evidence, ...words, ...resolution };
    this.event("ticket.resolve", id, { from_state: "DELIVERED", to_state: "APPROVED", because, ...end, resolution: full }, ts);
  }

  /** A yes, vote and resolution. */
  yes(id: string, change: Yes = {}): void {
    const { assurance = "local", confirmed = false } = change.sign ?? {};
    this.end(id, this.vote(id, change), { ...change, resolution: { assurance, confirmed, ...change.resolution } });
  }

  /** An answer that an agent's client passed on. */
  relay(id: string, change: Yes = {}): void {
    const words = { answer: `json:${someHash("0")}` };
    const sign = { authority: "relay", assurance: "none", ...change.sign };
    const actor = { kind: "agent", id: "agent:local" };
    this.yes(id, {
      sign,
      intent: { decision: "answer", from: "agent:local", ...words, ...change.intent },
      end: { to_state: "ANSWERED" },
      resolution: { outcome: "answered", actor, ...words, ...change.resolution },
    });
  }

  /** The end of a lease. */
  timeout(id: string, ts: string, change: { event?: Payload; end?: Payload; resolution?: Payload } = {}): void {
    const reason = "Lease expired after 60 seconds";
    const fields = { action_taken: "auto_reject", reason, deadline_at: at(60), late: false, ...change.event };
    const because = this.event("ticket.timeout", id, fields, ts);
    const resolution = { outcome: "rejected", actor: TIMER_ACTOR, assurance: "none", ...change.resolution };
    this.end(id, because, { ts, end: { to_state: "EXPIRED", ...change.end }, resolution });
  }
}

/** Change the log of a store, make its chain whole again, and its rows what the log says. */
export function forge(path: string, work: (log: Forger) => void): void {
  const log = tamper(path, (database) => {
    const events = database.prepare("SELECT payload FROM events ORDER BY seq").all();
    const tickets = database.prepare("SELECT tickets.id, events.hash FROM tickets JOIN events USING (seq)").all();
    const hashes = new Map(tickets.map(({ id, hash }) => [id as string, hash as string]));
    return new Forger(
      events.map(({ payload }) => JSON.parse(payload as string)),
      hashes,
    );
  });
  work(log);
  rewrite(path, log.payloads);
  const store = new SqliteStore({ path });
  try {
    rebuildRows(store);
  } finally {
    store.close();
  }
}

function rewrite(path: string, payloads: readonly Payload[]): void {
  tamper(path, (database) => {
    const insert = database.prepare("INSERT INTO events (seq, payload, prev_hash, hash, ticket_prev) VALUES (?, ?, ?, ?, ?)");
    const burn = database.prepare("INSERT OR IGNORE INTO used_nonces (nonce, ticket_id, used_at) VALUES (?, ?, ?)");
    const places = new Map<string, number>();
    let prev = GENESIS_HASH;
    database.exec("BEGIN; DELETE FROM events");
    for (const [index, payload] of payloads.entries()) {
      const text = canonicalJson(payload as Json);
      const hash = eventHash(prev, text, sha256);
      const id = ticketOf(payload);
      insert.run(index + 1, text, prev, hash, id === null ? null : (places.get(id) ?? null));
      if (id !== null) places.set(id, index + 1);
      if (payload.type === "intent.sign") {
        const { nonce, ticket_id } = payload.intent as { nonce: string; ticket_id: string };
        burn.run(nonce, ticket_id, payload.ts as string);
      }
      prev = hash;
    }
    database.exec("COMMIT");
  });
}

function ticketOf(payload: Payload): string | null {
  const event = payload as unknown as HapEvent;
  if (event.type === "ticket.create") return event.ticket.id;
  if (event.type === "intent.sign") return event.intent.ticket_id;
  return typeof payload.ticket_id === "string" ? payload.ticket_id : null;
}
