// What a person's face can do (D2): read, deliver what it shows, decide, and look after policy and log.
import type {
  AgentCard,
  CodePurpose,
  Conversation,
  Credential,
  EnrolStatement,
  Json,
  LoggedEvent,
  Message,
  NewCredential,
  PhraseDecision,
  RevokeStatement,
  Signature,
  Statement,
  Ticket,
  TrustClass,
} from "@hap/protocol";
import type { Outcome } from "./outcome.ts";
import type {
  AgentQuery,
  DeadLetter,
  EnrolInput,
  EraseResult,
  KeyView,
  Needed,
  NewEnrolment,
  NewKey,
  NewMessage,
  NewWebhook,
  PersonView,
  PolicyCheck,
  Sent,
  Signable,
  TicketPage,
  TicketQuery,
  VerifyReport,
  WaitOptions,
  WebhookView,
} from "./types.ts";

/** How a decision is made: confirmed by what the person typed, or with edits. */
export type DecideOptions = { phrase?: string; edits?: Record<string, unknown> };

/** How a signed form is handed in; `on` is the ticket that it is sent to, its own unless said. */
export type IntentOptions = { phrase?: string; on?: string };

/** The person's end of the telephone. */
export interface PersonClient {
  /** The person's id, `human:name`. */
  readonly person: string;
  /** Who could have written this store (D1). */
  readonly trust: TrustClass;
  /** Where the store is, for people to read. */
  readonly place: string;
  /** One's open tickets by priority and age. A page that is returned is shown: its tickets are delivered (D8). */
  inbox(query?: { cursor?: string; limit?: number }): Promise<TicketPage>;
  /** Tickets in any state, newest first. One's own pending ones on the page are delivered. */
  list(query?: TicketQuery): Promise<TicketPage>;
  /** How many tickets wait for whom, as far as one may know. */
  waiting(): Promise<{ person: string; tickets: number }[]>;
  /** From an id, a prefix, a suffix or a short code to the id (D12). */
  resolveId(text: string): Promise<{ id: string; exact: boolean }>;
  /** Read without delivering. */
  getTicket(id: string): Promise<Ticket>;
  /** Read and, when one is the addressee, deliver. */
  show(id: string): Promise<Ticket>;
  /** The events of one ticket, with names and words. */
  /** These tickets are on the person's screen: their own ones that are PENDING become DELIVERED (D8). */
  deliver(ids: readonly string[]): Promise<Ticket[]>;
  history(id: string): Promise<Json[]>;
  ack(id: string, note?: string, options?: { lapseSeconds?: number }): Promise<Ticket>;
  approve(id: string, comment?: string, options?: DecideOptions): Promise<Ticket>;
  reject(id: string, comment?: string): Promise<Ticket>;
  requestChanges(id: string, comment?: string): Promise<Ticket>;
  answer(id: string, answer: unknown, options?: DecideOptions & { comment?: string }): Promise<Ticket>;
  cancel(id: string, reason?: string): Promise<Ticket>;
  extend(id: string, seconds: number): Promise<Ticket>;
  snooze(id: string, seconds: number): Promise<Ticket>;
  reassign(id: string, to: string): Promise<Ticket>;
  note(id: string, text: string): Promise<Ticket>;
  wait(id: string, options?: WaitOptions): Promise<Outcome>;
  /** The log as anyone can verify it. */
  events(query?: { after?: string; limit?: number; ticket?: string }): Promise<LoggedEvent[]>;
  /** The log in the draft's shape. */
  resolvedEvents(query?: { after?: string; limit?: number; ticket?: string }): Promise<Json[]>;
  /** Events as they are appended, a batch at a time. */
  follow(options?: { after?: string; signal?: AbortSignal }): AsyncIterable<LoggedEvent[]>;
  verify(options?: { chainOnly?: boolean }): Promise<VerifyReport>;
  /** What made the store read-only, or null. */
  violation(): Promise<string | null>;
  erase(request: { ticket: string; fields?: string[]; reason?: string }): Promise<EraseResult>;
  /** How the policy would answer a ticket; writes nothing. */
  checkPolicy(input: Record<string, unknown>): Promise<PolicyCheck>;
  /** The user's policy as it is now, and whether it is confirmed. */
  policy(): Promise<{ path: string; hash: string; trusted: boolean; text: string }>;
  trustPolicy(options: { confirmed: boolean; hash: string }): Promise<{ path: string; hash: string }>;
  /** What to sign for a decision (D23). */
  issueChallenge(
    id: string,
    input: {
      decision: "approve" | "reject" | "request_changes" | "answer";
      comment?: string;
      answer?: unknown;
      edits?: Record<string, unknown>;
    },
  ): Promise<{ statement: Statement; ticket: Ticket }>;
  /** The phrase that confirms a yes to a critical ticket (D3): show it to the person alone, and send what they type. */
  issuePhrase(id: string, decision?: PhraseDecision): Promise<{ phrase: string; expires_at: string }>;
  /** Decide by a signed form (21.2); it is refused unless it is whole, about this ticket and from this person. */
  submitIntent(intent: Record<string, unknown>, options?: IntentOptions): Promise<Ticket>;
  /** Agents that joined, last seen first. */
  agents(query?: AgentQuery): Promise<AgentCard[]>;
  /** The newest questions of an agent and the words around them. What is shown of one's own is delivered (D8). */
  conversation(agent: string, options?: { limit?: number }): Promise<Conversation>;
  /** Leave words, or files, for an agent's next question. */
  queue(agent: string, message: NewMessage): Promise<Message>;
  /** The same words to several agents: an answer where one's answer is awaited and words fit, else queued. */
  broadcast(agents: readonly string[], text: string): Promise<Sent[]>;
  /** The bytes of a file that came with a message. */
  attachment(messageId: string, index: number): Promise<Uint8Array>;
  /** Delete for good the words and files of a message, or what an agent said of itself. */
  eraseConversation(what: { message: string } | { agent: string }, reason?: string): Promise<EraseResult["erased"]>;
  /** What a yes to a ticket needs from this person: the least level by signature, or null, and whether to type the phrase. */
  needed(id: string): Promise<Needed>;
  /** One's keys, oldest first, revoked ones too. */
  credentials(): Promise<Credential[]>;
  /** The challenge to make a key with, and what must vouch for it (D25). */
  beginEnrolment(input: NewEnrolment): Promise<Signable<EnrolStatement> & { needs: "code" | "assertion" }>;
  /** What an older key signs to vouch for a new one. */
  enrolmentChallenge(nonce: string, credential: NewCredential): Promise<Signable<EnrolStatement>>;
  /** Add a key: a first one by a typed code, a later one by an assertion of an older one. */
  enrolCredential(input: EnrolInput): Promise<Credential>;
  /** A code for this person to type. Only where the store itself is at hand; it belongs on a terminal and nowhere else. */
  issueCode(purpose: CodePurpose): Promise<{ code: string; expires_at: string }>;
  /** What to sign to revoke a key; a revocation need not be signed. */
  beginRevocation(id: string): Promise<Signable<RevokeStatement>>;
  /** Take a key out of use for good. */
  revokeCredential(id: string, signed?: { nonce: string; assertion: Signature }): Promise<Credential>;
  /** Delete the label of a key for good; the key stays. */
  eraseCredential(id: string, reason?: string): Promise<EraseResult["erased"]>;
  /** An API key for an agent, for owners; its secret is in the answer and nowhere else. */
  createKey(input: NewKey): Promise<KeyView & { key: string }>;
  listKeys(): Promise<KeyView[]>;
  /** A new secret with the same rights; the old one ends at once. */
  rotateKey(id: string): Promise<KeyView & { key: string }>;
  revokeKey(id: string): Promise<KeyView>;
  /** From now on tell this address what happens, for owners; the secret is in the answer and nowhere else. */
  createWebhook(input: NewWebhook): Promise<WebhookView & { secret: string }>;
  listWebhooks(): Promise<WebhookView[]>;
  /** Tell it nothing more; what waits for it is dropped. */
  removeWebhook(id: string): Promise<WebhookView>;
  /** Delete the address of a webhook that was removed, for good. */
  eraseWebhook(id: string, reason?: string): Promise<EraseResult["erased"]>;
  /** Queue a message that says nothing; a server sends it. */
  testWebhook(id: string): Promise<{ delivery_id: string }>;
  /** Messages that were given up, newest first. */
  deadLetters(): Promise<DeadLetter[]>;
  /** Try such a message again, with all its tries anew. */
  redeliver(id: string): Promise<DeadLetter>;
  /** Everybody in the directory. */
  people(): Promise<PersonView[]>;
  /** Say which account of an identity provider means a person, or no longer does. */
  linkSubject(person: string, issuer: string, subject: string): Promise<void>;
  unlinkSubject(person: string, issuer: string, subject: string): Promise<void>;
  close(): Promise<void>;
}
