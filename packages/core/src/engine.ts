// HapEngine: load -> decide -> append -> fold -> publish, in one transaction a command; synchronous, as the draft's examples
// use it. Every write first applies the leases that are due (D9).
import {
  type BackupReport,
  DEFAULTS,
  type DraftImport,
  type EraseResult,
  HapError,
  parseAskerId,
  parseHumanId,
  type SignedIntent,
  type Statement,
  type Ticket,
} from "@hap/protocol";
import { authorise } from "./decisions/authority.ts";
import { applyDecision, type DecisionInput, issueChallenge, phraseRefusal } from "./decisions/decision.ts";
import { InvalidIntentLog, type RefusedIntent } from "./decisions/invalid-intents.ts";
import { readableParts, readSignedIntent, type SentIntent } from "./decisions/read-intent.ts";
import { type Imported, type ImportOptions, importDraft } from "./draft/import-draft.ts";
import { backupStore } from "./log/backup.ts";
import { ContentWriter } from "./log/contents.ts";
import { type EraseRequest, eraseContents, thenScrub } from "./log/erase.ts";
import { enlist } from "./people/people.ts";
import { RightsEngine } from "./rights/rights-engine.ts";
import { type By, checkHash } from "./tickets/asking-engine.ts";
import type { Prepared } from "./tickets/create-ticket.ts";
import { decideAcknowledge } from "./tickets/decide/acknowledge.ts";
import { decideCancel } from "./tickets/decide/cancel.ts";
import { decideDeliver } from "./tickets/decide/deliver.ts";
import { decideExtend, decideReassign, decideRenew, decideSnooze } from "./tickets/decide/prolong.ts";
import { decideConsume, decideHeard, decideNote } from "./tickets/decide/use.ts";
import type { TicketRecord } from "./tickets/record.ts";
import type { HapEngineOptions } from "./transaction/engine-base.ts";
import type { Session } from "./transaction/session.ts";

/** How a person decides. */
export type DecideOptions = By & Pick<DecisionInput, "assurance" | "phrase" | "edits">;

/** Who writes what is imported. */
const IMPORTER = "system:import";

export class HapEngine extends RightsEngine {
  readonly #invalid = new InvalidIntentLog();

  constructor(options: HapEngineOptions | string = {}) {
    super(typeof options === "string" ? { dbPath: options } : options);
  }

  /** A person's face has shown the ticket to its addressee; showing it to anybody else delivers nothing. */
  deliver(id: string, { by }: By = {}): Ticket {
    return this.#change(id, (session, record) => {
      if (this.#actor(session, record, by) === record.to) return session.commit(record, decideDeliver(record, session.now));
      const to = session.tx.nameOf(record.to) ?? record.to;
      throw new HapError("not_addressee", `${id} is delivered by showing it to ${to}, and to nobody else.`, {
        ticket_id: id,
        to,
      });
    });
  }

  /** Deliver the tickets of a page that a person was shown; what ended meanwhile is passed over. */
  deliverShown(ids: readonly string[], person: string): void {
    if (ids.length === 0) return;
    this.run((session) => {
      const handle = session.tx.handleOf(person);
      for (const id of ids) {
        const record = session.ticket(id);
        if (record.state === "PENDING" && record.to === handle) session.commit(record, decideDeliver(record, session.now));
      }
    });
  }

  /** The person looks at it: the lease pauses, for good, or for `lapseSeconds`. */
  ack(id: string, note?: string, options: By & { lapseSeconds?: number | undefined } = {}): Ticket {
    const ackTtlSeconds = options.lapseSeconds === undefined ? null : this.wholeSeconds(options.lapseSeconds);
    return this.#change(id, (session, record) => {
      const from = this.#actor(session, record, options.by);
      const contents = new ContentWriter(session.names);
      const ack = { from, note: contents.textOrNull("note", note), ackTtlSeconds };
      return session.commit(record, decideAcknowledge(record, ack, session.now), contents.made);
    });
  }

  approve(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "approve", comment, by: this.actingPerson(options.by) });
  }

  reject(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "reject", comment, by: this.actingPerson(options.by) });
  }

  requestChanges(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "request_changes", comment, by: this.actingPerson(options.by) });
  }

  /** Answer a question: a structured answer, or a plain value that fits it (D15). */
  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string | undefined } = {}): Ticket {
    return this.#decide(id, { ...options, decision: "answer", answer, by: this.actingPerson(options.by) });
  }

  /** An answer that an agent's client got from its user: level none, shown as relayed (D4). */
  relayAnswer(id: string, answer: unknown, agent: string): Ticket {
    return this.#decide(id, { decision: "answer", answer, by: null, relayedBy: parseAskerId(agent, "agent") });
  }

  /** What a person is to sign for a decision (D23); acks the ticket for as long as it is valid. */
  issueChallenge(id: string, input: Omit<DecisionInput, "signed" | "relayedBy">): { statement: Statement; ticket: Ticket } {
    return this.run((session) => {
      const { statement, record } = issueChallenge(
        session,
        session.ticket(id),
        { ...input, by: this.actingPerson(input.by ?? undefined) },
        this.confirmedPolicies(),
      );
      return { statement, ticket: this.view(session, record) };
    });
  }

  /** A decision as a signed intent (21.2); unsigned ones count as level local. */
  submitIntent(
    intent: SignedIntent | Record<string, unknown>,
    options: Pick<DecisionInput, "assurance" | "phrase"> & { sent?: SentIntent } = {},
  ): Ticket {
    const { sent, ...how } = options;
    const signed = this.#readIntent(intent, sent);
    const { decision, comment, answer, edits, ticket_id, from } = signed;
    return this.#decide(ticket_id, { ...how, decision, comment, answer, edits, by: from, signed });
  }

  #readIntent(intent: unknown, sent: SentIntent | undefined): SignedIntent {
    try {
      return readSignedIntent(intent, sent);
    } catch (error) {
      if (error instanceof HapError) this.#writeDown({ ...readableParts(intent, sent), error });
      throw error;
    }
  }

  /** End an open ticket. Without `by` it is the ticket's own agent that withdraws. */
  cancel(id: string, reason?: string, options: By = {}): Ticket {
    const by = options.by === undefined ? null : this.actingPerson(options.by);
    return this.#change(id, (session, record) => {
      const contents = new ContentWriter(session.names);
      const asker = by === null || by === record.ticket.from;
      if (!asker && !by.startsWith("human:"))
        throw new HapError("not_addressee", `${by} did not open ${id}; only its agent or its person cancels it.`, {
          ticket_id: id,
          by,
        });
      const from = asker ? record.ticket.from : authorise(session, record, by, this.confirmedPolicies()).handle;
      const cancel = {
        from,
        actor: { kind: asker ? ("agent" as const) : ("human" as const), id: from },
        reason: contents.textOrNull("reason", reason),
        trust: this.trust,
      };
      return session.commit(record, decideCancel(record, cancel), contents.made);
    });
  }

  /** A person gives more time. */
  extend(id: string, seconds: number, { by }: By = {}): Ticket {
    const whole = this.wholeSeconds(seconds);
    return this.#change(id, (session, record) =>
      session.commit(record, decideExtend(record, this.#actor(session, record, by), whole, session.now)),
    );
  }

  /** A live waiter keeps its own ticket open (D15). */
  renew(id: string, agent: string): Ticket {
    return this.#change(id, (session, record) => {
      this.#ownAgent(record, agent);
      return session.commit(record, decideRenew(record, agent, session.now));
    });
  }

  /** Not now: out of the inbox for a while. */
  snooze(id: string, seconds: number, { by }: By = {}): Ticket {
    const whole = this.wholeSeconds(seconds);
    return this.#change(id, (session, record) =>
      session.commit(record, decideSnooze(record, this.#actor(session, record, by), whole, session.now)),
    );
  }

  /** To somebody else. */
  reassign(id: string, to: string, { by }: By = {}): Ticket {
    const person = parseHumanId(to, "to");
    return this.#change(id, (session, record) => {
      const from = this.#actor(session, record, by);
      return session.commit(record, decideReassign(record, from, enlist(session, person), session.now));
    });
  }

  /** A remark on the ticket's timeline, by its agent or its person. */
  note(id: string, note: string, by: string): Ticket {
    if (note.trim() === "") throw new HapError("invalid_input", "note is empty; write at least one word.", { field: "note" });
    return this.#change(id, (session, record) => {
      const contents = new ContentWriter(session.names);
      const from = by === record.ticket.from ? by : authorise(session, record, by, this.confirmedPolicies()).handle;
      return session.commit(record, decideNote(record, from, contents.text("note", note)), contents.made);
    });
  }

  /** Use a yes, once (D17). */
  consume(id: string, use: { by: string; call_hash: string }): Ticket {
    checkHash(use.call_hash);
    return this.#change(id, (session, record) => {
      this.#ownAgent(record, use.by);
      return session.commit(record, decideConsume(record, use.by, use.call_hash));
    });
  }

  /** The agent has the words of the end. */
  heard(id: string, by: string): Ticket {
    return this.#change(id, (session, record) => {
      this.#ownAgent(record, by);
      return session.commit(record, decideHeard(record, by));
    });
  }

  /** Delete texts of a ticket for good, by those who may decide it; chain and signatures still verify (D19). */
  erase(request: EraseRequest): EraseResult {
    return thenScrub(this.store, this.copyTools(), () =>
      this.run((session) => {
        const record = session.ticket(request.ticket);
        return eraseContents(session, record, { ...request, from: this.#actor(session, record, request.by) });
      }),
    );
  }

  /** A verified copy of the whole store at one moment, in a new file, while others go on writing. */
  backup(path: string): BackupReport {
    const { verifySignature, random } = this;
    return backupStore(this.store, path, { verifySignature, random, now: () => this.now() });
  }

  /** Take over the tickets of a store of the 0.1 draft (D36). */
  importDraft(path: string, options: ImportOptions): DraftImport {
    const check = ({ input, end }: Imported) => {
      const prepared = this.prepare(input);
      const { verdict } = prepared;
      if (end === null && verdict.verdict === "deny")
        throw new HapError("policy_denied", `Rule ${verdict.rule} of ${verdict.file} forbids this: ${verdict.why}`, {
          rule: verdict.rule,
        });
      return prepared;
    };
    const write = (ticket: Imported) => {
      const prepared = check(ticket);
      this.run((session) => this.#writeImported(session, prepared, ticket));
    };
    return importDraft({ has: (id) => this.store.ticketById(id) !== undefined, check, write }, path, options);
  }

  /** All of an imported ticket or nothing of it. It was not decided here, so the one who ends it is no person. */
  #writeImported(session: Session, prepared: Prepared, { note, end }: Imported): void {
    const { id } = this.openTicket(session, prepared);
    const contents = new ContentWriter(session.names);
    const noted = session.commit(
      session.ticket(id),
      decideNote(session.ticket(id), IMPORTER, contents.text("note", note)),
      contents.made,
    );
    if (end === null) return;
    const words = new ContentWriter(session.names);
    const actor = { kind: "system" as const, id: IMPORTER };
    const cancel = { from: IMPORTER, actor, reason: words.text("reason", end), trust: this.trust };
    session.commit(noted, decideCancel(noted, cancel), words.made);
  }

  #decide(id: string, input: DecisionInput): Ticket {
    try {
      if (input.phrase !== undefined) this.#checkPhrase(id, input);
      return this.#change(id, (session, record) => {
        if (input.relayedBy !== undefined) this.#ownAgent(record, input.relayedBy);
        return applyDecision(session, record, input, this.confirmedPolicies(), this.signatures(session.tx));
      });
    } catch (error) {
      if (error instanceof HapError && error.kind !== "busy" && error.kind !== "integrity") {
        const { by, relayedBy, decision, signed } = input;
        this.#writeDown({ id, by, relayedBy, decision, nonce: signed?.nonce ?? null, error });
      }
      throw error;
    }
  }

  /** In a transaction of its own: a wrong guess counts although the decision is refused. */
  #checkPhrase(id: string, input: DecisionInput): void {
    const refused = this.run((session) => phraseRefusal(session, session.ticket(id), input));
    if (refused !== null) throw refused;
  }

  /** Log a refusal. It stands, whether or not it could be written down. */
  #writeDown(refused: RefusedIntent): void {
    try {
      this.#invalid.record(this, refused);
    } catch (error) {
      if (!(error instanceof HapError)) throw error;
    }
  }

  /** Load, change, view. */
  #change(id: string, work: (session: Session, record: TicketRecord) => TicketRecord): Ticket {
    return this.run((session) => this.view(session, work(session, session.ticket(id))));
  }

  /** The handle of whoever acts on a ticket as its person. */
  #actor(session: Session, record: TicketRecord, by: string | undefined): string {
    const person = this.actingPerson(by);
    if (person === null) return record.to;
    return authorise(session, record, person, this.confirmedPolicies()).handle;
  }

  #ownAgent(record: TicketRecord, agent: string): void {
    if (agent === record.ticket.from) return;
    throw new HapError("not_addressee", `${record.ticket.id} was opened by ${record.ticket.from}, not by ${agent}.`, {
      ticket_id: record.ticket.id,
      by: agent,
    });
  }

  // The names that callers of the draft's runtime know.
  deliverTicket(id: string, by: By = {}): Ticket {
    return this.deliver(id, by);
  }

  ackTicket(id: string, note?: string, options: By & { lapseSeconds?: number | undefined } = {}): Ticket {
    return this.ack(id, note, options);
  }

  approveTicket(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.approve(id, comment, options);
  }

  rejectTicket(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.reject(id, comment, options);
  }

  cancelTicket(id: string, reason?: string, by: By = {}): Ticket {
    return this.cancel(id, reason, by);
  }
}

/** The agent that a caller is when it does not say. */
export const LOCAL_AGENT = DEFAULTS.agent;
