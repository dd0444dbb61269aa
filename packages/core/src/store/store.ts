// The port between the engine and a database. Everything here happens inside `write` or `read`; a store decides nothing.
import type { CodePurpose, ContentRef } from "@hap/protocol";
import type { AgentRecord, MessageRecord } from "../conversations/records.ts";
import type { CredentialRecord, UsedCredential } from "../credentials/record.ts";
import type { GrantRecord, GrantUseRecord } from "../grants/records.ts";
import type { NewContent } from "../log/contents.ts";
import type { KeyRecord, SessionRecord } from "../people/records.ts";
import type { PushRecord } from "../push/records.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { DeliveryRecord, KeptWebhook } from "../webhooks/records.ts";
import type {
  AgentFilter,
  AnchorRow,
  BackupRow,
  CodeRow,
  ContentRow,
  CountField,
  DirectoryRow,
  EventRow,
  Head,
  LinkedEvent,
  OpenCount,
  PhraseRow,
  RequestRow,
  StoredContent,
  StoredTicket,
  SubjectRow,
  TicketCount,
  TicketFilter,
} from "./stored-rows.ts";

export type * from "./stored-rows.ts";

/** What a ticket is shown from: texts, names, and the marks of events. */
export interface ViewSource {
  /** The space whose log this is. */
  readonly space: string;
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
  /** Every ticket, and every text, in the order of their tickets' creation, one at a time. */
  scanTickets(): Iterable<StoredTicket>;
  scanContents(): Iterable<StoredContent>;
  ticketById(id: string): TicketRecord | undefined;
  ticketBySeq(seq: number): TicketRecord | undefined;
  listTickets(filter: TicketFilter): TicketRecord[];
  /** A person's open tickets as they are to be triaged: by priority, then oldest first. */
  listInbox(to: string, awakeAt: number, after: TicketRecord | undefined, limit: number): TicketRecord[];
  /** Open tickets that need several people (D45), by priority, then oldest first. */
  listQuorums(after: TicketRecord | undefined, limit: number): TicketRecord[];
  countTickets(): number;
  /** How many tickets are open by state and priority, and the nearest deadline among them. */
  openByPriority(): OpenCount[];
  /** How many tickets are open for each person, by handle. */
  openByPerson(): { person: string; count: number }[];
  /** How many tickets a filter has, by a field; `awakeAt` leaves out open ones that were put off beyond that moment. */
  countBy(filter: Omit<TicketFilter, "limit">, field: CountField, awakeAt?: number): TicketCount[];
  /** Ids delivered to a person that begin or end with `part`, two at most; six characters of the end need no delivery. */
  matchIds(part: string, to: string): string[];
  handleOf(name: string): string | undefined;
  nonceTicket(nonce: string): string | undefined;
  /** Those of these nonces that were not burned for the ticket that stands with each. */
  notBurned(nonces: ReadonlyMap<string, string>): string[];
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
  /** How many tickets are open, whoever opened them. */
  allOpenTickets(): number;
  /** The questions of one agent before a place, newest first. */
  conversationTickets(agent: string, beforeSeq: number, limit: number): TicketRecord[];
  messageById(id: string): MessageRecord | undefined;
  /** The newest words for an agent after a place, oldest first. */
  listMessages(agent: string, afterSeq: number, limit: number): MessageRecord[];
  /** Words that wait, oldest first. */
  queuedMessages(agent: string, limit: number): MessageRecord[];
  countQueued(agent: string): number;
  /** The tickets that processes of an agent wait for at `now`, the newest wait first. */
  listeners(agent: string, now: number): string[];
  countMessages(): number;
  /** Codes of a purpose that were neither used nor burned; expired ones too. */
  codes(purpose: CodePurpose): CodeRow[];
  phrase(ticketId: string, person: string): PhraseRow | undefined;
  credentialById(id: string): UsedCredential | undefined;
  /** Of one person, or of everybody; oldest first, revoked ones too. */
  credentialsOf(person?: string): readonly UsedCredential[];
  /** What was given out to be signed under a nonce, for something else than a decision. */
  statement(nonce: string): string | undefined;
  keyById(id: string): KeyRecord | undefined;
  /** Newest first, each with its last use. */
  listKeys(): (KeyRecord & { lastUsedAt: string | null })[];
  keyLastUsed(id: string): string | null;
  grantById(id: string): GrantRecord | undefined;
  /** Grants that no event has ended, oldest first; some may be past their time. */
  openGrants(): GrantRecord[];
  /** Every grant, newest first. */
  listGrants(): GrantRecord[];
  /** The newest uses of a grant, newest first. */
  grantUses(id: string, limit: number): GrantUseRecord[];
  /** The newest use of any grant by an agent for a call. */
  grantUseOf(by: string, callHash: string): GrantUseRecord | undefined;
  countGrantUses(): number;
  sessionByHash(hash: string): SessionRecord | undefined;
  /** The person whom an identity provider means by a subject. */
  subjectPerson(issuer: string, subject: string): string | undefined;
  subject(issuer: string, subject: string): SubjectRow | undefined;
  listSubjects(): SubjectRow[];
  /** Every person of the directory. */
  listPeople(): DirectoryRow[];
  /** People and projects. */
  listDirectory(): DirectoryRow[];
  /** Sign-ins: of one person, or all. */
  listSessions(person?: string): SessionRecord[];
  /** The agent whose key brought this one in. */
  agentOwner(agent: string): string | undefined;
  listAgentOwners(): { agent: string; owner: string }[];
  /** How many tickets of each agent are open, as it was counted. */
  listQuotas(): { agent: string; open: number }[];
  listAnchors(): AnchorRow[];
  listRequests(): RequestRow[];
  countNonces(): number;
  countContents(): number;
  /** True if the person is the maker of an event: they decided, enrolled a key, signed in and the like. */
  hasActed(handle: string): boolean;
  /** What differs between the database's layout and the one that this program makes, or null. */
  schemaProblem(): string | null;
  /** Those in use, oldest first. */
  listWebhooks(): KeptWebhook[];
  /** Removed ones too. */
  webhookById(id: string): KeptWebhook | undefined;
  countWebhooks(): number;
  delivery(id: string): DeliveryRecord | undefined;
  /** Deliveries of one webhook that are due, the one that waits longest first. */
  dueDeliveries(webhook: string, now: number, limit: number): DeliveryRecord[];
  /** Deliveries that were given up, newest first. */
  deadDeliveries(limit: number): DeliveryRecord[];
  countDeliveries(): { waiting: number; dead: number };
  /** Browsers to call: of one person, or all; oldest first. */
  pushSubscriptions(person?: string): PushRecord[];
  /** True if the end of a lease at this deadline was announced. */
  hasReminder(ticketId: string, deadline: number): boolean;
  /** What was answered to a request with this idempotency key. */
  idempotent(owner: string, key: string): { request: string; ticketId: string } | undefined;
  /** Backups made of this store, oldest first. */
  listBackups(): BackupRow[];
}

/** What a write transaction may do. */
export interface StoreWriter extends StoreReader {
  /** Run a part of the transaction; when it throws, only that part is undone. */
  attempt<T>(work: () => T): T;
  /** `ticketPrev` is the event before it of the same ticket. */
  appendEvent(row: EventRow, ticketPrev: number | null): void;
  /** `texts` are all that a new ticket has; left out, it is put again from the log, and its texts are there. */
  insertTicket(record: TicketRecord, texts?: readonly NewContent[]): void;
  updateTicket(record: TicketRecord): void;
  clearTickets(): void;
  /** One open ticket more or less; returns how many the agent then has. */
  countOpen(agent: string, change: 1 | -1): number;
  /** Count every agent's open tickets anew. */
  recountOpen(): void;
  putContent(ticketSeq: number, ref: ContentRef, salt: Uint8Array, body: string): void;
  deleteContent(ticketSeq: number, digest: string): boolean;
  putName(row: DirectoryRow): void;
  /** Forget who is behind a handle, and with a person the browsers to call. */
  deleteName(handle: string): void;
  burnNonce(nonce: string, ticketId: string, at: string): void;
  /** Count a refused decision of somebody in a minute; returns how many they had in it. */
  countRefusal(person: string, minute: number): number;
  putChallenge(nonce: string, ticketId: string, intent: string, expires: number): void;
  takeChallenge(nonce: string): { ticketId: string; intent: string; expires: number } | undefined;
  /** Forget challenges: those of one ticket, or those that expired before a moment. */
  dropChallenges(which: { ticketId: string } | { expiredBefore: number }): void;
  putAnchor(ticketSeq: number, wall: number, uptime: number): void;
  setConfig(key: string, value: string | null): void;
  putAgent(record: AgentRecord): void;
  putMessage(record: MessageRecord): void;
  /** Remember until when a process waits for a ticket; 0 forgets it. */
  putListener(row: { ticketId: string; agent: string; until: number; now: number }): void;
  clearConversations(): void;
  /** Keep a phrase in place of the last one of that ticket and person; expired ones go. */
  putPhrase(row: PhraseRow, now: number): void;
  dropPhrase(ticketId: string, person: string): void;
  /** In place of the last code of that purpose and person. */
  putCode(row: CodeRow): void;
  dropCode(purpose: CodePurpose, person: string): void;
  /** One wrong guess against every code of a purpose that is open at `now`; at `tries` it is burned. Returns the tries left. */
  countWrongCode(purpose: CodePurpose, now: number, tries: number): number;
  /** What the log makes of a credential. Its uses stay as they are, and begin with `signCount` when it is new. */
  putCredential(record: CredentialRecord & { signCount: number }): void;
  /** A signature by it was accepted. */
  useCredential(id: string, signCount: number, at: string): void;
  putStatement(nonce: string, statement: string, expires: number): void;
  dropStatement(nonce: string): void;
  /** Forget statements that expired before a moment. */
  dropStatements(expiredBefore: number): void;
  putKey(record: KeyRecord): void;
  keyUsed(id: string, at: string): void;
  clearKeys(): void;
  putGrant(record: GrantRecord): void;
  putGrantUse(use: GrantUseRecord): void;
  /** Grants and their uses, before they are put again from the log. */
  clearGrants(): void;
  putSession(record: SessionRecord): void;
  dropSession(hash: string): void;
  putSubject(row: SubjectRow): void;
  dropSubject(issuer: string, subject: string): boolean;
  /** What the log makes of a webhook. One that is known keeps its secret. */
  putWebhook(record: KeptWebhook): void;
  /** Forget a webhook's secret and everything that waits for it. */
  silenceWebhook(id: string): void;
  putDelivery(record: DeliveryRecord): void;
  dropDelivery(id: string): void;
  /** Forget deliveries that were given up and made before a moment. */
  dropDeadDeliveries(before: number): void;
  /** In place of what its address had before. */
  putPushSubscription(record: PushRecord): void;
  /** Remember that the end of a lease was announced; true if it had not been. Those of earlier deadlines are forgotten. */
  putReminder(ticketId: string, deadline: number, now: number): boolean;
  /** Forget browsers to call: one address, or all of a person. */
  dropPushSubscriptions(which: { endpoint: string } | { person: string }): void;
  putAgentOwner(agent: string, owner: string): void;
  putRequest(row: RequestRow): void;
  dropIdempotent(before: number): void;
  putBackup(row: BackupRow): void;
  dropBackup(path: string): void;
  /** Delete what waits for minutes and names a person: codes, phrases, statements to sign, and webhook messages with their name. */
  dropWaiting(person: { handle: string; name: string }): void;
}

/** Tells waiting processes of commits. */
export interface Bell {
  /** Tell other processes that something was committed. The caller tells its own listeners itself. */
  ring(): void;
  /** Call `listener` after commits, in this process or another; returns how to stop. Keeps the process alive. */
  listen(listener: () => void): () => void;
  close(): void;
}

/** An open store, and how others hear of its commits. */
export type OpenedStore = {
  store: Store;
  bell: Bell;
  /** How many commands may wait for it, without a limit if left out; beyond that, callers are told to come back. */
  mostQueued?: number;
  /** The store's own clock, in milliseconds since the epoch: where several machines write, the database's time rules. */
  now?: () => number;
  /** True if that clock was watched since a time, and ran evenly: what a timer's yes needs (D9). Without it, this machine's uptime says so. */
  steadySince?: (at: number) => boolean;
};

/** A database that holds the log of one space. */
export interface Store extends StoreReader {
  readonly path: string;
  /**
   * Run `work` in one transaction, alone among all writers; commit when it returns, undo when it throws. A store may run it
   * again from the start (`NeedsRead`): then only the writes of the last run count.
   */
  write<T>(work: (tx: StoreWriter) => T): T;
  /** Run several reads on one and the same state of the database, whoever writes meanwhile. */
  read<T>(work: () => T): T;
  /**
   * Only a store across a network has it: the same as `write` without blocking this thread. `then` gets the result right after the
   * commit, and reads that state of the store.
   */
  writeLater?<T>(work: (tx: StoreWriter) => T, then: (result: T) => void): Promise<void>;
  /** True where writes are refused and reads go on, as far as is known: an archived space, a standby. Nothing is applied by itself there. */
  readonly readOnly?: boolean;
  /**
   * Only a store across a network has these: the highest epoch of a history that the database no longer has, 0 for none (a failover to
   * a standby that lagged, a restored backup), and how to hear of it. The next transaction begins a later epoch (D57).
   */
  readonly lostEpoch?: number;
  onLost?(listener: () => void): void;
  /** Run several reads that may be of different states, and look only once at whether somebody else has written. */
  glance<T>(work: () => T): T;
  /** Run reads of which nobody is told: they may be a moment old. */
  peek<T>(work: () => T): T;
  /** The store as it is now, for reads that go on while others write. Close it soon: the write-ahead log grows meanwhile. */
  snapshot(): StoreReader & { close: () => void };
  /** What must still happen before the bytes of deleted texts are gone; left out where `scrub` is enough. */
  readonly erasurePending?: string;
  /** Make sure that deleted texts are gone from every file of the database. */
  scrub(): void;
  /** Write all of the store, as it is at one moment, into an empty file, and open that; others go on reading and writing. */
  copyTo(path: string): Store;
  close(): void;
}
