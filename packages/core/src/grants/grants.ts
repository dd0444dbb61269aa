// Grants and denials on the engine (D43): making, listing, previewing, using and ending them.
import {
  type AssuranceLevel,
  type EndGrantStatement,
  GRANT_LIMITS,
  type GrantInput,
  type GrantNeeds,
  type GrantPreview,
  type GrantProposal,
  type GrantStatement,
  type GrantUse,
  type GrantUseView,
  type GrantView,
  HapError,
  parseHumanId,
  parseWith,
  quote,
  type SeenCall,
  type Signature,
  signatureSchema,
} from "@hap/protocol";
import { type Act, hashActPhrase, issueActPhrase, takeActPhrase } from "../credentials/act-phrases.ts";
import { type Challenge, giveOut, readAct } from "../credentials/acts.ts";
import { drawPhrase, type IssuedPhrase } from "../credentials/phrases.ts";
import type { SlowHashes } from "../credentials/slow-hash.ts";
import { roleIn } from "../people/owners.ts";
import { enlist } from "../people/people.ts";
import { confirmedPolicies, confirmedPolicy } from "../policies/confirmed-policy.ts";
import { checkHash } from "../tickets/by.ts";
import { listPage } from "../tickets/list.ts";
import { fromIso } from "../tickets/record.ts";
import type { TicketInput, Tickets } from "../tickets/tickets.ts";
import { viewTicket } from "../tickets/view.ts";
import type { Context, Facts } from "../transaction/context.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { callOf } from "./call.ts";
import { beginGrant, type Confirmation, checkSigned, createGrant, endAct, grantAct, needsOf } from "./create.ts";
import { draftWords, readGrant } from "./draft.ts";
import { findGrant } from "./find.ts";
import { previewDraft } from "./preview.ts";
import { type ProposalOptions, proposeGrant } from "./propose.ts";
import { type GrantRecord, stateOf } from "./records.ts";
import { endExpired, endGrant, recordUse, tellUse } from "./use.ts";
import { viewGrant, viewUse } from "./view.ts";

/** Which grants: in force, ended, or all; of an agent; or those that nothing used for so many days. */
export type GrantQuery = {
  state?: "active" | "ended" | "all" | undefined;
  agent?: string | undefined;
  unused_days?: number | undefined;
};
/** What comes back to confirm an act. */
export type Confirming = { assertion?: Signature | undefined; phrase?: string | undefined };
type Begun<T extends GrantStatement | EndGrantStatement> = Challenge<T> & { needs: GrantNeeds };

/** How long a use may count for the same call again, where the host asks twice. */
const MOST_REPEAT_MS = 60_000;
const USES_SHOWN = 200;

/** Grants and denials. */
export class Grants {
  readonly #engine: Context;
  readonly #tickets: Tickets;

  constructor(engine: Context, tickets: Tickets) {
    this.#engine = engine;
    this.#tickets = tickets;
  }

  /** Grants, newest first; those in force unless stated. */
  grants({ state = "active", agent, unused_days }: GrantQuery = {}): GrantView[] {
    const { rows } = this.#engine;
    const now = this.#engine.now();
    const before = unused_days === undefined ? null : now - unused_days * 86_400_000;
    return rows
      .listGrants()
      .map((record) => viewGrant(rows, record, now))
      .filter((grant) => state === "all" || (grant.state === "active") === (state === "active"))
      .filter((grant) => agent === undefined || grant.agent === null || grant.agent === agent)
      .filter((grant) => before === null || fromIso(grant.last_used_at ?? grant.created_at) <= before);
  }

  /** One grant, and its newest uses. */
  grant(id: string): GrantView & { journal: GrantUseView[] } {
    const { rows } = this.#engine;
    const record = rows.grantById(id);
    if (record === undefined) throw noSuchGrant(id);
    const journal = rows.grantUses(id, USES_SHOWN).map((use) => viewUse(rows, use));
    return { ...viewGrant(rows, record, this.#engine.now()), journal };
  }

  /** What a grant would have answered among the newest tickets; writes nothing. */
  previewGrant(input: GrantInput): GrantPreview {
    const draft = readGrant(input, this.#engine.home);
    const { store, rows } = this.#engine;
    const query = { limit: GRANT_LIMITS.previewed };
    const { tickets } = store.glance(() => listPage(rows, query, this.#engine.now()));
    return previewDraft(draft, tickets, this.#engine.home);
  }

  /** One sentence that says what a grant would do. */
  grantWords(input: GrantInput): string {
    return draftWords(readGrant(input, this.#engine.home));
  }

  /** Grants for what a ticket asks, the narrowest first; an error says why there can be none. */
  proposeGrant(ticketId: string, options: ProposalOptions): GrantProposal {
    const { rows, home } = this.#engine;
    return proposeGrant(viewTicket(rows, this.#engine.current(ticketId), this.#engine.now()), options, home);
  }

  /** Fix a new grant, and say what it takes from its person to count. */
  beginGrant(input: GrantInput, by: string): Begun<GrantStatement> {
    const draft = readGrant(input, this.#engine.home);
    const person = parseHumanId(by, "by");
    return this.#engine.run((session) => {
      const handle = enlist(session, person);
      const needs = draft.verdict === "deny" ? null : needsOf(session.tx, handle);
      return { ...beginGrant(session, handle, draft), needs };
    });
  }

  /** The phrase that puts a grant in force, or ends a denial; show it to the person at the terminal or page alone. */
  issueGrantPhrase(nonce: string, by: string): IssuedPhrase {
    const person = parseHumanId(by, "by");
    const draw = drawPhrase(this.#engine.random);
    return this.#engine.run((session) => {
      const statement = ownStatement(session, nonce, enlist(session, person));
      return issueActPhrase(session, actOf(statement), statement.from, draw);
    });
  }

  /** Make the grant that was begun. */
  createGrant(input: Confirming & { nonce: string; by: string; assurance?: AssuranceLevel | undefined }): GrantView {
    const person = parseHumanId(input.by, "by");
    const hashes = this.#hashPhrase(input.nonce, person, input.phrase);
    const assertion = readAssertion(input.assertion);
    return this.#engine.run((session, facts) => {
      const handle = enlist(session, person);
      const act = readAct(session.tx.statement(input.nonce), "hap.grant/1", session.now);
      assertOwn(act.statement, handle);
      const needs = act.statement.verdict === "deny" ? null : needsOf(session.tx, handle);
      const said = { phrase: input.phrase, assertion, hashes, assurance: input.assurance ?? "local" };
      const confirmation = confirm(session, facts, act.statement, needs, said);
      if (confirmation instanceof Refused) return confirmation;
      session.tx.dropStatement(input.nonce);
      return viewGrant(session.tx, createGrant(session, act, confirmation), session.now);
    });
  }

  /** Fix the end of a grant, and say what it takes: nothing for a grant, the same as to make one for a denial. */
  beginGrantEnd(id: string, by: string): Begun<EndGrantStatement> {
    const person = parseHumanId(by, "by");
    return this.#engine.run((session, facts) => {
      const from = enlist(session, person);
      const grant = endable(session, facts, id, { person, handle: from });
      const needs = grant.verdict === "allow" ? null : needsOf(session.tx, from);
      return { ...giveOut(session, "hap.end_grant/1", { from, grant_id: id }), needs };
    });
  }

  /** End a grant for good: one's own, or, as an owner, anybody's. Ending a denial loosens, so it is confirmed. */
  endGrant(id: string, input: Confirming & { by: string; nonce?: string | undefined }): GrantView {
    const person = parseHumanId(input.by, "by");
    const hashes = input.nonce === undefined ? null : this.#hashPhrase(input.nonce, person, input.phrase);
    const assertion = readAssertion(input.assertion);
    return this.#engine.run((session, facts) => {
      const from = enlist(session, person);
      const grant = endable(session, facts, id, { person, handle: from });
      if (grant.verdict === "allow")
        return viewGrant(session.tx, endGrant(session, grant, { from, because: "person" }), session.now);
      if (input.nonce === undefined || hashes === null) throw endNeedsConfirming(id);
      const { statement } = readAct(session.tx.statement(input.nonce), "hap.end_grant/1", session.now);
      assertOwn(statement, from);
      if (statement.grant_id !== id) throw mismatch("it was given out for another grant");
      const said = { phrase: input.phrase, assertion, hashes, assurance: "local" as const };
      const confirmation = confirm(session, facts, statement, needsOf(session.tx, from), said);
      if (confirmation instanceof Refused) return confirmation;
      session.tx.dropStatement(input.nonce);
      const { runtime, epoch, nonce, issued_at, expires_at } = statement;
      const signed =
        confirmation.assertion === null
          ? null
          : { runtime, epoch, nonce, issued_at, expires_at, assertion: confirmation.assertion };
      const { confirmed } = confirmation;
      return viewGrant(session.tx, endGrant(session, grant, { from, because: "person", confirmed, signed }), session.now);
    });
  }

  /**
   * Use a grant for a call that a person would be asked about: counted and journaled before this returns. Null where no grant in
   * force covers it. `seen` is what the caller's own disk shows; it only narrows.
   */
  useGrant(input: TicketInput, callHash: string, seen: SeenCall = {}): GrantUse | null {
    checkHash(callHash);
    const prepared = this.#tickets.prepare(input);
    const { home, rows } = this.#engine;
    if (prepared.request.ask.type !== "approval" || !mayUse(rows.openGrants(), seen)) return null;
    const call = callOf(prepared, home, "allow", seen);
    return this.#engine.run((session, facts) => {
      const { verdict, request, classified } = prepared.under(confirmedPolicy(session.tx, facts.policyPath));
      // One person's grant never stands for several people (D45).
      if (verdict.verdict !== "ask" || verdict.quorum !== null) return null;
      endExpired(session);
      const before = usedJustNow(session, call.facts.agent, callHash, seen.repeat_ms);
      if (before !== null) return tellUse(session, before);
      const to = verdict.to ?? request.to ?? facts.localPerson;
      const asked = { to, risk: classified.risk, policies: confirmedPolicies(session.tx, facts) };
      const found = findGrant(session.tx, call, asked, session.now);
      return found === null ? null : recordUse(session, found.grant, call, { callHash, authority: found.authority });
    });
  }

  /** Hash what was typed before the transaction. */
  #hashPhrase(nonce: string, person: string, phrase: string | undefined): SlowHashes {
    const { rows } = this.#engine;
    return hashActPhrase(rows, { key: `grant:${nonce}`, words: "" }, rows.handleOf(person), phrase);
  }
}

/** Looks without a lock whether there is anything to use. */
function mayUse(open: readonly GrantRecord[], { repeat_ms = 0 }: SeenCall): boolean {
  return repeat_ms > 0 || open.some(({ verdict }) => verdict === "allow");
}

/** A grant that was used for this very call a moment ago and that nobody has ended since. */
function usedJustNow(session: Session, agent: string, callHash: string, repeatMs = 0): GrantRecord | null {
  if (repeatMs <= 0) return null;
  const use = session.tx.grantUseOf(agent, callHash);
  const grant = use === undefined ? undefined : session.tx.grantById(use.grantId);
  if (use === undefined || grant === undefined || grant.verdict !== "allow") return null;
  const age = session.now - use.at;
  const stands = grant.endedAt === null || grant.endedBecause === "spent";
  return stands && age >= 0 && age <= Math.min(repeatMs, MOST_REPEAT_MS) ? grant : null;
}

type Said = Confirming & { hashes: SlowHashes; assurance: AssuranceLevel };

/** Check what confirms an act; a wrong phrase counts, so its refusal is committed. */
function confirm(
  session: Session,
  facts: Facts,
  statement: GrantStatement | EndGrantStatement,
  needs: GrantNeeds,
  { phrase, assertion, hashes, assurance }: Said,
): Confirmation | Refused {
  if (needs === "signature") return checkSigned(session, facts, statement, assertion);
  if (needs === null) return { assurance, confirmed: false, assertion: null };
  if (phrase === undefined)
    throw new HapError(
      "confirmation_needed",
      "A grant answers in your name, so it is confirmed by a phrase: `hap grant create` in a terminal, or the page.",
      { field: "phrase" },
    );
  const wrong = takeActPhrase(session, actOf(statement), statement.from, phrase, hashes);
  return wrong === null ? { assurance, confirmed: true, assertion: null } : new Refused(wrong);
}

function actOf(statement: GrantStatement | EndGrantStatement): Act {
  return statement.typ === "hap.grant/1" ? grantAct(statement) : endAct(statement);
}

/** What was given out under a nonce, to this person. */
function ownStatement(session: Session, nonce: string, person: string): GrantStatement | EndGrantStatement {
  const stored = session.tx.statement(nonce);
  const typ = stored?.includes('"hap.end_grant/1"') === true ? "hap.end_grant/1" : "hap.grant/1";
  const { statement } = readAct(stored, typ, session.now);
  assertOwn(statement, person);
  return statement;
}

function assertOwn({ from }: { from: string }, person: string): void {
  if (from !== person) throw mismatch("it was given out to somebody else");
}

function mismatch(why: string): HapError {
  return new HapError("statement_mismatch", `Statement mismatch: ${why}. Begin again.`, { field: "nonce" });
}

/** One's own grant that is in force, or, for an owner, anybody's. */
function endable(
  session: Session,
  facts: Facts,
  id: string,
  { person, handle }: { person: string; handle: string },
): GrantRecord {
  const grant = session.tx.grantById(id);
  if (grant === undefined || (grant.person !== handle && roleIn(session.tx, facts, person) !== "owner")) throw noSuchGrant(id);
  if (grant.endedAt === null && stateOf(grant, session.now) === "active") return grant;
  throw new HapError("wrong_state", `${id} is over already: ${stateOf(grant, session.now)}.`, { grant_id: id });
}

function readAssertion(assertion: Signature | undefined): Signature | undefined {
  return assertion === undefined ? undefined : parseWith(signatureSchema(), assertion, "assertion");
}

function endNeedsConfirming(id: string): HapError {
  return new HapError(
    "confirmation_needed",
    `${id} is a denial, and ending it opens what it keeps closed. Confirm it: \`hap grant end ${id}\` in a terminal, or the page.`,
    { grant_id: id, field: "phrase" },
  );
}

function noSuchGrant(id: string): HapError {
  return new HapError(
    "grant_not_found",
    `There is no grant ${quote(id)} of yours. \`hap grants --all\` shows those that there are.`,
    {
      grant_id: id,
    },
  );
}
