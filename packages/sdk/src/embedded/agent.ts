// The agent's client on the embedded engine. Writes go through `later`: one sync to disk for all of one turn.
import type { HapEngine } from "@hap/core";
import { HapError, isOpen, type LoggedEvent, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput } from "../agent-client.ts";
import { type Outcome, readOutcome } from "../outcome.ts";
import type { TicketPage, TicketQuery, Verdict, WaitOptions } from "../types.ts";

export class EmbeddedAgent implements AgentClient {
  readonly agent: string;
  readonly #engine: HapEngine;

  constructor(engine: HapEngine, agent: string) {
    this.#engine = engine;
    this.agent = agent;
  }

  createTicket(input: AskInput): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.createTicket({ ...input, from: this.agent }));
  }

  async requestApproval(input: AskInput, options: WaitOptions = {}): Promise<Outcome> {
    const ticket = await this.createTicket(input);
    return this.wait(ticket.id, options);
  }

  ask(input: AskInput & { ask: NonNullable<AskInput["ask"]> }, options: WaitOptions = {}): Promise<Outcome> {
    return this.requestApproval(input, { renew: true, ...options });
  }

  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    const ticket = await this.getTicket(id);
    const stopRenewing = options.renew === true && isOpen(ticket.state) ? this.#keepAlive(ticket) : () => {};
    try {
      return readOutcome(await this.#engine.waitFor(id, { timeout: options.timeoutMs, signal: options.signal }));
    } finally {
      stopRenewing();
    }
  }

  /** Renew at half of the lease while waiting; a refusal (it ended, or was renewed elsewhere) is the wait's business. */
  #keepAlive(ticket: Ticket): () => void {
    const half = (ticket.lease.ttl_seconds * 1000) / 2;
    const timer = setInterval(() => {
      this.renew(ticket.id).catch((error: unknown) => {
        if (!(error instanceof HapError)) throw error;
      });
    }, half);
    return () => clearInterval(timer);
  }

  /** Others' tickets are as good as absent. */
  async getTicket(id: string): Promise<Ticket> {
    const ticket = this.#engine.getTicket(id);
    if (ticket.from === this.agent) return ticket;
    throw new HapError("ticket_not_found", `There is no ticket ${id} of ${this.agent}.`, { ticket_id: id });
  }

  async list(query: Omit<TicketQuery, "from"> = {}): Promise<TicketPage> {
    return this.#engine.list({ ...query, from: this.agent });
  }

  async events(query: { after?: string; limit?: number } = {}): Promise<LoggedEvent[]> {
    return this.#engine.getEvents({ ...query, agent: this.agent });
  }

  renew(id: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.renew(id, this.agent));
  }

  async cancel(id: string, reason?: string): Promise<Ticket> {
    await this.getTicket(id);
    return this.#engine.later(() => this.#engine.cancel(id, reason, { by: this.agent }));
  }

  async note(id: string, text: string): Promise<Ticket> {
    await this.getTicket(id);
    return this.#engine.later(() => this.#engine.note(id, text, this.agent));
  }

  consume(id: string, callHash: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.consume(id, { by: this.agent, call_hash: callHash }));
  }

  heard(id: string): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.heard(id, this.agent));
  }

  relayAnswer(id: string, answer: unknown): Promise<Ticket> {
    return this.#engine.later(() => this.#engine.relayAnswer(id, answer, this.agent));
  }

  decideByPolicy(input: AskInput, callHash: string): Promise<Verdict> {
    return this.#engine.later(() => this.#engine.decideByPolicy({ ...input, from: this.agent }, callHash));
  }

  async close(): Promise<void> {
    this.#engine.dispose();
  }
}
