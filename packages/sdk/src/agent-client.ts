// What an agent can do (D2): ask, wait, renew, use, note, relay, withdraw, and read its own. Nothing here decides.
import type { AgentCard, CreateTicketInput, LoggedEvent, Message, Ticket } from "@hap/protocol";
import type { GateCall, Gated, GateOptions } from "./gate/gate-call.ts";
import type { Outcome } from "./outcome.ts";
import type { JoinInput, PolicyDecision, TicketPage, TicketQuery, WaitOptions } from "./types.ts";

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
  /**
   * May this call be made? Asks the policy, then a person where it says so: finds the ticket of the same call or opens one, waits,
   * and uses the yes, once (D17). Make the call only if `open` is true; an error means that the gate stays closed.
   */
  gate(call: GateCall, options?: GateOptions): Promise<Gated>;
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
  /** What the policy says about an action. A deny is recorded, an ask with the ticket that it opens. */
  decideByPolicy(input: AskInput, callHash: string): Promise<PolicyDecision>;
  /** Begin a conversation: a new agent with a name of its own (D26). A name is a label; it proves nothing. */
  join(input: JoinInput): Promise<AgentCard>;
  /** Agents that fit hints, best first: words of what they asked, their folder, their runtime, their name. */
  recall(hints: string): Promise<AgentCard[]>;
  /** What is known of this agent; an error when it has not joined. */
  card(): Promise<AgentCard>;
  /** A sign of life; takes a leave back. */
  seen(): Promise<AgentCard>;
  /** The agent is gone; its open tickets are withdrawn with the reason. */
  leave(reason: string): Promise<AgentCard>;
  /** Ask, or find the same question again while its answer was not heard and it is not older than 24 hours (D26). */
  cue(input: AskInput & { ask: NonNullable<AskInput["ask"]> }): Promise<Ticket>;
  /**
   * This process waits for the ticket, or does so no longer. Counts for 30 seconds, so say it again every few; people see which
   * question is listened to, and older ones that nothing listens to are withdrawn (D26).
   */
  listen(id: string, listening: boolean): Promise<Ticket>;
  /** Questions that a person answered while nothing listened, oldest first. Tell them, then call `heard`. */
  unheard(): Promise<Ticket[]>;
  /** Words that people left for this agent, in their order. */
  queued(): Promise<Message[]>;
  /** These words were heard. A question in whose place they were told is over; returns it as it is then. */
  takeQueued(ids: readonly string[], ticketId?: string): Promise<Ticket | null>;
  /** Put the files of a message where the agent can read them; returns their paths. */
  saveAttachments(message: Message): Promise<string[]>;
  close(): Promise<void>;
}
