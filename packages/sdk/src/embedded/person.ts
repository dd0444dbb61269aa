// The person's client on the embedded engine.
import type { HapEngine } from "@hap/core";
import type { AgentCard, Conversation, Json, LoggedEvent, Message, Statement, Ticket, TrustClass } from "@hap/protocol";
import { type Outcome, readOutcome } from "../outcome.ts";
import type { DecideOptions, PersonClient } from "../person-client.ts";
import type {
  AgentQuery,
  EraseResult,
  NewMessage,
  PolicyCheck,
  Sent,
  TicketPage,
  TicketQuery,
  VerifyReport,
  WaitOptions,
} from "../types.ts";

export class EmbeddedPerson implements PersonClient {
  readonly person: string;
  readonly trust: TrustClass;
  readonly place: string;
  readonly #engine: HapEngine;

  constructor(engine: HapEngine, person: string) {
    this.#engine = engine;
    this.person = person;
    this.trust = engine.trust;
    this.place = engine.path;
  }

  async inbox(query: { cursor?: string; limit?: number } = {}): Promise<TicketPage> {
    return this.#shown(this.#engine.inbox(this.person, query));
  }

  async list(query: TicketQuery = {}): Promise<TicketPage> {
    return this.#shown(this.#engine.list(query));
  }

  /** Deliver what this page shows of one's own; the page then says so. */
  async #shown(page: TicketPage): Promise<TicketPage> {
    const ids = page.tickets
      .filter((ticket) => ticket.state === "PENDING" && ticket.to === this.person)
      .map((ticket) => ticket.id);
    if (ids.length === 0) return page;
    await this.#engine.later(() => this.#engine.deliverShown(ids, this.person));
    return {
      ...page,
      tickets: page.tickets.map((ticket) => (ids.includes(ticket.id) ? this.#engine.getTicket(ticket.id) : ticket)),
    };
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
    await this.#engine.later(() => this.#engine.deliverShown([id], this.person));
    return this.#engine.getTicket(id);
  }

  async history(id: string): Promise<Json[]> {
    return this.#engine.history(id);
  }

  ack(id: string, note?: string, options: { lapseSeconds?: number } = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.ack(id, note, { ...options, by: this.person }));
  }

  approve(id: string, comment?: string, options: DecideOptions = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.approve(id, comment, { ...options, by: this.person }));
  }

  reject(id: string, comment?: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.reject(id, comment, { by: this.person }));
  }

  requestChanges(id: string, comment?: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.requestChanges(id, comment, { by: this.person }));
  }

  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string } = {}): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.answer(id, answer, { ...options, by: this.person }));
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

  async submitIntent(intent: Record<string, unknown>, options: { confirmed?: boolean } = {}): Promise<Ticket> {
    return this.#engine.submitIntent({ ...intent, from: this.person }, options);
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
    this.#engine.answer(question.id, text, { by: this.person });
    return { agent, ticket_id: question.id, how: "answered" };
  }

  async attachment(messageId: string, index: number): Promise<Uint8Array> {
    return this.#engine.attachment(messageId, index);
  }

  async eraseConversation(what: { message: string } | { agent: string }, reason?: string): Promise<EraseResult["erased"]> {
    return this.#engine.eraseConversation(what, this.person, reason);
  }

  async close(): Promise<void> {
    this.#engine.dispose();
  }
}
