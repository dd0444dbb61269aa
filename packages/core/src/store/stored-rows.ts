// Rows of a store as the engine sees them, and what lists of them are narrowed by.
import type { CodePurpose, OpenState, Priority, TicketState } from "@hap/protocol";
import type { TicketRecord } from "../tickets/record.ts";

/** The end of the chain. `seq` 0 means an empty log. */
export type Head = { seq: number; hash: string };

/** An event as it is stored: `payload` is the hashed text. */
export type EventRow = { seq: number; payload: string; prev_hash: string; hash: string };

/** An event as a scan gives it, with its link to the event before it of the same ticket. */
export type LinkedEvent = EventRow & { ticket_prev: number | null };

/** A text beside the log. */
export type ContentRow = { salt: Uint8Array; body: string };

/** A text with its place, as a scan gives it: digest and salt as hex. */
export type StoredContent = { ticketSeq: number; digest: string; salt: string; body: string };

/** A ticket as a scan gives it. */
export interface StoredTicket {
  readonly seq: number;
  readonly lastSeq: number;
  /** True when exactly this record is stored, in the row and in every column beside it. False says only: look closer. */
  holds(record: TicketRecord): boolean;
  record(): TicketRecord;
  /** A searched column that says something else than the record beside it, or null. */
  wrongColumn(): string | null;
}

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

/** What tickets are counted by. */
export type CountField = "priority" | "from" | "project" | "session";
/** `key` is a priority, an agent, the handle of a project, a session, or null for none. */
export type TicketCount = { key: string | null; count: number };

/** Open tickets of one state and one priority. `nextDeadline` is a moment in milliseconds. */
export type OpenCount = { state: OpenState; priority: Priority; count: number; nextDeadline: number | null };

/** Which agents: in a project (a handle), of a runtime, only those that have not left. Last seen first. */
export type AgentFilter = { project?: string; agentRuntime?: string; present?: boolean; limit: number };

/** A phrase that waits to be typed (D3). */
export type PhraseRow = {
  ticketId: string;
  person: string;
  salt: Uint8Array;
  hash: Uint8Array;
  expires: number;
  wrong: number;
};

/** A one-time code that waits to be typed (D25). */
export type CodeRow = {
  purpose: CodePurpose;
  person: string;
  salt: Uint8Array;
  hash: Uint8Array;
  expires: number;
  /** Wrong guesses since it was made. */
  wrong: number;
};

/** A person or a project of the directory; `seq` is the place of the event that named it. */
export type DirectoryRow = { handle: string; name: string; created_at: string; seq: number };

/** An account of an identity provider and the person it means; `seq` is the place of the event that linked it. */
export type SubjectRow = { issuer: string; subject: string; person: string; created_at: string; seq: number };

/** What a request made that may be sent again; `seq` is the place of its event, whose digest is salted with `salt`. */
export type RequestRow = {
  owner: string;
  key: string;
  request: string;
  ticketId: string;
  createdAt: number;
  seq: number;
  salt: Uint8Array;
};

/** A backup that was made of this store. */
export type BackupRow = { path: string; made_at: string };

/** Both clocks as they were when a ticket was delivered. */
export type AnchorRow = { ticketSeq: number; wall: number; uptime: number };
