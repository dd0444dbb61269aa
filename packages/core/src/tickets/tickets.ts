// Commands on tickets: opening, showing, pausing, prolonging, withdrawing and using them.
import { type CreateTicketInput, type EraseResult, HapError, parseHumanId, type Ticket } from "@hap/protocol";
import { type CommandAt, type Found, rememberFound, unknownCommand } from "../classifier/classify.ts";
import { authorise } from "../decisions/authority.ts";
import { ContentWriter } from "../log/contents.ts";
import { type EraseRequest, eraseContents } from "../log/erase.ts";
import { enlist } from "../people/people.ts";
import { confirmedPolicies } from "../policies/confirmed-policy.ts";
import type { Context, Facts } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";
import { actorOf, type By, checkHash, checkSeconds, guardOwnAgent } from "./by.ts";
import { openTicket } from "./create-ticket.ts";
import { decideAcknowledge } from "./decide/acknowledge.ts";
import { decideCancel } from "./decide/cancel.ts";
import { decideDeliver } from "./decide/deliver.ts";
import { decideExtend, decideReassign, decideRenew, decideSnooze } from "./decide/prolong.ts";
import { decideConsume, decideHeard, decideNote } from "./decide/use.ts";
import { PreparedTicket, parseTicket, prepareTicket } from "./prepare-ticket.ts";
import type { TicketRecord } from "./record.ts";
import { viewTicket } from "./view.ts";

/** What a caller gives to open a ticket: the draft's flat form (7.3), the nested one (11.2), or what it prepared before. */
export type TicketInput = CreateTicketInput | Record<string, unknown> | PreparedTicket;

/** Classifies a long command elsewhere: a server does it in a thread, so that no agent slows others (D34). */
export type ClassifyElsewhere = (at: CommandAt, agent: string) => Promise<Found>;

/** Commands up to this length are classified at once: that takes less than handing them over. */
const INLINE_CHARS = 256;

/** Commands on tickets. */
export class Tickets {
  readonly #engine: Context;
  #classifyElsewhere: ClassifyElsewhere | null = null;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** Have long commands classified by this function from now on. */
  classifyWith(elsewhere: ClassifyElsewhere): void {
    this.#classifyElsewhere = elsewhere;
  }

  /** Parse, classify and judge a request before any lock is taken; a long command may take a while, and then a promise comes. */
  prepareTicket(input: TicketInput): PreparedTicket | Promise<PreparedTicket> {
    const elsewhere = this.#classifyElsewhere;
    if (input instanceof PreparedTicket || elsewhere === null) return this.prepare(input);
    const parsed = parseTicket(input);
    const { home } = this.#engine;
    const at = unknownCommand(parsed.request, home);
    if (at === null || at.command.length <= INLINE_CHARS)
      return prepareTicket(parsed, this.#engine.policies.forProject(this.#engine.rows, parsed.request.project), home);
    return elsewhere(at, parsed.request.from).then((found) => {
      rememberFound(at, found);
      return prepareTicket(parsed, this.#engine.policies.forProject(this.#engine.rows, parsed.request.project), home, found);
    });
  }

  /** The same at once. */
  prepare(input: TicketInput): PreparedTicket {
    if (input instanceof PreparedTicket) return input;
    const parsed = parseTicket(input);
    const policies = this.#engine.policies.forProject(this.#engine.rows, parsed.request.project);
    return prepareTicket(parsed, policies, this.#engine.home);
  }

  /** Open a ticket. */
  createTicket(input: TicketInput = {}): Ticket {
    const prepared = this.prepare(input);
    return this.#engine.run((session, facts) => openTicket(session, facts, prepared));
  }

  /** Record that a person's interface has shown the ticket to its addressee; showing it to anybody else delivers nothing. */
  deliver(id: string, { by }: By = {}): Ticket {
    const person = this.#engine.actingPerson(by);
    return this.#change(id, (session, facts, record) => {
      if (actorOf(session, facts, record, person) === record.to)
        return session.commit(record, decideDeliver(record, session.now));
      const to = session.tx.nameOf(record.to) ?? record.to;
      throw new HapError("not_addressee", `${id} is delivered by showing it to ${to}, and to nobody else.`, {
        ticket_id: id,
        to,
      });
    });
  }

  /** Deliver the tickets of a page that a person was shown; those that ended meanwhile are skipped. */
  deliverShown(ids: readonly string[], person: string): void {
    if (ids.length === 0) return;
    this.#engine.run((session) => {
      const handle = session.tx.handleOf(person);
      for (const id of ids) {
        const record = session.ticket(id);
        if (record.state === "PENDING" && record.to === handle) session.commit(record, decideDeliver(record, session.now));
      }
    });
  }

  /** Pause the lease while the person looks at the ticket: for good, or for `lapseSeconds`. */
  ack(id: string, note?: string, options: By & { lapseSeconds?: number | undefined } = {}): Ticket {
    const ackTtlSeconds = options.lapseSeconds === undefined ? null : checkSeconds(options.lapseSeconds);
    const person = this.#engine.actingPerson(options.by);
    return this.#change(id, (session, facts, record) => {
      const contents = new ContentWriter(session.names);
      const from = actorOf(session, facts, record, person);
      const ack = { from, note: contents.textOrNull("note", note), ackTtlSeconds };
      return session.commit(record, decideAcknowledge(record, ack, session.now), contents.made);
    });
  }

  /** End an open ticket. Without `by` the ticket's own agent withdraws it. */
  cancel(id: string, reason?: string, options: By = {}): Ticket {
    const by = options.by === undefined ? null : this.#engine.actingPerson(options.by);
    return this.#change(id, (session, facts, record) => cancelTicket(session, facts, record, { by, reason }));
  }

  /** Give the ticket more time. */
  extend(id: string, seconds: number, { by }: By = {}): Ticket {
    const whole = checkSeconds(seconds);
    const person = this.#engine.actingPerson(by);
    return this.#change(id, (session, facts, record) =>
      session.commit(record, decideExtend(record, actorOf(session, facts, record, person), whole, session.now)),
    );
  }

  /** Keep a ticket open for its live waiter (D15). */
  renew(id: string, agent: string): Ticket {
    return this.#change(id, (session, _, record) => {
      guardOwnAgent(record, agent);
      return session.commit(record, decideRenew(record, agent, session.now));
    });
  }

  /** Hide the ticket from the inbox for a while. */
  snooze(id: string, seconds: number, { by }: By = {}): Ticket {
    const whole = checkSeconds(seconds);
    const person = this.#engine.actingPerson(by);
    return this.#change(id, (session, facts, record) =>
      session.commit(record, decideSnooze(record, actorOf(session, facts, record, person), whole, session.now)),
    );
  }

  /** Hand the ticket to another person. */
  reassign(id: string, to: string, { by }: By = {}): Ticket {
    const next = parseHumanId(to, "to");
    const person = this.#engine.actingPerson(by);
    return this.#change(id, (session, facts, record) => {
      const from = actorOf(session, facts, record, person);
      return session.commit(record, decideReassign(record, from, enlist(session, next), session.now));
    });
  }

  /** Add a remark to the ticket's timeline, by its agent or its person. */
  note(id: string, note: string, by: string): Ticket {
    if (note.trim() === "") throw new HapError("invalid_input", "note is empty; write at least one word.", { field: "note" });
    return this.#change(id, (session, facts, record) => {
      const contents = new ContentWriter(session.names);
      const from = by === record.ticket.from ? by : actorOf(session, facts, record, by);
      return session.commit(record, decideNote(record, from, contents.text("note", note)), contents.made);
    });
  }

  /** Use a yes, once (D17). */
  consume(id: string, use: { by: string; call_hash: string }): Ticket {
    checkHash(use.call_hash);
    return this.#change(id, (session, _, record) => {
      guardOwnAgent(record, use.by);
      return session.commit(record, decideConsume(record, use.by, use.call_hash));
    });
  }

  /** Acknowledge that the agent received the outcome. */
  heard(id: string, by: string): Ticket {
    return this.#change(id, (session, _, record) => {
      guardOwnAgent(record, by);
      return session.commit(record, decideHeard(record, by));
    });
  }

  /** Delete texts of a ticket for good, by a person who may decide it; chain and signatures still verify (D19). */
  erase(request: EraseRequest): EraseResult {
    const person = this.#engine.actingPerson(request.by);
    return this.#engine.runThenScrub((session, facts) => {
      const record = session.ticket(request.ticket);
      return eraseContents(session, record, { ...request, from: actorOf(session, facts, record, person) });
    });
  }

  /** Load, change, view. */
  #change(id: string, work: (session: Session, facts: Facts, record: TicketRecord) => TicketRecord): Ticket {
    return this.#engine.run((session, facts) => viewTicket(session.tx, work(session, facts, session.ticket(id)), session.now));
  }
}

function cancelTicket(
  session: Session,
  facts: Facts,
  record: TicketRecord,
  { by, reason }: { by: string | null; reason: string | undefined },
): TicketRecord {
  const { id } = record.ticket;
  const contents = new ContentWriter(session.names);
  const asker = by === null || by === record.ticket.from;
  if (!asker && !by.startsWith("human:"))
    throw new HapError("not_addressee", `${by} did not open ${id}; only its agent or its person cancels it.`, {
      ticket_id: id,
      by,
    });
  const from = asker ? record.ticket.from : authorise(session, record, by, confirmedPolicies(session.tx, facts)).handle;
  const cancel = {
    from,
    actor: { kind: asker ? ("agent" as const) : ("human" as const), id: from },
    reason: contents.textOrNull("reason", reason),
    trust: facts.trust,
  };
  return session.commit(record, decideCancel(record, cancel), contents.made);
}
