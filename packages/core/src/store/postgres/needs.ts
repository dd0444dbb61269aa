// Which rows each method of the store needs in a node's copy. A read of rows that are not there throws `NeedRows`: the command is
// undone, the rows are fetched, and it runs again (D39, D42).
import { isOpen, TICKET_STATES } from "@hap/protocol";
import { NeedsRead } from "../needs-read.ts";
import type { StoreReader, StoreWriter, TicketFilter } from "../store.ts";
import type { LocalCopy } from "./local-copy.ts";

/** What hap.fetch is asked for. */
export type Needs = {
  ids?: string[];
  seqs?: number[];
  contents?: number[];
  events?: number[];
  chains?: number[];
  after?: [seq: number, limit: number][];
  nonces?: string[];
  agents?: string[];
  messages?: string[];
  requests?: [owner: string, key: string][];
  anchors?: number[];
  lists?: (Record<string, unknown> & { name: string; limit: number })[];
};

/** The rows that a command needs before it can go on. */
export class NeedRows extends NeedsRead {
  readonly needs: Needs;

  constructor(needs: Needs) {
    super(Object.keys(needs).join(", "));
    this.needs = needs;
  }

  override joined(others: readonly NeedsRead[]): NeedsRead {
    const all = [this, ...others].filter((one): one is NeedRows => one instanceof NeedRows);
    return new NeedRows(joinNeeds(all.map(({ needs }) => needs)));
  }
}

/** Fetch so many more than were asked for, so that a command which changes some need not ask again. */
const MORE = 32;
/** Lists longer than this are read for their records, not for their texts. */
const WITH_TEXTS = 500;
/** More tickets than a filter can find. */
const EVERY = 1_000_000_000;

/** Looks whether rows are in a copy. */
export class Guard {
  readonly copy: LocalCopy;
  /** Tickets that the running transaction has written: a list may need as many more. */
  written = 0;
  /** Tables that the running transaction has emptied: what it reads of them is all there is. */
  readonly cleared = new Set<string>();

  constructor(copy: LocalCopy) {
    this.copy = copy;
  }

  begin(): void {
    this.written = 0;
    this.cleared.clear();
  }

  ticket(id: unknown): void {
    if (typeof id !== "string" || this.cleared.has("tickets")) return;
    if (this.copy.rows.ticketById(id) === undefined) this.#known(`ticket ${id}`, { ids: [id] });
  }

  ticketAt(seq: number): void {
    if (this.cleared.has("tickets") || seq > this.copy.headSeq) return;
    if (this.copy.rows.ticketBySeq(seq) === undefined) this.#known(`ticket at ${seq}`, { seqs: [seq] });
  }

  /** Texts of tickets; one that was created in this transaction has all of them here. */
  contents(...seqs: number[]): void {
    const missing = seqs.filter((seq) => seq <= this.copy.headSeq && !this.copy.texts.has(seq));
    if (missing.length > 0) throw new NeedRows({ contents: missing });
  }

  event(seq: number): void {
    if (seq <= this.copy.headSeq && this.copy.rows.eventAt(seq) === undefined) this.#known(`event ${seq}`, { events: [seq] });
  }

  eventsAfter(seq: number, limit: number): void {
    const last = Math.min(seq + limit, this.copy.headSeq);
    if (this.copy.rows.eventsAfter(seq, limit).filter((row) => row.seq <= last).length < last - Math.max(0, seq))
      this.#known(`events ${seq} ${limit}`, { after: [[seq, limit]] });
  }

  chain(lastSeq: number): void {
    const missing = this.copy.missingInChain(lastSeq);
    if (missing !== null && missing <= this.copy.headSeq) this.#known(`chain ${missing}`, { chains: [missing] });
  }

  nonces(nonces: readonly string[]): void {
    const missing = nonces.filter(
      (nonce) => this.copy.rows.nonceTicket(nonce) === undefined && !this.copy.absent.has(`nonce ${nonce}`),
    );
    if (missing.length > 0) throw new NeedRows({ nonces: missing });
  }

  messagesOf(agent: string): void {
    if (!this.copy.agents.has(agent) && !this.cleared.has("messages")) throw new NeedRows({ agents: [agent] });
  }

  message(id: string, agent?: string): void {
    if (this.cleared.has("messages") || (agent !== undefined && this.copy.agents.has(agent))) return;
    if (this.copy.rows.messageById(id) === undefined) this.#known(`message ${id}`, { messages: [id] });
  }

  request(owner: string, key: string): void {
    if (this.copy.rows.idempotent(owner, key) === undefined) this.#known(`request ${owner} ${key}`, { requests: [[owner, key]] });
  }

  /** Anchors of open tickets are here; so is one that this transaction has put. */
  anchor(seq: number): void {
    const { rows } = this.copy;
    if (rows.anchor(seq) !== undefined || seq > this.copy.headSeq) return;
    const ticket = rows.ticketBySeq(seq);
    if (ticket === undefined || !isOpen(ticket.state)) this.#known(`anchor ${seq}`, { anchors: [seq] });
  }

  /** A list of tickets by a filter: with the rows that this transaction has changed in it, it needs as many more. */
  list(filter: Record<string, unknown>, limit: number): void {
    if (this.cleared.has("tickets")) return;
    const name = JSON.stringify(filter);
    const known = this.copy.lists.get(name);
    if (known !== undefined && known >= limit + this.written) return;
    throw new NeedRows({ lists: [{ ...filter, name, limit: limit + this.written + MORE }] });
  }

  #known(key: string, needs: Needs): void {
    if (!this.copy.absent.has(key)) throw new NeedRows(needs);
  }
}

/** After rows for these needs were fetched: what is not here now does not exist. */
export function fetched(copy: LocalCopy, needs: Needs): void {
  for (const id of needs.ids ?? []) {
    const seq = copy.rows.ticketById(id)?.seq;
    if (seq === undefined) copy.absent.add(`ticket ${id}`);
    else copy.texts.add(seq);
  }
  for (const seq of [...(needs.seqs ?? []), ...(needs.contents ?? [])]) copy.texts.add(seq);
  for (const seq of needs.seqs ?? []) copy.absent.add(`ticket at ${seq}`);
  for (const seq of needs.events ?? []) copy.absent.add(`event ${seq}`);
  for (const [seq, limit] of needs.after ?? []) copy.absent.add(`events ${seq} ${limit}`);
  for (const seq of needs.chains ?? []) copy.absent.add(`chain ${seq}`);
  for (const nonce of needs.nonces ?? []) copy.absent.add(`nonce ${nonce}`);
  for (const agent of needs.agents ?? []) copy.agents.add(agent);
  for (const id of needs.messages ?? []) copy.absent.add(`message ${id}`);
  for (const [owner, key] of needs.requests ?? []) copy.absent.add(`request ${owner} ${key}`);
  for (const seq of needs.anchors ?? []) copy.absent.add(`anchor ${seq}`);
  for (const { name, limit } of needs.lists ?? []) copy.lists.set(name, limit);
}

/** The needs of several commands as one. */
function joinNeeds(all: readonly Needs[]): Needs {
  const joined: Record<string, unknown[]> = {};
  for (const needs of all)
    for (const [name, list] of Object.entries(needs)) joined[name] = [...(joined[name] ?? []), ...(list as unknown[])];
  return joined as Needs;
}

/** The filter of a list, if ended tickets can be in it; open ones are always here. */
function endedFilter({ limit: _, ...filter }: TicketFilter): Record<string, unknown> | null {
  const ended = (filter.states ?? TICKET_STATES).filter((state) => !isOpen(state));
  if (ended.length === 0) return null;
  const all = TICKET_STATES.filter((state) => !isOpen(state)).length;
  const { states: _states, ...rest } = filter;
  return { ...rest, ended: true, ...(ended.length === all ? {} : { states: ended }) };
}

type MethodsOf<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T];
type Args<T, K extends keyof T> = T[K] extends (...args: infer A) => unknown ? A : never;
/** `whole`: the rows are always here. `scan`: answered by the database, a page at a time. `own`: the store does it itself. */
type Check<T, K extends keyof T> = "whole" | "scan" | "own" | ((guard: Guard, ...args: Args<T, K>) => void);

/** For each read, what must be in the copy. */
export const READS: { [K in MethodsOf<StoreReader>]: Check<StoreReader, K> } = {
  contents: (guard, seq) => guard.contents(seq),
  nameOf: "whole",
  hashAt: (guard, seq) => guard.event(seq),
  head: "whole",
  eventAt: (guard, seq) => guard.event(seq),
  eventsAfter: (guard, seq, limit) => guard.eventsAfter(seq, limit),
  ticketEvents: (guard, lastSeq) => guard.chain(lastSeq),
  scanEvents: "scan",
  scanTickets: "scan",
  scanContents: "scan",
  ticketById: (guard, id) => guard.ticket(id),
  ticketBySeq: (guard, seq) => guard.ticketAt(seq),
  listTickets: (guard, filter) => {
    const ended = endedFilter(filter);
    if (ended !== null) guard.list(ended, filter.limit);
    if (filter.limit <= WITH_TEXTS) guard.contents(...guard.copy.rows.listTickets(filter).map(({ seq }) => seq));
  },
  listInbox: (guard, to, awakeAt, after, limit) => {
    if (limit <= WITH_TEXTS) guard.contents(...guard.copy.rows.listInbox(to, awakeAt, after, limit).map(({ seq }) => seq));
  },
  listQuorums: (guard, after, limit) => {
    if (limit <= WITH_TEXTS) guard.contents(...guard.copy.rows.listQuorums(after, limit).map(({ seq }) => seq));
  },
  countTickets: "scan",
  openByPriority: "whole",
  openByPerson: "whole",
  countBy: (guard, filter) => {
    const ended = endedFilter({ ...filter, limit: 0 });
    if (ended !== null) guard.list(ended, EVERY);
  },
  matchIds: (guard, part, to) => {
    const bare = part.startsWith("tk_") ? part.slice(3) : part;
    guard.list({ to, part: bare, first: `tk_${bare}`, last: `tk_${bare}\uffff` }, 4);
  },
  handleOf: "whole",
  nonceTicket: (guard, nonce) => guard.nonces([nonce]),
  notBurned: (guard, nonces) => guard.nonces([...nonces.keys()]),
  config: "whole",
  anyDue: "whole",
  due: "whole",
  nextDue: "whole",
  anchor: (guard, seq) => guard.anchor(seq),
  agentByName: "whole",
  listAgents: "whole",
  countAgents: "whole",
  openTickets: "whole",
  allOpenTickets: "whole",
  conversationTickets: (guard, agent, beforeSeq, limit) => {
    guard.list({ from: agent, conversation: true, beforeSeq }, limit);
    if (limit <= WITH_TEXTS)
      guard.contents(...guard.copy.rows.conversationTickets(agent, beforeSeq, limit).map(({ seq }) => seq));
  },
  messageById: (guard, id) => guard.message(id),
  listMessages: (guard, agent) => guard.messagesOf(agent),
  queuedMessages: (guard, agent) => guard.messagesOf(agent),
  countQueued: (guard, agent) => guard.messagesOf(agent),
  listeners: "whole",
  countMessages: "scan",
  codes: "whole",
  phrase: "whole",
  credentialById: "whole",
  credentialsOf: "whole",
  statement: "whole",
  keyById: "whole",
  listKeys: "whole",
  keyLastUsed: "whole",
  sessionByHash: "whole",
  subjectPerson: "whole",
  subject: "whole",
  listSubjects: "whole",
  listPeople: "whole",
  listDirectory: "whole",
  listSessions: "whole",
  agentOwner: "whole",
  listAgentOwners: "whole",
  listQuotas: "whole",
  listAnchors: "scan",
  listRequests: "scan",
  countNonces: "scan",
  countContents: "scan",
  hasActed: "scan",
  schemaProblem: "own",
  listWebhooks: "whole",
  webhookById: "whole",
  countWebhooks: "whole",
  delivery: "whole",
  dueDeliveries: "whole",
  deadDeliveries: "whole",
  countDeliveries: "whole",
  pushSubscriptions: "whole",
  hasReminder: "whole",
  idempotent: (guard, owner, key) => guard.request(owner, key),
  listBackups: "whole",
  grantById: "whole",
  openGrants: "whole",
  listGrants: "whole",
  grantUses: "whole",
  grantUseOf: "whole",
  countGrantUses: "whole",
};

type Writes = Exclude<MethodsOf<StoreWriter>, MethodsOf<StoreReader>>;

/** For each write, what must be in the copy: rows that it changes or deletes. A new row that exists already is refused by a key. */
export const WRITES: { [K in Writes]: Check<StoreWriter, K> } = {
  attempt: "whole",
  appendEvent: "whole",
  insertTicket: (guard) => {
    guard.written++;
  },
  updateTicket: (guard, record) => {
    guard.ticketAt(record.seq);
    guard.written++;
  },
  clearTickets: "own",
  countOpen: "whole",
  recountOpen: "whole",
  putContent: "whole",
  deleteContent: (guard, seq) => guard.contents(seq),
  putName: "whole",
  deleteName: "whole",
  burnNonce: "whole",
  countRefusal: "whole",
  putChallenge: "whole",
  takeChallenge: "whole",
  dropChallenges: "whole",
  putAnchor: "whole",
  setConfig: "whole",
  putAgent: "whole",
  putMessage: (guard, record) => guard.message(record.id, record.agent),
  putListener: "whole",
  clearConversations: "own",
  putPhrase: "whole",
  dropPhrase: "whole",
  putCode: "whole",
  dropCode: "whole",
  countWrongCode: "whole",
  putCredential: "whole",
  useCredential: "whole",
  putStatement: "whole",
  dropStatement: "whole",
  dropStatements: "whole",
  putKey: "whole",
  keyUsed: "whole",
  clearKeys: "own",
  putSession: "whole",
  dropSession: "whole",
  putSubject: "whole",
  dropSubject: "whole",
  putWebhook: "whole",
  silenceWebhook: "whole",
  putDelivery: "whole",
  dropDelivery: "whole",
  dropDeadDeliveries: "whole",
  putPushSubscription: "whole",
  putReminder: "whole",
  dropPushSubscriptions: "whole",
  putAgentOwner: "whole",
  putRequest: "whole",
  dropIdempotent: "own",
  putBackup: "whole",
  dropBackup: "whole",
  dropWaiting: "whole",
  putGrant: "whole",
  putGrantUse: "whole",
  clearGrants: "whole",
};
