// The agent's client on the embedded engine. Writes go through `later`: one sync to disk for all of one turn.
import type { HapEngine } from "@hap/core";
import { type AgentCard, type LoggedEvent, type Message, type Ticket, ticketIdOf } from "@hap/protocol";
import type { AgentClient, AskInput } from "../agent-client.ts";
import { AskingClient } from "../asking-client.ts";
import type { JoinInput, PolicyDecision, TicketPage, TicketQuery } from "../types.ts";
import { saveFiles } from "./save-files.ts";

export class EmbeddedAgent extends AskingClient implements AgentClient {
  readonly agent: string;
  readonly #engine: HapEngine;

  constructor(engine: HapEngine, agent: string) {
    super((id, { timeoutMs, signal }) => engine.waitFor(id, { timeout: timeoutMs, signal, asker: agent }));
    this.#engine = engine;
    this.agent = agent;
  }

  async createTicket(input: AskInput): Promise<Ticket> {
    const prepared = await this.#engine.prepareTicket({ ...input, from: this.agent });
    return this.#engine.later(() => this.#engine.createTicket(prepared));
  }

  /** Others' tickets are as good as absent. */
  async getTicket(id: string): Promise<Ticket> {
    this.#engine.assertAsker(id, this.agent);
    return this.#engine.getTicket(id);
  }

  async list(query: Omit<TicketQuery, "from"> = {}): Promise<TicketPage> {
    return this.#engine.list({ ...query, from: this.agent });
  }

  async events(query: { after?: string; limit?: number } = {}): Promise<LoggedEvent[]> {
    return this.#engine.getEvents({ ...query, agent: this.agent }).map((event) => this.#withWords(event));
  }

  /** Words of the agent's own tickets; not what people note for each other, nor a message that was not taken. */
  #withWords(event: LoggedEvent): LoggedEvent {
    const { payload } = event;
    const readable = ticketIdOf(payload) !== null && (payload.type !== "ticket.note" || payload.from === this.agent);
    return readable ? { ...event, resolved: this.#engine.resolveWords(event) } : event;
  }

  renew(id: string): Promise<Ticket> {
    return this.#change(id, () => this.#engine.renew(id, this.agent));
  }

  cancel(id: string, reason?: string): Promise<Ticket> {
    return this.#change(id, () => this.#engine.cancel(id, reason, { by: this.agent }));
  }

  note(id: string, text: string): Promise<Ticket> {
    return this.#change(id, () => this.#engine.note(id, text, this.agent));
  }

  consume(id: string, callHash: string): Promise<Ticket> {
    return this.#change(id, () => this.#engine.consume(id, { by: this.agent, call_hash: callHash }));
  }

  heard(id: string): Promise<Ticket> {
    return this.#change(id, () => this.#engine.heard(id, this.agent));
  }

  relayAnswer(id: string, answer: unknown): Promise<Ticket> {
    return this.#change(id, () => this.#engine.relayAnswer(id, answer, this.agent));
  }

  /** Change a ticket of one's own. */
  async #change(id: string, work: () => Ticket): Promise<Ticket> {
    this.#engine.assertAsker(id, this.agent);
    return this.#engine.later(work);
  }

  async decideByPolicy(input: AskInput, callHash: string): Promise<PolicyDecision> {
    const prepared = await this.#engine.prepareTicket({ ...input, from: this.agent });
    return this.#engine.later(() => this.#engine.decideByPolicy(prepared, callHash));
  }

  join(input: JoinInput): Promise<AgentCard> {
    return this.#engine.later(() => this.#engine.joinAgent(input));
  }

  async recall(hints: string): Promise<AgentCard[]> {
    return this.#engine.recallAgents(hints);
  }

  async card(): Promise<AgentCard> {
    return this.#engine.getAgent(this.agent);
  }

  seen(): Promise<AgentCard> {
    return this.#engine.later(() => this.#engine.seenAgent(this.agent));
  }

  leave(reason: string): Promise<AgentCard> {
    return this.#engine.later(() => this.#engine.leaveAgent(this.agent, reason));
  }

  async cue(input: AskInput & { ask: NonNullable<AskInput["ask"]> }): Promise<Ticket> {
    const prepared = await this.#engine.prepareTicket({ ...input, from: this.agent });
    return this.#engine.later(() => this.#engine.cue(prepared));
  }

  async queued(): Promise<Message[]> {
    return this.#engine.queuedMessages(this.agent);
  }

  takeQueued(ids: readonly string[], ticketId?: string): Promise<Ticket | null> {
    return this.#engine.later(() => this.#engine.takeMessages(this.agent, ids, ticketId ?? null));
  }

  async saveAttachments(message: Message): Promise<string[]> {
    const files = message.attachments.map(({ name }, index) => ({ name, data: this.#engine.attachment(message.id, index) }));
    return saveFiles(this.#engine.path, message.id, files);
  }

  async close(): Promise<void> {
    this.#engine.dispose();
  }
}
