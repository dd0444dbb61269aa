// What an agent can do (D2): ask, wait, renew, use, note, relay, withdraw, and read its own. Nothing here decides.
import type { CreateTicketInput, LoggedEvent, Ticket } from "@hap/protocol";
import type { Outcome } from "./outcome.ts";
import type { TicketPage, TicketQuery, Verdict, WaitOptions } from "./types.ts";

/** A ticket's input; `from` is always this agent. */
export type AskInput = Omit<CreateTicketInput, "from">;

/** The agent's end of the telephone; the same over an embedded store and over a server. */
export interface AgentClient {
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
  getTicket(id: string): Promise<Ticket>;
  /** One's own tickets, newest first. */
  list(query?: Omit<TicketQuery, "from">): Promise<TicketPage>;
  /** Events of one's own tickets. */
  events(query?: { after?: string; limit?: number }): Promise<LoggedEvent[]>;
  /** Keep a ticket open while somebody really waits for it. */
  renew(id: string): Promise<Ticket>;
  cancel(id: string, reason?: string): Promise<Ticket>;
  note(id: string, text: string): Promise<Ticket>;
  /** Use a yes, once, before anything is started (D17). */
  consume(id: string, callHash: string): Promise<Ticket>;
  /** The words of the end have arrived. */
  heard(id: string): Promise<Ticket>;
  /** Pass on an answer that the client's own user gave: level none, not for critical questions (D4). */
  relayAnswer(id: string, answer: unknown): Promise<Ticket>;
  /** What the policy says about an action, recorded where it asks or denies. */
  decideByPolicy(input: AskInput, callHash: string): Promise<Verdict>;
  close(): Promise<void>;
}
