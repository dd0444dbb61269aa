// The agent's client on a server.
import { type AgentCard, ID_BYTES, type LoggedEvent, type Message, makeId, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput } from "../agent-client.ts";
import { AskingClient } from "../asking-client.ts";
import type { JoinInput, PolicyDecision, TicketPage, TicketQuery } from "../types.ts";
import { ticketQueryString } from "./query.ts";
import { Backoff, callJson, mayRetry, type Transport } from "./transport.ts";
import { waitRemotely } from "./waiting.ts";

/** How often a ticket is sent again when the line breaks: the server knows it by its id, which we make (D12). */
const CREATE_TRIES = 3;

/** Puts files where the agent can read them. */
export type SaveFiles = (messageId: string, files: { name: string; data: Uint8Array }[]) => string[];

export class RemoteAgent extends AskingClient implements AgentClient {
  readonly agent: string;
  readonly #transport: Transport;
  readonly #saveFiles: SaveFiles;

  constructor(transport: Transport, agent: string, saveFiles: SaveFiles) {
    super((id, options) => waitRemotely(transport, id, options));
    this.#transport = transport;
    this.agent = agent;
    this.#saveFiles = saveFiles;
  }

  async createTicket(input: AskInput): Promise<Ticket> {
    const id = input.id ?? makeId("tk_", crypto.getRandomValues(new Uint8Array(ID_BYTES)));
    const backoff = new Backoff();
    for (let tried = 1; ; tried++) {
      try {
        return await this.#post<Ticket>("/v1/tickets", { ...input, id, from: this.agent });
      } catch (error) {
        if (tried === CREATE_TRIES || !mayRetry(error)) throw error;
        await backoff.pause();
      }
    }
  }

  getTicket(id: string): Promise<Ticket> {
    return this.#get(`/v1/tickets/${encodeURIComponent(id)}`);
  }

  list(query: Omit<TicketQuery, "from"> = {}): Promise<TicketPage> {
    return this.#get(`/v1/tickets${ticketQueryString({ ...query, from: this.agent })}`);
  }

  async events(query: { after?: string; limit?: number } = {}): Promise<LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    const limit = query.limit ?? 1000;
    for (let after = query.after; found.length < limit; ) {
      const { events, next } = await this.#get<{ events: LoggedEvent[]; next: string | null }>(
        `/v1/events${ticketQueryString({ agent: this.agent, ...(after === undefined ? {} : { after }), limit: Math.min(1000, limit - found.length) })}`,
      );
      found.push(...events);
      if (next === null || next === after) break;
      after = next;
    }
    return found;
  }

  renew(id: string): Promise<Ticket> {
    return this.#change(id, "renew");
  }

  cancel(id: string, reason?: string): Promise<Ticket> {
    return this.#change(id, "cancel", reason === undefined ? {} : { reason });
  }

  note(id: string, text: string): Promise<Ticket> {
    return this.#change(id, "notes", { text });
  }

  consume(id: string, callHash: string): Promise<Ticket> {
    return this.#change(id, "consume", { call_hash: callHash });
  }

  heard(id: string): Promise<Ticket> {
    return this.#change(id, "heard");
  }

  relayAnswer(id: string, answer: unknown): Promise<Ticket> {
    return this.#change(id, "relay", { answer });
  }

  decideByPolicy(input: AskInput, callHash: string): Promise<PolicyDecision> {
    return this.#post("/v1/policy/decide", { input, call_hash: callHash });
  }

  join(input: JoinInput): Promise<AgentCard> {
    return this.#post("/v1/agents", input);
  }

  async recall(hints: string): Promise<AgentCard[]> {
    return (await this.#get<{ agents: AgentCard[] }>(`/v1/agents?hints=${encodeURIComponent(hints)}`)).agents;
  }

  card(): Promise<AgentCard> {
    return this.#get(`/v1/agents/${encodeURIComponent(this.agent)}`);
  }

  seen(): Promise<AgentCard> {
    return this.#post("/v1/seen");
  }

  leave(reason: string): Promise<AgentCard> {
    return this.#post("/v1/leave", { reason });
  }

  cue(input: AskInput & { ask: NonNullable<AskInput["ask"]> }): Promise<Ticket> {
    return this.#post("/v1/cues", { ...input, from: this.agent });
  }

  listen(id: string, listening: boolean): Promise<Ticket> {
    return this.#change(id, "listen", { listening });
  }

  async unheard(): Promise<Ticket[]> {
    return (await this.#get<{ tickets: Ticket[] }>("/v1/unheard")).tickets;
  }

  async queued(): Promise<Message[]> {
    return (await this.#get<{ messages: Message[] }>("/v1/messages")).messages;
  }

  async takeQueued(ids: readonly string[], ticketId?: string): Promise<Ticket | null> {
    const body = { ids, ...(ticketId === undefined ? {} : { ticket_id: ticketId }) };
    return (await this.#post<{ ticket: Ticket | null }>("/v1/messages/take", body)).ticket;
  }

  async saveAttachments(message: Message): Promise<string[]> {
    const files = message.attachments.map(async ({ name }, index) => {
      const path = `/v1/messages/${message.id}/attachments/${index}`;
      return { name, data: (await this.#transport.send({ method: "GET", path })).body };
    });
    return this.#saveFiles(message.id, await Promise.all(files));
  }

  async close(): Promise<void> {
    this.#transport.close();
  }

  #change(id: string, verb: string, body?: unknown): Promise<Ticket> {
    return this.#post(`/v1/tickets/${encodeURIComponent(id)}/${verb}`, body);
  }

  #get<T>(path: string): Promise<T> {
    return callJson(this.#transport, { method: "GET", path });
  }

  #post<T>(path: string, body?: unknown): Promise<T> {
    return callJson(this.#transport, { method: "POST", path, body });
  }
}
