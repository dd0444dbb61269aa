// The person's client on the embedded engine.
import type { HapEngine } from "@hap/core";
import type {
  AgentCard,
  AssuranceLevel,
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
import { type Outcome, readOutcome } from "../outcome.ts";
import type { DecideOptions, IntentOptions, PersonClient } from "../person-client.ts";
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
} from "../types.ts";
import { withDelivered } from "../with-delivered.ts";

export class EmbeddedPerson implements PersonClient {
  readonly person: string;
  readonly trust: TrustClass;
  readonly place: string;
  readonly #engine: HapEngine;
  readonly #assurance: AssuranceLevel;

  /** `assurance` says how well the caller knows that it is this person (D3). */
  constructor(engine: HapEngine, person: string, assurance: AssuranceLevel = "local") {
    this.#engine = engine;
    this.#assurance = assurance;
    this.person = person;
    this.trust = engine.trust;
    this.place = engine.path;
  }

  #who(): { by: string; assurance: AssuranceLevel } {
    return { by: this.person, assurance: this.#assurance };
  }

  async inbox(query: { cursor?: string; limit?: number } = {}): Promise<TicketPage> {
    return this.#shown(this.#engine.inbox(this.person, query));
  }

  async list(query: TicketQuery = {}): Promise<TicketPage> {
    return this.#shown(this.#engine.list(query));
  }

  /** Deliver what this page shows of one's own; the page then says so. */
  async #shown(page: TicketPage): Promise<TicketPage> {
    return withDelivered(page, this.person, (ids) => this.deliver(ids));
  }

  async deliver(ids: readonly string[]): Promise<Ticket[]> {
    await this.#engine.later(() => this.#engine.deliverShown(ids, this.person));
    return ids.map((id) => this.#engine.getTicket(id));
  }

  async waiting(): Promise<{ person: string; tickets: number }[]> {
    return this.#engine.waiting();
  }

  async resolveId(text: string): Promise<{ id: string; exact: boolean }> {
    return this.#engine.resolveId(text, this.person);
  }

  async getTicket(id: string): Promise<Ticket> {
    return this.#engine.getTicket(id);
  }

  async show(id: string): Promise<Ticket> {
    const ticket = this.#engine.getTicket(id);
    if (ticket.state !== "PENDING" || ticket.to !== this.person) return ticket;
    const { tickets } = await this.#shown({ tickets: [ticket], next: null });
    return tickets[0] ?? ticket;
  }

  async history(id: string): Promise<Json[]> {
    return this.#engine.history(id);
  }

  ack(id: string, note?: string, options: { lapseSeconds?: number } = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.ack(id, note, { ...options, by: this.person }));
  }

  approve(id: string, comment?: string, options: DecideOptions = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.approve(id, comment, { ...options, ...this.#who() }));
  }

  reject(id: string, comment?: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.reject(id, comment, this.#who()));
  }

  requestChanges(id: string, comment?: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.requestChanges(id, comment, this.#who()));
  }

  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string } = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.answer(id, answer, { ...options, ...this.#who() }));
  }

  cancel(id: string, reason?: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.cancel(id, reason, { by: this.person }));
  }

  extend(id: string, seconds: number): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.extend(id, seconds, { by: this.person }));
  }

  snooze(id: string, seconds: number): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.snooze(id, seconds, { by: this.person }));
  }

  reassign(id: string, to: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.reassign(id, to, { by: this.person }));
  }

  note(id: string, text: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.note(id, text, this.person));
  }

  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    return readOutcome(await this.#engine.waitFor(id, { timeout: options.timeoutMs, signal: options.signal }));
  }

  async events(query: { after?: string; limit?: number; ticket?: string } = {}): Promise<LoggedEvent[]> {
    return this.#engine.getEvents(query);
  }

  async resolvedEvents(query: { after?: string; limit?: number; ticket?: string } = {}): Promise<Json[]> {
    return this.#engine.getResolvedEvents(query);
  }

  follow(options: { after?: string; signal?: AbortSignal } = {}): AsyncIterable<LoggedEvent[]> {
    return this.#engine.follow(options);
  }

  async verify(options: { chainOnly?: boolean } = {}): Promise<VerifyReport> {
    return this.#engine.verifyEventLog(options);
  }

  async violation(): Promise<string | null> {
    return this.#engine.violation();
  }

  async erase(request: { ticket: string; fields?: string[]; reason?: string }): Promise<EraseResult> {
    return this.#engine.erase({ ...request, by: this.person });
  }

  async checkPolicy(input: Record<string, unknown>): Promise<PolicyCheck> {
    await this.#engine.foresee(input);
    return this.#engine.checkPolicy(input);
  }

  async policy(): Promise<{ path: string; hash: string; trusted: boolean; text: string }> {
    return this.#engine.userPolicyStatus();
  }

  /** Confirms the file that the person saw: when it changed since, nothing is confirmed. */
  async trustPolicy(options: { confirmed: boolean; hash: string }): Promise<{ path: string; hash: string }> {
    return this.#engine.trustPolicy({ ...options, by: this.person });
  }

  async issueChallenge(
    id: string,
    input: {
      decision: "approve" | "reject" | "request_changes" | "answer";
      comment?: string;
      answer?: unknown;
      edits?: Record<string, unknown>;
    },
  ): Promise<{ statement: Statement; ticket: Ticket }> {
    return this.#engine.issueChallenge(id, { ...input, by: this.person });
  }

  async issuePhrase(id: string, decision: PhraseDecision = "approve"): Promise<{ phrase: string; expires_at: string }> {
    return this.#engine.issuePhrase(id, { decision, by: this.person });
  }

  submitIntent(intent: Record<string, unknown>, options: IntentOptions = {}): Promise<Ticket> {
    const { on = String(intent.ticket_id), ...how } = options;
    const sent = { ticketId: on, person: this.person };
    return this.#engine.later(() => this.#engine.submitIntent(intent, { ...how, assurance: this.#assurance, sent }));
  }

  async agents(query: AgentQuery = {}): Promise<AgentCard[]> {
    return this.#engine.listAgents(query);
  }

  async conversation(agent: string, options: { limit?: number } = {}): Promise<Conversation> {
    const { tickets, ...rest } = this.#engine.conversation(agent, options.limit);
    return { ...rest, tickets: (await this.#shown({ tickets, next: null })).tickets };
  }

  queue(agent: string, message: NewMessage): Promise<Message> {
    return this.#engine.later(() => this.#engine.queueMessage(agent, message, this.person));
  }

  broadcast(agents: readonly string[], text: string): Promise<Sent[]> {
    return Promise.all(agents.map((agent) => this.#engine.later(() => this.#send(agent, text))));
  }

  /** Answer the oldest question of an agent that waits for this person and that words answer; else queue them. */
  #send(agent: string, text: string): Sent {
    const waiting = this.#engine.listPending({ from: agent, to: this.person });
    const question = waiting.findLast(({ ask, tier }) => ask.type === "text" && tier !== "critical");
    if (question === undefined) {
      this.#engine.queueMessage(agent, { text }, this.person);
      return { agent, ticket_id: null, how: "queued" };
    }
    this.#engine.answer(question.id, text, this.#who());
    return { agent, ticket_id: question.id, how: "answered" };
  }

  async attachment(messageId: string, index: number): Promise<Uint8Array> {
    return this.#engine.attachment(messageId, index);
  }

  async eraseConversation(what: { message: string } | { agent: string }, reason?: string): Promise<EraseResult["erased"]> {
    return this.#engine.eraseConversation(what, this.person, reason);
  }

  async needed(id: string): Promise<Needed> {
    return this.#engine.neededFor(id, this.person);
  }

  async credentials(): Promise<Credential[]> {
    return this.#engine.credentials({ person: this.person });
  }

  async beginEnrolment(input: NewEnrolment): Promise<Signable<EnrolStatement> & { needs: "code" | "assertion" }> {
    return this.#engine.beginEnrolment({ ...input, person: this.person });
  }

  async enrolmentChallenge(nonce: string, credential: NewCredential): Promise<Signable<EnrolStatement>> {
    return this.#engine.enrolmentChallenge(nonce, credential);
  }

  async enrolCredential(input: EnrolInput): Promise<Credential> {
    return this.#engine.enrolCredential({ ...input, person: this.person });
  }

  async issueCode(purpose: CodePurpose): Promise<{ code: string; expires_at: string }> {
    return this.#engine.issueCode({ purpose, person: this.person });
  }

  async beginRevocation(id: string): Promise<Signable<RevokeStatement>> {
    return this.#engine.beginRevocation({ id, person: this.person });
  }

  async revokeCredential(id: string, signed?: { nonce: string; assertion: Signature }): Promise<Credential> {
    return this.#engine.revokeCredential({ id, by: this.person, ...signed });
  }

  async eraseCredential(id: string, reason?: string): Promise<EraseResult["erased"]> {
    return this.#engine.eraseCredential(id, this.person, reason);
  }

  async createKey({ agent, scopes, expires_in_seconds }: NewKey): Promise<KeyView & { key: string }> {
    return this.#engine.createKey({ agent, scopes, expiresInSeconds: expires_in_seconds }, this.person);
  }

  async listKeys(): Promise<KeyView[]> {
    return this.#engine.listKeys();
  }

  async rotateKey(id: string): Promise<KeyView & { key: string }> {
    return this.#engine.rotateKey(id, this.person);
  }

  async revokeKey(id: string): Promise<KeyView> {
    return this.#engine.revokeKey(id, this.person);
  }

  async createWebhook(input: NewWebhook): Promise<WebhookView & { secret: string }> {
    return this.#engine.createWebhook(input, this.person);
  }

  async listWebhooks(): Promise<WebhookView[]> {
    return this.#engine.listWebhooks();
  }

  async removeWebhook(id: string): Promise<WebhookView> {
    return this.#engine.removeWebhook(id, this.person);
  }

  async eraseWebhook(id: string, reason?: string): Promise<EraseResult["erased"]> {
    return this.#engine.eraseWebhook(id, this.person, reason);
  }

  async testWebhook(id: string): Promise<{ delivery_id: string }> {
    return this.#engine.testWebhook(id, this.person);
  }

  async deadLetters(): Promise<DeadLetter[]> {
    return this.#engine.deadDeliveries();
  }

  async redeliver(id: string): Promise<DeadLetter> {
    return this.#engine.redeliver(id, this.person);
  }

  async people(): Promise<PersonView[]> {
    return this.#engine.people();
  }

  async linkSubject(person: string, issuer: string, subject: string): Promise<void> {
    this.#engine.linkSubject(person, issuer, subject, this.person);
  }

  async unlinkSubject(person: string, issuer: string, subject: string): Promise<void> {
    this.#engine.unlinkSubject(person, issuer, subject, this.person);
  }

  async close(): Promise<void> {
    this.#engine.dispose();
  }
}
