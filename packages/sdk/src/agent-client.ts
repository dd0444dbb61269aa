// What an agent can do (D2): ask, wait, renew, use, note, relay, withdraw, and read its own. Nothing here decides.
import type { AgentCard, CreateTicketInput, EventPage, LoggedEvent, Message, Ticket } from "@hap/protocol";
import type { Send } from "@hap/protocol/operations";
import { agentOperations } from "@hap/protocol/operations/agent";
import { clientOf, type Derived } from "./client-of.ts";
import type { GateCall, Gated, GateOptions } from "./gate/gate-call.ts";
import { keepAlive } from "./keep-alive.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import { readEvents } from "./read-events.ts";
import type { TicketPage, TicketQuery, WaitOptions } from "./types.ts";

/** A ticket's input; `from` is always this agent. */
export type AskInput = Omit<CreateTicketInput, "from">;

type Table = typeof agentOperations;
/** Operations that the client offers in another form, or not at all (D2). */
const OWN = ["agents", "attachment", "createTicket", "cue", "eventPage", "getAgent", "list"] as const;

/** An agent's client; the same over an embedded store and over a server. */
export interface AgentClient extends Derived<Table, (typeof OWN)[number]> {
  /** The agent's id, `agent:name`. */
  readonly agent: string;
  /** Open a ticket. With an id of your own, calling again finds the same ticket. */
  createTicket(input: AskInput): Promise<Ticket>;
  /** Open a ticket and wait for its end. */
  requestApproval(input: AskInput, options?: WaitOptions): Promise<Outcome>;
  /** Open a question and wait for its answer. */
  ask(input: AskInput & { ask: NonNullable<AskInput["ask"]> }, options?: WaitOptions): Promise<Outcome>;
  /** Wait for a ticket of one's own; on timeout its status is `open`. */
  wait(id: string, options?: WaitOptions): Promise<Outcome>;
  /**
   * May this call be made? Asks the policy, then a person where it says so: finds the ticket of the same call or opens one, waits,
   * and uses the yes, once (D17). Make the call only if `open` is true; an error means that the gate stays closed.
   */
  gate(call: GateCall, options?: GateOptions): Promise<Gated>;
  /** One's own tickets, newest first. */
  list(query?: Omit<TicketQuery, "from">): Promise<TicketPage>;
  /** Events of one's own tickets. */
  events(query?: { after?: string; limit?: number }): Promise<LoggedEvent[]>;
  /** Agents that fit hints, best first: words of what they asked, their folder, their runtime, their name. */
  recall(hints: string): Promise<AgentCard[]>;
  /** What is known of this agent; an error when it has not joined. */
  card(): Promise<AgentCard>;
  /** Ask, or find the same question again while its answer was not received and it is not older than 24 hours (D26). */
  cue(input: AskInput & { ask: NonNullable<AskInput["ask"]> }): Promise<Ticket>;
  /** The files of a message, in its order. */
  readAttachments(message: Message): Promise<{ name: string; data: Uint8Array }[]>;
  /** Put the files of a message where the agent can read them; returns their paths. */
  saveAttachments(message: Message): Promise<string[]>;
  close(): Promise<void>;
}

/** What connects an agent's client to its tickets: a server, or an engine in this process. */
export type AgentLine = {
  send: Send<Table>;
  /** Resolves with the ticket when it has ended, or as it is when the time is over. */
  untilEnd: (id: string, options: WaitOptions) => Promise<Ticket>;
  saveFiles: (messageId: string, files: { name: string; data: Uint8Array }[]) => string[];
  close: () => void;
};

/** Typed by name: declarations of the whole table would be longer than the compiler writes. */
const AgentOperations: new (send: Send<Table>) => Derived<Table, (typeof OWN)[number]> = clientOf(agentOperations, OWN);

/** The agent's client. */
export class AgentConnection extends AgentOperations implements AgentClient {
  readonly agent: string;
  readonly #line: AgentLine;

  constructor(agent: string, line: AgentLine) {
    super(line.send);
    this.agent = agent;
    this.#line = line;
  }

  createTicket(input: AskInput): Promise<Ticket> {
    return this.#line.send("createTicket", { ...input, from: this.agent });
  }

  cue(input: AskInput & { ask: NonNullable<AskInput["ask"]> }): Promise<Ticket> {
    return this.#line.send("cue", { ...input, from: this.agent });
  }

  async requestApproval(input: AskInput, options: WaitOptions = {}): Promise<Outcome> {
    const ticket = await this.createTicket(input);
    return this.wait(ticket.id, options);
  }

  ask(input: AskInput & { ask: NonNullable<AskInput["ask"]> }, options: WaitOptions = {}): Promise<Outcome> {
    return this.requestApproval(input, { renew: true, ...options });
  }

  async gate(call: GateCall, options: GateOptions = {}): Promise<Gated> {
    return (await import("./gate/pass-gate.ts")).passGate(this, call, options);
  }

  /** With `renew`, a live waiter keeps its question open (D15). */
  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    const stopRenewing = options.renew === true ? keepAlive(await this.getTicket(id), (one) => this.renew(one)) : () => {};
    try {
      return readOutcome(await this.#line.untilEnd(id, options));
    } finally {
      stopRenewing();
    }
  }

  list(query: Omit<TicketQuery, "from"> = {}): Promise<TicketPage> {
    return this.#line.send("list", { ...query, from: this.agent });
  }

  events(query: { after?: string; limit?: number } = {}): Promise<LoggedEvent[]> {
    return readEvents(
      { ...query, agent: this.agent },
      (page) => this.#line.send("eventPage", page) as Promise<EventPage<LoggedEvent>>,
    );
  }

  async recall(hints: string): Promise<AgentCard[]> {
    return (await this.#line.send("agents", { hints })).agents;
  }

  card(): Promise<AgentCard> {
    return this.#line.send("getAgent", { agent: this.agent });
  }

  readAttachments(message: Message): Promise<{ name: string; data: Uint8Array }[]> {
    const files = message.attachments.map(async ({ name }, index) => ({
      name,
      data: await this.#line.send("attachment", { id: message.id, index: String(index) }),
    }));
    return Promise.all(files);
  }

  async saveAttachments(message: Message): Promise<string[]> {
    return this.#line.saveFiles(message.id, await this.readAttachments(message));
  }

  async close(): Promise<void> {
    this.#line.close();
  }
}
