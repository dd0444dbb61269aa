// What the policies say about a call, and a person's confirmation of them (D5, D7).
import {
  type CallIdentity,
  callHash,
  type GrantUse,
  HapError,
  type PolicyCase,
  type PolicyCaseResult,
  type PolicyPreview,
  type PolicyVersion,
  parseHumanId,
  type SeenCall,
  type Verdict,
} from "@hap/protocol";
import { type Act, hashActPhrase, issueActPhrase, takeActPhrase } from "../credentials/act-phrases.ts";
import { drawPhrase, type IssuedPhrase } from "../credentials/phrases.ts";
import { callOf } from "../grants/call.ts";
import { findDenial } from "../grants/find.ts";
import { recordUse } from "../grants/use.ts";
import { enlist } from "../people/people.ts";
import { setRoles } from "../people/roles.ts";
import { escalateShort } from "../quorum/escalate-short.ts";
import { setGroups } from "../quorum/groups.ts";
import { type By, checkHash } from "../tickets/by.ts";
import { recordVerdict } from "../tickets/create-ticket.ts";
import { listPage } from "../tickets/list.ts";
import { type PreparedTicket, parseTicket, prepareTicket } from "../tickets/prepare-ticket.ts";
import type { TicketInput, Tickets } from "../tickets/tickets.ts";
import type { Context } from "../transaction/context.ts";
import { sha256 } from "../transaction/facts.ts";
import { Refused } from "../transaction/refused.ts";
import { confirmedPolicy, NO_POLICY } from "./confirmed-policy.ts";
import type { PolicyStatus } from "./policies-in-force.ts";
import { type Policies, readPolicy } from "./policy.ts";
import { PREVIEWED, previewPolicy } from "./policy-preview.ts";
import { keepVersion, listVersions, versionText } from "./policy-versions.ts";

/** What was found out about a request. */
type Found = Pick<PreparedTicket["classified"], "risk" | "tier" | "effects">;

/** A verdict, what was found out, and the denial that made it, if one did. */
type Decided = Verdict & { found: Found; grant: GrantUse | null };

/** Verdicts, and the user's policy file. */
export class PolicyCommands {
  readonly #engine: Context;
  readonly #tickets: Tickets;

  constructor(engine: Context, tickets: Tickets) {
    this.#engine = engine;
    this.#tickets = tickets;
  }

  /** The policies in force for a project. */
  policies(project: string | null): Policies {
    return this.#engine.policies.forProject(this.#engine.rows, project);
  }

  /** The identity of a call (D17). */
  callHash(call: CallIdentity): string {
    return callHash({ space: this.#engine.rows.space, ...call }, sha256);
  }

  /** What `createTicket` would open, and what the policy says about it; writes nothing. */
  checkPolicy(input: TicketInput): { verdict: Verdict; ticket: Found & Pick<PreparedTicket["classified"], "factors"> } {
    const { verdict, classified } = this.#tickets.prepare(input);
    const { risk, tier, effects, factors } = classified;
    return { verdict, ticket: { risk, tier, effects, factors } };
  }

  /** What a policy says to actions that are given as data; writes nothing. */
  testPolicy(text: string, cases: readonly PolicyCase[]): PolicyCaseResult[] {
    const policies = { confirmed: readPolicy(text, "The policy"), changed: null, project: null };
    return cases.map(({ name, input, expect }) => {
      const { verdict } = prepareTicket(parseTicket(input), policies, this.#engine.home);
      const { rule, to, why } = verdict;
      const need = verdict.verdict === "ask" ? (verdict.quorum?.need ?? 1) : 0;
      const ok =
        verdict.verdict === expect.verdict &&
        (expect.rule === undefined || expect.rule === rule) &&
        (expect.to === undefined || expect.to === to) &&
        (expect.need === undefined || expect.need === need);
      return { name, ok, expected: expect, verdict: verdict.verdict, rule, to, need, why };
    });
  }

  /** What a proposed policy would have said to the newest tickets; writes nothing. */
  previewPolicy(text: string): PolicyPreview {
    this.#engine.applyDueLeases();
    const { tickets } = this.#engine.store.glance(() => listPage(this.#engine.rows, { limit: PREVIEWED }, this.#engine.now()));
    return previewPolicy(text, tickets, this.#engine.home);
  }

  /** Ask the policy, and people's denials, about a call. Records a deny, and an allow whose rule says so; an ask is recorded with its ticket (D7). */
  decideByPolicy(input: TicketInput, callHash: string, seen: SeenCall = {}): Decided {
    checkHash(callHash);
    const prepared = this.#tickets.prepare(input);
    const answer = ({ verdict, classified: { risk, tier, effects } }: PreparedTicket): Decided => ({
      ...verdict,
      found: { risk, tier, effects },
      grant: null,
    });
    const call = () => callOf(prepared, this.#engine.home, "deny", seen);
    const denied = findDenial(this.#engine.rows, call, this.#engine.now()) !== null;
    if (!denied && !isRecorded(prepared.verdict)) return answer(prepared);
    return this.#engine.run((session, facts) => {
      const current = prepared.under(confirmedPolicy(session.tx, facts.policyPath));
      const { verdict, request } = current;
      if (isRecorded(verdict)) recordVerdict(session, { from: request.from, callHash, verdict });
      const denial = verdict.verdict === "deny" ? null : findDenial(session.tx, call, session.now);
      if (denial === null) return answer(current);
      const grant = recordUse(session, denial.grant, denial.call, { callHash, authority: null });
      return { ...answer(current), verdict: "deny", rule: null, why: grant.words, grant };
    });
  }

  /** The user's file as it is now, and whether it is the one that is confirmed. */
  userPolicyStatus(): PolicyStatus {
    return this.#engine.policies.status(this.#engine.rows);
  }

  /** The policies that were confirmed, the newest first. */
  policyVersions(): PolicyVersion[] {
    return this.#engine.store.glance(() => listVersions(this.#engine.rows));
  }

  /** The text of a policy that was confirmed, by its hash or the beginning of it. */
  policyVersion(hash: string): { hash: string; text: string } {
    return this.#engine.store.glance(() => versionText(this.#engine.rows, hash));
  }

  /** The phrase that puts a policy in force, by its hash or its text; show it to the person at the terminal or page alone. */
  issuePolicyPhrase(policy: By & ({ hash: string } | { text: string })): IssuedPhrase {
    const { hash } = "text" in policy ? readPolicy(policy.text, "The policy") : this.#unchanged(policy.hash);
    const by = this.#person(policy.by);
    const draw = drawPhrase(this.#engine.random);
    return this.#engine.run((session) => issueActPhrase(session, policyAct(hash), enlist(session, by), draw));
  }

  /**
   * Write the user's policy and confirm it. `replaces` is the hash of the file that the person had before them, null for
   * none: when it changed since, nothing is written. `phrase` is what was typed of the phrase issued for this text.
   */
  savePolicy(options: By & { text: string; replaces: string | null; phrase?: string | undefined }): {
    path: string;
    hash: string;
  } {
    const { hash } = readPolicy(options.text, "The policy");
    const present = this.#policyNow();
    if (present !== options.replaces)
      throw new HapError("invalid_policy", "The policy has changed since you read it. Look at it again.", { present });
    this.#takePhrase(hash, options);
    // The file is written before the transaction that confirms it: without the confirmation it may only tighten.
    this.#engine.policies.write(options.text);
    if (!this.#engine.policies.inStore) return this.#putInForce(this.#unchanged(hash), options.by);
    return this.#putInForce({ path: this.#engine.policies.userPath, hash, text: options.text }, options.by, present ?? NO_POLICY);
  }

  #policyNow(): string | null {
    try {
      return this.userPolicyStatus().hash;
    } catch (error) {
      // A file that is missing or unreadable may be replaced.
      if (error instanceof HapError && error.code === "invalid_policy") return null;
      throw error;
    }
  }

  /** Confirm the user's policy (D5), if it is still the file that the person saw, with the phrase issued for it. */
  trustPolicy(options: By & { hash: string; phrase?: string | undefined }): { path: string; hash: string } {
    this.#unchanged(options.hash);
    this.#takePhrase(options.hash, options);
    return this.#putInForce(this.#unchanged(options.hash), options.by);
  }

  #unchanged(seen: string): PolicyStatus {
    const status = this.userPolicyStatus();
    if (status.hash === seen) return status;
    const { path } = status;
    throw new HapError("invalid_policy", `${path} has changed since you read it. Look at it again.`, { path });
  }

  /** The person who looks after the store: named, stated, or the local one; never an agent. */
  #person(by: string | undefined): string {
    return parseHumanId(this.#engine.actingPerson(by) ?? this.#engine.localPerson, "by");
  }

  /** A wrong guess counts, so it is committed. */
  #takePhrase(hash: string, { by, phrase }: By & { phrase?: string | undefined }): void {
    const person = this.#person(by);
    if (phrase === undefined)
      throw new HapError(
        "confirmation_needed",
        "A policy answers in your name, so putting it in force is confirmed by a phrase: `hap policy trust` in a terminal, or the page.",
        { field: "phrase" },
      );
    const { rows } = this.#engine;
    const hashes = hashActPhrase(rows, policyAct(hash), rows.handleOf(person), phrase);
    this.#engine.run((session) => {
      const wrong = takeActPhrase(session, policyAct(hash), enlist(session, person), phrase, hashes);
      return wrong === null ? undefined : new Refused(wrong);
    });
  }

  /** `replaces`: what must still be in force, where nodes save at the same time. */
  #putInForce(
    { path, hash, text }: Pick<PolicyStatus, "path" | "hash" | "text">,
    person: string | undefined,
    replaces?: string,
  ): { path: string; hash: string } {
    const by = this.#person(person);
    this.#engine.run((session, { trust }) => {
      const present = session.tx.config("trusted_policy") ?? NO_POLICY;
      if (replaces !== undefined && present !== replaces)
        throw new HapError("invalid_policy", "The policy has changed since you read it. Look at it again.", { present });
      const from = enlist(session, by);
      const [event] = session.commitApart([{ type: "policy.trust", from, file_hash: hash, confirmed: true, trust }]);
      const before = session.tx.config("trusted_policy_text");
      setRoles(session, before, text, hash);
      setGroups(session, before, text, hash);
      session.tx.setConfig("trusted_policy", hash);
      session.tx.setConfig("trusted_policy_text", text);
      keepVersion(session.tx, { seq: event.seq, hash, text });
      escalateShort(session);
    });
    return { path, hash };
  }
}

/** What is confirmed when a policy is put in force. */
function policyAct(hash: string): Act {
  return { key: `policy:${hash}`, words: "trust policy" };
}

/** An ask is recorded with the ticket that it opens. */
function isRecorded({ rule, record, verdict }: Verdict): boolean {
  return rule !== null && record && verdict !== "ask";
}
