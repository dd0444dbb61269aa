// A person's decisions on tickets: yes, no, changes, answers; challenges to sign and phrases to type.
import {
  HapError,
  oneOf,
  PHRASE_DECISIONS,
  type PhraseDecision,
  parseAskerId,
  parseHumanId,
  parseWith,
  type SignedIntent,
  type Statement,
  type Ticket,
} from "@hap/protocol";
import { type Demand, demandOn } from "../credentials/demand.ts";
import { drawPhrase, type IssuedPhrase, issuePhrase, makeTicketPhrase } from "../credentials/phrases.ts";
import type { SlowHashes } from "../credentials/slow-hash.ts";
import { credentialSource, isAnchored } from "../credentials/verify-signature.ts";
import { confirmedPolicies } from "../policies/confirmed-policy.ts";
import { actorOf, type By, guardOwnAgent } from "../tickets/by.ts";
import { guardFit, guardOpen } from "../tickets/guards.ts";
import { viewTicket } from "../tickets/view.ts";
import type { Context, Facts } from "../transaction/context.ts";
import { attempt } from "../transaction/group-commit.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { applyDecision, type DecisionInput, hashPhrase, issueChallenge, phraseRefusal } from "./decision.ts";
import { recordRefusal } from "./invalid-intents.ts";
import { readableParts, readSignedIntent, type SentIntent } from "./read-intent.ts";

/** How a person decides. */
export type DecideOptions = By & Pick<DecisionInput, "assurance" | "phrase" | "edits">;

/** Commands that decide tickets, and what they need. */
export class Decisions {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** Say yes to what a ticket asks for. */
  approve(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "approve", comment, by: this.#engine.actingPerson(options.by) });
  }

  /** Say no. */
  reject(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "reject", comment, by: this.#engine.actingPerson(options.by) });
  }

  /** Ask the agent for changes. */
  requestChanges(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.#decide(id, { ...options, decision: "request_changes", comment, by: this.#engine.actingPerson(options.by) });
  }

  /** Answer a question: a structured answer, or a plain value that fits it (D15). */
  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string | undefined } = {}): Ticket {
    return this.#decide(id, { ...options, decision: "answer", answer, by: this.#engine.actingPerson(options.by) });
  }

  /** Relay an answer that an agent's client got from its user: level none, shown as relayed (D4). */
  relayAnswer(id: string, answer: unknown, agent: string): Ticket {
    return this.#decide(id, { decision: "answer", answer, by: null, relayedBy: parseAskerId(agent, "agent") });
  }

  /** Submit a decision as a signed intent (21.2); unsigned ones count as level local. */
  submitIntent(
    intent: SignedIntent | Record<string, unknown>,
    options: Pick<DecisionInput, "assurance" | "phrase"> & { sent?: SentIntent } = {},
  ): Ticket {
    const { sent, ...how } = options;
    const signed = this.#readIntent(intent, sent);
    const { decision, comment, answer, edits, ticket_id, from } = signed;
    return this.#decide(ticket_id, { ...how, decision, comment, answer, edits, by: from, signed });
  }

  /** Give out the statement that a person is to sign for a decision (D23); acks the ticket for as long as it is valid. */
  issueChallenge(id: string, input: Omit<DecisionInput, "signed" | "relayedBy">): { statement: Statement; ticket: Ticket } {
    const by = this.#engine.actingPerson(input.by ?? undefined);
    return this.#engine.run((session, facts) => {
      const policies = confirmedPolicies(session.tx, facts);
      const { statement, record } = issueChallenge(session, session.ticket(id), { ...input, by }, policies);
      return { statement, ticket: viewTicket(session.tx, record, session.now) };
    });
  }

  /** Issue the phrase that confirms a yes to a critical ticket (D3), in place of the last one; show it to the person alone. */
  issuePhrase(id: string, options: { by?: string | undefined; decision?: PhraseDecision } = {}): IssuedPhrase {
    const decision = parseWith(oneOf(PHRASE_DECISIONS), options.decision ?? "approve", "decision");
    const by = this.#engine.actingPerson(options.by);
    const draw = drawPhrase(this.#engine.random);
    // Hash it now, outside the lock.
    makeTicketPhrase(this.#engine.rows, this.#engine.current(id), decision, draw);
    return this.#engine.run((session, facts) => {
      const record = session.ticket(id);
      guardOpen(record);
      guardFit(record, decision);
      return issuePhrase(session, record, actorOf(session, facts, record, by), decision, draw);
    });
  }

  /** What a yes to a ticket needs from a person (D3): the least level by signature, or null, and whether to type the phrase. */
  neededFor(id: string, person: string): { signature: Demand; confirmed: boolean } {
    const record = this.#engine.current(id);
    const { rows } = this.#engine;
    const facts = this.#engine.facts();
    const handle = rows.handleOf(parseHumanId(person, "person"));
    const keys = handle === undefined ? [] : rows.credentialsOf(handle);
    const signature = demandOn(record, keys, (key) => isAnchored(key, facts), confirmedPolicies(rows, facts));
    return { signature, confirmed: record.ticket.tier === "critical" && signature !== "passkey" };
  }

  #decide(id: string, input: DecisionInput): Ticket {
    const hashes = hashPhrase(this.#engine.rows, id, input);
    return this.#engine.run((session, facts) => decide(session, facts, { id, input, hashes }));
  }

  #readIntent(intent: unknown, sent: SentIntent | undefined): SignedIntent {
    try {
      return readSignedIntent(intent, sent);
    } catch (error) {
      if (error instanceof HapError) {
        const refused = { ...readableParts(intent, sent), error };
        this.#engine.run((session) => {
          recordRefusal(session, refused);
          return new Refused(error);
        });
      }
      throw error;
    }
  }
}

/** Decide a ticket, or log why not. */
export function decide(
  session: Session,
  facts: Facts,
  { id, input, hashes }: { id: string; input: DecisionInput; hashes: SlowHashes },
): Ticket | Refused {
  const outcome = attempt(() => {
    const wrong = input.phrase === undefined ? null : phraseRefusal(session, session.ticket(id), input, hashes);
    if (wrong !== null) throw wrong;
    return session.attempt(() => {
      const record = session.ticket(id);
      if (input.relayedBy !== undefined) guardOwnAgent(record, input.relayedBy);
      const policies = confirmedPolicies(session.tx, facts);
      const verify = { signature: facts.verifySignature, source: credentialSource(session.tx, facts) };
      return viewTicket(session.tx, applyDecision(session, record, input, policies, verify, hashes), session.now);
    });
  });
  if ("value" in outcome) return outcome.value;
  const error = outcome.error as HapError;
  const { by, relayedBy, decision, signed } = input;
  recordRefusal(session, { id, by, relayedBy, decision, nonce: signed?.nonce ?? null, error });
  return new Refused(error);
}
