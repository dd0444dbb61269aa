// What the log makes of its tickets, event by event, held against what is stored: each event legal, each digest that of its text,
// each row equal to its replay. A finished ticket leaves the memory once it was compared with its row.
import {
  type ContentRef,
  EVENT_TYPES,
  type EventOf,
  type EventType,
  findRefsInText,
  type HapEvent,
  isOpen,
  prefixedHash,
  refDigest,
  TRUST_CLASSES,
  ticketIdOf,
} from "@hap/protocol";
import type { Demand } from "../credentials/demand.ts";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import { versionsProblem } from "../policies/policy-versions.ts";
import type { LinkedEvent, StoreReader } from "../store/store.ts";
import { fold, foldCreate, type TicketEvent } from "../tickets/fold.ts";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { sha256 } from "../transaction/facts.ts";
import { Illegal, Mismatch, must } from "./illegal.ts";
import { assertLegal, assertLegalCreation, type Replayed } from "./legal.ts";
import { AccessReplay } from "./replay-access.ts";
import { ConversationReplay } from "./replay-conversation.ts";
import { CredentialReplay } from "./replay-credentials.ts";
import { DirectoryReplay } from "./replay-directory.ts";
import { GrantReplay } from "./replay-grants.ts";
import { KeyReplay } from "./replay-keys.ts";
import { WebhookReplay } from "./replay-webhooks.ts";
import { StoredSide } from "./stored-side.ts";
import { upcast } from "./upcast.ts";

/** The types that rows are imported as. */
const IMPORTED: ReadonlySet<string> = new Set<EventType>([
  "directory.add",
  "account.link",
  "agent.own",
  "role.set",
  "session.begin",
  "request.keep",
  "clock.anchor",
]);

/** A label that no schema knows was not written by a runtime of ours. */
function assertKnownTrust(event: HapEvent): void {
  if (!("trust" in event) || TRUST_CLASSES.includes(event.trust)) return;
  throw new Illegal(`its trust class ${JSON.stringify(event.trust)} is unknown`);
}

/** Replays events into tickets and compares each with its row as soon as its last event has come. */
export class Replay {
  readonly #store: StoreReader;
  readonly #records = new Map<string, TicketRecord>();
  readonly #stored: StoredSide;
  /** Digests whose text is gone, with the place of their event, until an erasure accounts for them. */
  readonly #missing = new Map<string, number>();
  readonly #types = new Set<string>(EVENT_TYPES);
  readonly #conversations: ConversationReplay;
  #labelled = false;
  readonly #credentials: CredentialReplay;
  readonly #keys: KeyReplay;
  readonly #webhooks: WebhookReplay;
  readonly #directory: DirectoryReplay;
  readonly #access: AccessReplay;
  readonly #grants: GrantReplay;
  readonly #standing: Replayed["standing"];
  /** The newest time that an event before has. */
  #latest = 0;
  #importedAt: number | null = null;
  /** How many events of the import are still to come. */
  #toImport = 0;
  #created = 0;
  /** Every policy that was confirmed, by the place of its event. */
  readonly #confirmed = new Map<number, string>();
  #trusted: { hash: string | undefined; seq: number } = { hash: undefined, seq: 1 };
  #runtime: string | undefined;
  #epoch = 0;
  #previous: HapEvent | null = null;

  constructor(store: StoreReader, verifySignature: SignatureVerifier) {
    this.#store = store;
    this.#credentials = new CredentialReplay(store, verifySignature);
    this.#conversations = new ConversationReplay(store);
    this.#keys = new KeyReplay(store);
    this.#webhooks = new WebhookReplay(store);
    this.#directory = new DirectoryReplay(store);
    this.#access = new AccessReplay(store);
    this.#grants = new GrantReplay(store, this.#credentials, this.#directory);
    this.#stored = new StoredSide(store);
    this.#standing = {
      peopleIn: (entry) => this.#directory.peopleIn(entry),
      isKeyInUse: (credential) => this.#credentials.isInUse(credential),
    };
  }

  /** End the scans that go along. */
  close(): void {
    this.#stored.close();
  }

  /** Judge one event and apply it. */
  take(row: LinkedEvent): void {
    const event = upcast(JSON.parse(row.payload)) as HapEvent;
    if (event.seq !== row.seq) throw new Illegal("its place says something else than its payload");
    if (event.space !== this.#store.space) throw new Illegal(`it belongs to the space ${JSON.stringify(event.space)}`);
    if (!this.#types.has(event.type)) throw new Illegal(`its type ${(event as { type: string }).type} is unknown`);
    assertKnownTrust(event);
    if (row.seq === 1 && event.type !== "log.genesis") throw new Illegal("the log does not begin with log.genesis");
    this.#countImported(event);
    const place = this.#apply(event, row);
    this.#directory.use(row.payload, event);
    // A resolution holds the references of its vote, which were looked at just before.
    const refs = event.type === "ticket.resolve" ? [] : findRefsInText(row.payload);
    if (refs.length > 0 && place === row.seq) this.#stored.read(place);
    for (const ref of refs) this.#checkContent(ref, place, event.seq);
    // What lies under an event that is no ticket is not needed again.
    if (event.type !== "ticket.create" && place === row.seq) this.#stored.forget(place);
    this.#retireIfLast(event);
    this.#previous = event;
    this.#latest = Math.max(this.#latest, fromIso(event.ts));
  }

  /** Apply an event; returns where its contents lie. */
  #apply(event: HapEvent, row: LinkedEvent): number {
    switch (event.type) {
      case "log.genesis":
        if (row.seq !== 1) throw new Illegal("a second log.genesis");
        this.#runtime = event.runtime;
        this.#epoch = event.epoch;
        return row.seq;
      case "log.epoch":
        if (event.previous_head !== row.prev_hash || event.epoch !== this.#epoch + 1)
          throw new Illegal("an epoch that does not follow its log");
        this.#epoch = event.epoch;
        return row.seq;
      case "policy.trust":
        this.#trusted = { hash: event.file_hash, seq: row.seq };
        this.#confirmed.set(row.seq, event.file_hash);
        return row.seq;
      case "content.erased":
        for (const digest of event.digests)
          must(this.#missing.delete(digest), `it erases ${digest}, which is still stored or which no event refers to`);
        return row.seq;
      case "person.erased":
        this.#directory.erase(event);
        this.#access.erase(event);
        this.#credentials.erase(event);
        this.#grants.erase(event);
        return row.seq;
      case "policy.decision":
        return row.seq;
      case "log.imported":
        this.#import(event);
        return row.seq;
      case "directory.add":
      case "account.link":
      case "account.unlink":
      case "agent.own":
      case "role.set":
      case "group.set":
        this.#stored.read(row.seq, true);
        this.#directory.take(event, (ref) => this.#stored.text(ref, row.seq), this.#trusted.hash);
        return row.seq;
      case "session.begin":
      case "session.end":
      case "request.keep":
      case "clock.anchor":
        this.#access.take(event);
        return row.seq;
      case "agent.join":
      case "agent.seen":
      case "agent.leave":
      case "agent.label":
      case "message.queue":
      case "message.arrange":
      case "message.take":
        this.#conversations.take(event);
        return row.seq;
      case "credential.enrol":
      case "credential.revoke":
        this.#credentials.take(event, { runtime: this.#runtime, epoch: this.#epoch });
        return row.seq;
      case "grant.create":
      case "grant.use":
      case "grant.end":
        this.#stored.read(row.seq, true);
        this.#grants.take(event, {
          text: (ref) => this.#stored.text(ref, row.seq),
          place: { runtime: this.#runtime, epoch: this.#epoch },
          latest: this.#latest,
        });
        return row.seq;
      case "key.create":
      case "key.revoke":
        this.#keys.take(event);
        return row.seq;
      case "webhook.create":
      case "webhook.remove":
        this.#webhooks.take(event);
        return row.seq;
      case "ticket.create":
        if (this.#records.has(event.ticket.id)) throw new Illegal(`a second ticket ${event.ticket.id}`);
        assertLegalCreation(event);
        this.#created++;
        this.#records.set(event.ticket.id, foldCreate(event, row.hash));
        this.#stored.read(row.seq);
        return row.seq;
      case "intent.invalid":
        return event.ticket_id === null ? row.seq : this.#applyToTicket(event, row);
      default:
        return this.#applyToTicket(event, row);
    }
  }

  /** Rows from before the log named people follow right after. */
  #import(event: EventOf<"log.imported">): void {
    if (this.#importedAt !== null) throw new Illegal("a second log.imported");
    this.#directory.imported();
    this.#importedAt = event.seq;
    this.#toImport = event.events;
  }

  #countImported(event: HapEvent): void {
    if (this.#toImport === 0) return;
    if (!IMPORTED.has(event.type)) throw new Illegal("rows that were to be imported are missing before it");
    this.#toImport--;
  }

  /** The place before which names are unproven, or null when the log proves all of them. */
  get importedAt(): number | null {
    return this.#importedAt;
  }

  #applyToTicket(event: TicketEvent, row: LinkedEvent): number {
    const id = ticketIdOf(event) as string;
    const record = this.#records.get(id);
    if (record === undefined) throw new Illegal(`it concerns ${id}, which is not there or was not changed any more`);
    if (row.ticket_prev !== record.lastSeq) throw new Illegal(`its link does not lead to the event before it of ${id}`);
    const demand = event.type === "intent.sign" ? this.#demandOn(record, event) : null;
    assertLegal(record, event, { previous: this.#previous, demand, standing: this.#standing });
    if (event.type === "intent.sign") this.#checkVote(event, id);
    this.#records.set(id, fold(record, event));
    return record.seq;
  }

  /** Votes of before the label were judged by passkeys alone; once one is labelled, every later one is. */
  #demandOn(record: TicketRecord, vote: EventOf<"intent.sign">): Demand {
    const labelled = vote.unproven !== undefined;
    if (!labelled && this.#labelled) throw new Illegal("it lacks the label that votes before it have");
    this.#labelled ||= labelled;
    return this.#credentials.demandOn(record, vote.intent.from, vote.trust, labelled ? "any key" : "passkeys");
  }

  /** A ticket that ended may still be noted, used and heard: it leaves the memory with the last event that its row names. */
  #retireIfLast(event: HapEvent): void {
    const id = ticketIdOf(event);
    const record = id === null ? undefined : this.#records.get(id);
    if (record === undefined || isOpen(record.state) || this.#stored.goesOn(record)) return;
    this.#stored.compare(record);
    this.#records.delete(record.ticket.id);
    this.#stored.forget(record.seq);
  }

  #checkVote(event: EventOf<"intent.sign">, ticketId: string): void {
    const { intent, authority } = event;
    this.#stored.useNonce(intent.nonce, ticketId, event.seq);
    if (intent.runtime !== this.#runtime || intent.epoch !== this.#epoch)
      throw new Illegal("it was made for another runtime or epoch");
    if (authority === "owner" || authority === "approver") {
      if (this.#trusted.hash === undefined) throw new Illegal(`no confirmed policy makes anybody ${authority}`);
      this.#directory.useRole(intent.from, authority, event.seq);
    }
    this.#credentials.checkVote(event);
  }

  #checkContent(ref: ContentRef, place: number, seq: number): void {
    if (!this.#stored.holds(ref, place)) this.#missing.set(refDigest(ref), seq);
  }

  /** The log has ended: everything stored must be accounted for. */
  finish(): void {
    this.#stored.checkNonces();
    for (const record of this.#records.values()) this.#stored.compare(record);
    this.#conversations.finish();
    this.#credentials.finish();
    this.#keys.finish();
    this.#grants.finish();
    this.#webhooks.finish();
    const stored = this.#store.countTickets();
    if (stored !== this.#created) throw new Mismatch(1, `${stored} tickets are stored, but the log creates ${this.#created}`);
    for (const [digest, seq] of this.#missing) throw new Mismatch(seq, `the text ${digest} is gone, and no erasure says so`);
    if (this.#store.config("trusted_policy") !== this.#trusted.hash)
      throw new Mismatch(this.#trusted.seq, "the confirmed policy is not the one that the log names");
    if (
      this.#trusted.hash !== undefined &&
      prefixedHash(this.#store.config("trusted_policy_text") ?? "", sha256) !== this.#trusted.hash
    )
      throw new Mismatch(this.#trusted.seq, "the text of the confirmed policy is not the one that was confirmed");
    if (this.#runtime === undefined && this.#store.config("runtime") !== undefined)
      throw new Mismatch(1, "the log is empty, but the store had one");
    if (this.#store.config("runtime") !== this.#runtime || Number(this.#store.config("epoch") ?? 0) !== this.#epoch)
      throw new Mismatch(1, "the store's runtime or epoch is not the one that the log names");
    const problem = versionsProblem(this.#store, this.#confirmed);
    if (problem !== null) throw new Mismatch(this.#trusted.seq, problem);
    if (this.#toImport > 0) throw new Mismatch(this.#importedAt as number, "rows that were to be imported are missing");
    this.#stored.checkCounts();
    this.#directory.finish();
    this.#access.finish(this.#openByAgent());
  }

  #openByAgent(): Map<string, number> {
    const open = new Map<string, number>();
    for (const { state, ticket } of this.#records.values())
      if (isOpen(state)) open.set(ticket.from, (open.get(ticket.from) ?? 0) + 1);
    return open;
  }
}
