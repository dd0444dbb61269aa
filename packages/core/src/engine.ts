// HapEngine: load -> decide -> append -> fold -> publish, in one transaction a command; synchronous, as the draft's examples
// use it. Every write first applies the leases that are due (D9).
import {
  type CreateTicketInput,
  DEFAULTS,
  HapError,
  ID_PATTERNS,
  parseAskerId,
  parseHumanId,
  parseWith,
  quote,
  type SignedIntent,
  type Statement,
  signedIntentSchema,
  type Ticket,
} from "@hap/protocol";
import { authorise, guardPerson } from "./authority.ts";
import { ContentWriter } from "./contents.ts";
import { ConversationEngine } from "./conversation-engine.ts";
import { applyCreate, type Prepared, prepare } from "./create-ticket.ts";
import { decideAcknowledge } from "./decide/acknowledge.ts";
import { decideCancel } from "./decide/cancel.ts";
import { decideDeliver } from "./decide/deliver.ts";
import { decideExtend, decideReassign, decideRenew, decideSnooze } from "./decide/prolong.ts";
import { decideConsume, decideHeard, decideNote } from "./decide/use.ts";
import { applyDecision, type DecisionInput, issueChallenge } from "./decision.ts";
import type { HapEngineOptions } from "./engine-base.ts";
import { InvalidIntentLog } from "./invalid-intents.ts";
import { type EraseRequest, type EraseResult, eraseContents } from "./log/erase.ts";
import { enlist } from "./people.ts";
import type { Verdict } from "./policy-verdict.ts";
import { type TicketRecord, toIso } from "./record.ts";
import type { Session } from "./session.ts";

/** Who acts. Left out, a person's act is the stated person's, or that of the ticket's addressee. */
export type By = { by?: string | undefined };
/** How a person decides. */
export type DecideOptions = By & Pick<DecisionInput, "assurance" | "confirmed" | "edits">;

export class HapEngine extends ConversationEngine {
  readonly #invalid = new InvalidIntentLog();

  constructor(options: HapEngineOptions | string = {}) {
    super(typeof options === "string" ? { dbPath: options } : options);
  }

  /** Open a ticket. Takes the flat form of the draft's 7.3 or the nested one of 11.2. */
  createTicket(input: CreateTicketInput | Record<string, unknown> = {}): Ticket {
    const prepared = this.prepare(input);
    this.refuseDenied(prepared);
    return this.run((session) => this.openTicket(session, prepared));
  }

  /** Open what was prepared; where a rule asked for it, that is recorded with it. */
  protected override openTicket(session: Session, prepared: Prepared): Ticket {
    const record = applyCreate(session, prepared, this.localPerson);
    const { verdict, request } = prepared;
    const isNew = record.seq === session.head.seq;
    const ticket = this.view(session, record);
    if (isNew && verdict.rule !== null && verdict.verdict === "ask")
      this.#recordVerdict(session, request.from, this.#requestHash(prepared), verdict);
    return ticket;
  }

  /** What `createTicket` would open, and what the policy says about it; writes nothing. */
  checkPolicy(input: CreateTicketInput | Record<string, unknown>): {
    verdict: Verdict;
    ticket: Pick<Prepared["classified"], "risk" | "tier" | "effects" | "factors">;
  } {
    const { verdict, classified } = this.prepare(input);
    return {
      verdict,
      ticket: { risk: classified.risk, tier: classified.tier, effects: classified.effects, factors: classified.factors },
    };
  }

  /** Ask the policy about a call, and record the answer when it asks or denies, or its rule says so (D7). */
  decideByPolicy(input: CreateTicketInput | Record<string, unknown>, callHash: string): Verdict {
    checkHash(callHash);
    const { verdict, request } = this.prepare(input);
    if (verdict.rule !== null && verdict.record)
      this.run((session) => this.#recordVerdict(session, request.from, callHash, verdict));
    return verdict;
  }

  #recordVerdict(session: Session, from: string, callHash: string, verdict: Verdict): void {
    const { rule, file_hash, verdict: answer } = verdict;
    const decision = { call_hash: callHash, verdict: answer, rule: rule as string, file_hash: file_hash as string };
    session.commitApart([{ type: "policy.decision", from, ...decision }]);
  }

  /** The identity of what a ticket asks for, where its caller gave none. */
  #requestHash({ request }: Prepared): string {
    return this.callHash({ agent: request.from, project: request.project, tool: request.kind, input: request.details });
  }

  protected override prepare(input: CreateTicketInput | Record<string, unknown>): Prepared {
    return prepare(input, (project) => this.policies(project), this.home);
  }

  protected override refuseDenied(prepared: Prepared): void {
    const { verdict, request } = prepared;
    if (verdict.verdict !== "deny") return;
    this.run((session) => this.#recordVerdict(session, request.from, this.#requestHash(prepared), verdict));
    throw new HapError("policy_denied", `Rule ${verdict.rule} of ${verdict.file} forbids this: ${verdict.why}`, {
      rule: verdict.rule,
      file: verdict.file,
      why: verdict.why,
    });
  }

  /** A person's face has shown the ticket to its addressee; showing it to anybody else delivers nothing. */
  deliver(id: string, { by }: By = {}): Ticket {
    return this.#change(id, (session, record) => {
      if (this.#actor(session, record, by) === record.to) return session.commit(record, decideDeliver(record, session.now));
      const to = session.nameOf(record.to) ?? record.to;
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
    options: Pick<DecisionInput, "assurance" | "confirmed"> = {},
  ): Ticket {
    const signed = parseWith(signedIntentSchema(), intent, "The intent");
    const { decision, comment, answer, edits, ticket_id, from } = signed;
    return this.#decide(ticket_id, { ...options, decision, comment, answer, edits, by: from, signed });
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
      return session.commit(
        record,
        decideReassign(record, from, enlist(session.tx, session.names, person, toIso(session.now)), session.now),
      );
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
    try {
      const result = this.run((session) => {
        const record = session.ticket(request.ticket);
        return eraseContents(session, record, { ...request, from: this.#actor(session, record, request.by) });
      });
      this.store.scrub();
      return result;
    } catch (error) {
      // Erased before: but perhaps a reader kept the files from being scrubbed then.
      if (error instanceof HapError && error.code === "content_erased") this.store.scrub();
      throw error;
    }
  }

  /** Confirm the user's policy (D5). With `hash`, only if it is still the file that the person saw. */
  trustPolicy(options: By & { confirmed: boolean; hash?: string | undefined }): { path: string; hash: string } {
    const by = this.#person(options.by);
    const { path, hash, text } = this.userPolicyStatus();
    if (options.hash !== undefined && options.hash !== hash)
      throw new HapError("invalid_policy", `${path} has changed since you read it. Look at it again.`, { path });
    this.run((session) => {
      const from = enlist(session.tx, session.names, by, toIso(session.now));
      session.commitApart([{ type: "policy.trust", from, file_hash: hash, confirmed: options.confirmed, trust: this.trust }]);
      session.tx.setConfig("trusted_policy", hash);
      session.tx.setConfig("trusted_policy_text", text);
    });
    this.forgetTrust();
    return { path, hash };
  }

  /** The person who looks after the store: named, stated, or the local one; never an agent. */
  #person(by: string | undefined): string {
    return parseHumanId(this.actingPerson(by) ?? this.localPerson, "by");
  }

  #decide(id: string, input: DecisionInput): Ticket {
    try {
      return this.#change(id, (session, record) => {
        if (input.relayedBy !== undefined) this.#ownAgent(record, input.relayedBy);
        return applyDecision(session, record, input, this.confirmedPolicies(), this.verifySignature);
      });
    } catch (error) {
      if (error instanceof HapError && error.kind !== "busy" && error.kind !== "integrity") {
        this.#writeDown({ id, input, error });
      }
      throw error;
    }
  }

  /** Log a refusal. It stands, whether or not it could be written down. */
  #writeDown(refused: { id: string; input: DecisionInput; error: HapError }): void {
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
    guardPerson(record, person);
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

/** What an agent calls a hash goes into the log as it is, so it must be one. */
function checkHash(hash: string): void {
  if (ID_PATTERNS.hash.test(hash)) return;
  throw new HapError("invalid_input", `call_hash is ${quote(hash)}; it must be sha256: and 64 lower-case hexadecimal digits.`, {
    field: "call_hash",
  });
}

/** The agent that a caller is when it does not say. */
export const LOCAL_AGENT = DEFAULTS.agent;
