// The port between the engine and a database. Everything here happens inside `write` or `read`; a store decides nothing.
import type { ContentRef, TicketState } from "@hap/protocol";
import type { AgentRecord, MessageRecord } from "../conversation/records.ts";
import type { TicketRecord } from "../record.ts";

/** The end of the chain. `seq` 0 means an empty log. */
export type Head = { seq: number; hash: string };

/** An event as it is stored: `payload` is the hashed text. */
export type EventRow = { seq: number; payload: string; prev_hash: string; hash: string };

/** An event as a scan gives it, with its link to the event before it of the same ticket. */
export type LinkedEvent = EventRow & { ticket_prev: number | null };

/** A text beside the log. */
export type ContentRow = { salt: Uint8Array; body: string };

/** A text with its place, as a scan gives it. */
export type StoredContent = ContentRow & { ticketSeq: number; digest: Uint8Array };

/** What a list may be narrowed by. Ages are moments in milliseconds. */
export type TicketFilter = {
  states?: readonly TicketState[];
  to?: string;
  from?: string;
  kind?: string;
  project?: string;
  session?: string;
  tier?: string;
  createdAfter?: string;
  createdBefore?: string;
  /** Older than this ticket. */
  beforeSeq?: number;
  limit: number;
};

/** Which agents: in a project (a handle), of a runtime, only those that have not left. Last seen first. */
export type AgentFilter = { project?: string; agentRuntime?: string; present?: boolean; limit: number };

/** What a ticket is shown from: texts, names, and the marks of events. */
export interface ViewSource {
  /** Every text of a ticket that was not erased, by its digest (`sha256:hex`). */
  contents(ticketSeq: number): ReadonlyMap<string, ContentRow>;
  nameOf(handle: string): string | undefined;
  /** The hash of an event that exists. */
  hashAt(seq: number): string;
}

/** The reads that need no lock. */
export interface StoreReader extends ViewSource {
  head(): Head;
  eventAt(seq: number): EventRow | undefined;
  eventsAfter(seq: number, limit: number): EventRow[];
  /** The events of one ticket after `afterSeq`, oldest first: from its last one back along its own chain. */
  ticketEvents(lastSeq: number, afterSeq: number): EventRow[];
  /** The whole log from `seq` on, one row at a time. */
  scanEvents(afterSeq: number): Iterable<LinkedEvent>;
  /**
   * Every ticket, and every text, in the order of their tickets' creation, one at a time. `wrong` names a searched
   * column that says something else than the record.
   */
  scanTickets(): Iterable<{ record: TicketRecord; wrong: string | null }>;
  scanContents(): Iterable<StoredContent>;
  ticketById(id: string): TicketRecord | undefined;
  ticketBySeq(seq: number): TicketRecord | undefined;
  listTickets(filter: TicketFilter): TicketRecord[];
  /** A person's open tickets as they are to be triaged: by priority, then oldest first. */
  listInbox(to: string, awakeAt: number, after: TicketRecord | undefined, limit: number): TicketRecord[];
  countTickets(): number;
  /** Ids delivered to a person that begin or end with `part`, two at most. */
  matchIds(part: string, to: string): string[];
  handleOf(name: string): string | undefined;
  nonceTicket(nonce: string): string | undefined;
  config(key: string): string | undefined;
  /** True when something is due, found without reading it. */
  anyDue(now: number): boolean;
  /** Tickets whose lease or temporary ack has ended, earliest first. */
  due(now: number, limit: number): TicketRecord[];
  nextDue(): number | null;
  /** Both clocks as they were when the ticket was delivered. */
  anchor(ticketSeq: number): { wall: number; uptime: number } | undefined;
  agentByName(agent: string): AgentRecord | undefined;
  listAgents(filter: AgentFilter): AgentRecord[];
  countAgents(): number;
  /** How many tickets of an agent are open. */
  openTickets(agent: string): number;
  /** The questions of one agent before a place, newest first. */
  conversationTickets(agent: string, beforeSeq: number, limit: number): TicketRecord[];
  messageById(id: string): MessageRecord | undefined;
  /** The newest words for an agent after a place, oldest first. */
  listMessages(agent: string, afterSeq: number, limit: number): MessageRecord[];
  /** Words that wait, oldest first. */
  queuedMessages(agent: string, limit: number): MessageRecord[];
  countQueued(agent: string): number;
  countMessages(): number;
}

/** What a write transaction may do. */
export interface StoreWriter extends StoreReader {
  /** Run a part of the transaction; when it throws, only that part is undone. */
  attempt<T>(work: () => T): T;
  /** `ticketPrev` is the event before it of the same ticket. */
  appendEvent(row: EventRow, ticketPrev: number | null): void;
  insertTicket(record: TicketRecord): void;
  updateTicket(record: TicketRecord): void;
  clearTickets(): void;
  /** One open ticket more or less; returns how many the agent then has. */
  countOpen(agent: string, change: 1 | -1): number;
  /** Count every agent's open tickets anew. */
  recountOpen(): void;
  putContent(ticketSeq: number, ref: ContentRef, salt: Uint8Array, body: string): void;
  deleteContent(ticketSeq: number, digest: string): boolean;
  putName(handle: string, name: string, at: string): void;
  deleteName(handle: string): void;
  burnNonce(nonce: string, ticketId: string, at: string): void;
  putChallenge(nonce: string, ticketId: string, intent: string, expires: number): void;
  takeChallenge(nonce: string): { ticketId: string; intent: string; expires: number } | undefined;
  /** Forget challenges: those of one ticket, or those that expired before a moment. */
  dropChallenges(which: { ticketId: string } | { expiredBefore: number }): void;
  putAnchor(ticketSeq: number, wall: number, uptime: number): void;
  setConfig(key: string, value: string | null): void;
  putAgent(record: AgentRecord): void;
  putMessage(record: MessageRecord): void;
  clearConversations(): void;
}

/** A database that holds one log. */
export interface Store extends StoreReader {
  readonly path: string;
  /** Run `work` in one transaction, alone among all writers; commit when it returns, undo when it throws. */
  write<T>(work: (tx: StoreWriter) => T): T;
  /** Run several reads on one and the same state of the database, whoever writes meanwhile. */
  read<T>(work: () => T): T;
  /** Make sure that deleted texts are gone from every file of the database. */
  scrub(): void;
  close(): void;
}
