// What a person can do (D2): read, deliver what is shown, decide, and look after policy and log.
import type { CodePurpose, Conversation, EventPage, Json, LoggedEvent, Role, Ticket, TrustClass } from "@hap/protocol";
import type { Send } from "@hap/protocol/operations";
import { personOperations } from "@hap/protocol/operations/person";
import { clientOf, type Derived } from "./client-of.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import { readEvents } from "./read-events.ts";
import type { TicketPage, TicketQuery, WaitOptions } from "./types.ts";
import { withDelivered } from "./with-delivered.ts";

/** How a decision is made: confirmed by what the person typed, or with edits. */
export type DecideOptions = { phrase?: string; edits?: Record<string, unknown> };

type Table = typeof personOperations;
/** Operations that the client offers in another form. */
const OWN = ["conversation", "eventPage", "getAgent", "inbox", "list"] as const;
type EventsOf = { after?: string; limit?: number; ticket?: string };

/** A person's client; the same over an embedded store and over a server. */
export interface PersonClient extends Derived<Table, (typeof OWN)[number]> {
  /** The person's id, `human:name`. */
  readonly person: string;
  /** Who could have written this store (D1). */
  readonly trust: TrustClass;
  /** Where the store is, for people to read. */
  readonly place: string;
  /** Your open tickets by priority and age. A page that is returned is shown: its tickets are delivered (D8). */
  inbox(query?: { cursor?: string; limit?: number }): Promise<TicketPage>;
  /** Tickets as `list` finds them, without delivering any: for counting and completing, where nothing is shown to read. */
  peek(query?: TicketQuery): Promise<TicketPage>;
  /** Tickets in any state, newest first. Your own pending ones on the page are delivered. */
  list(query?: TicketQuery): Promise<TicketPage>;
  approve(id: string, comment?: string, options?: DecideOptions): Promise<Ticket>;
  reject(id: string, comment?: string): Promise<Ticket>;
  requestChanges(id: string, comment?: string): Promise<Ticket>;
  answer(id: string, answer: unknown, options?: DecideOptions & { comment?: string }): Promise<Ticket>;
  wait(id: string, options?: WaitOptions): Promise<Outcome>;
  /** The log as anyone can verify it. */
  events(query?: EventsOf): Promise<LoggedEvent[]>;
  /** The log in the draft's shape. */
  resolvedEvents(query?: EventsOf): Promise<Json[]>;
  /** Events as they are appended, a batch at a time. */
  follow(options?: FollowOptions): AsyncIterable<LoggedEvent[]>;
  /** What made the store read-only, or null. */
  violation(): Promise<string | null>;
  /** The newest questions of an agent and the messages around them. What is shown of one's own is delivered (D8). */
  conversation(agent: string, options?: { limit?: number }): Promise<Conversation>;
  /** A code for this person to type. Only on the store's own machine; it belongs on a terminal and nowhere else. */
  issueCode(purpose: CodePurpose): Promise<{ code: string; expires_at: string }>;
  close(): Promise<void>;
}

/** Where to follow the log from, and until when; over a server, `onState` reports whether the connection is up. */
export type FollowOptions = { after?: string; signal?: AbortSignal; onState?: (state: "live" | "lost") => void };

/** What connects a person's client to the store: a server, or an engine in this process. */
export type PersonLine = {
  send: Send<Table>;
  trust: TrustClass;
  place: string;
  /** The person's role, where a server said so. */
  role: Role | null;
  untilEnd: (id: string, options: WaitOptions) => Promise<Ticket>;
  follow: (options: FollowOptions) => AsyncIterable<LoggedEvent[]>;
  issueCode: (purpose: CodePurpose) => Promise<{ code: string; expires_at: string }>;
  close: () => void;
};

/** Typed by name: declarations of the whole table would be longer than the compiler writes. */
const PersonOperations: new (send: Send<Table>) => Derived<Table, (typeof OWN)[number]> = clientOf(personOperations, OWN);

/** The person's client. */
export class PersonConnection extends PersonOperations implements PersonClient {
  readonly person: string;
  readonly trust: TrustClass;
  readonly place: string;
  readonly role: Role | null;
  readonly #line: PersonLine;

  constructor(person: string, line: PersonLine) {
    super(line.send);
    this.person = person;
    this.trust = line.trust;
    this.place = line.place;
    this.role = line.role;
    this.#line = line;
  }

  inbox(query: { cursor?: string; limit?: number } = {}): Promise<TicketPage> {
    return this.#shown(this.#line.send("inbox", query));
  }

  list(query: TicketQuery = {}): Promise<TicketPage> {
    return this.#shown(this.#line.send("list", query));
  }

  peek(query: TicketQuery = {}): Promise<TicketPage> {
    return this.#line.send("list", query);
  }

  conversation(agent: string, options: { limit?: number } = {}): Promise<Conversation> {
    return this.#shown(this.#line.send("conversation", { agent, ...options }));
  }

  /** Reading changes nothing; that the page was shown is a call of its own (D8). */
  async #shown<T extends Pick<TicketPage, "tickets">>(page: Promise<T>): Promise<T> {
    return withDelivered(await page, this.person, (ids) => this.deliver(ids));
  }

  approve(id: string, comment?: string, options: DecideOptions = {}): Promise<Ticket> {
    return this.#line.send("submitIntent", { id, decision: "approve", comment, ...options });
  }

  reject(id: string, comment?: string): Promise<Ticket> {
    return this.#line.send("submitIntent", { id, decision: "reject", comment });
  }

  requestChanges(id: string, comment?: string): Promise<Ticket> {
    return this.#line.send("submitIntent", { id, decision: "request_changes", comment });
  }

  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string } = {}): Promise<Ticket> {
    return this.#line.send("submitIntent", { id, decision: "answer", answer, ...options });
  }

  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    return readOutcome(await this.#line.untilEnd(id, options));
  }

  events(query: EventsOf = {}): Promise<LoggedEvent[]> {
    return readEvents(query, (page) => this.#line.send("eventPage", page) as Promise<EventPage<LoggedEvent>>);
  }

  resolvedEvents(query: EventsOf = {}): Promise<Json[]> {
    return readEvents({ ...query, resolved: true }, (page) => this.#line.send("eventPage", page) as Promise<EventPage<Json>>);
  }

  follow(options: FollowOptions = {}): AsyncIterable<LoggedEvent[]> {
    return this.#line.follow(options);
  }

  async violation(): Promise<string | null> {
    return (await this.logHealth()).violation;
  }

  issueCode(purpose: CodePurpose): Promise<{ code: string; expires_at: string }> {
    return this.#line.issueCode(purpose);
  }

  async close(): Promise<void> {
    this.#line.close();
  }
}
