// What the policies say about a call, and a person's confirmation of them (D5, D7).
import { type CallIdentity, callHash, HapError, type PolicyPreview, parseHumanId, type Verdict } from "@hap/protocol";
import { enlist } from "../people/people.ts";
import { setRoles } from "../people/roles.ts";
import { type By, checkHash } from "../tickets/by.ts";
import { recordVerdict } from "../tickets/create-ticket.ts";
import { listPage } from "../tickets/list.ts";
import type { PreparedTicket } from "../tickets/prepare-ticket.ts";
import type { TicketInput, Tickets } from "../tickets/tickets.ts";
import type { Context } from "../transaction/context.ts";
import { sha256 } from "../transaction/facts.ts";
import { confirmedPolicy } from "./confirmed-policy.ts";
import type { PolicyStatus } from "./policies-in-force.ts";
import { type Policies, readPolicy } from "./policy.ts";
import { PREVIEWED, previewPolicy } from "./policy-preview.ts";

/** What was found out about a request. */
type Found = Pick<PreparedTicket["classified"], "risk" | "tier" | "effects">;

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

  /** What a proposed policy would have said to the newest tickets; writes nothing. */
  previewPolicy(text: string): PolicyPreview {
    this.#engine.applyDueLeases();
    const { tickets } = this.#engine.store.glance(() => listPage(this.#engine.rows, { limit: PREVIEWED }, this.#engine.now()));
    return previewPolicy(text, tickets, this.#engine.home);
  }

  /** Ask the policy about a call. Records a deny, and an allow whose rule says so; an ask is recorded with its ticket (D7). */
  decideByPolicy(input: TicketInput, callHash: string): Verdict & { found: Found } {
    checkHash(callHash);
    const prepared = this.#tickets.prepare(input);
    const answer = ({ verdict, classified: { risk, tier, effects } }: PreparedTicket) => ({
      ...verdict,
      found: { risk, tier, effects },
    });
    if (!isRecorded(prepared.verdict)) return answer(prepared);
    return this.#engine.run((session, facts) => {
      const current = prepared.under(confirmedPolicy(session.tx, facts.policyPath));
      const { verdict, request } = current;
      if (isRecorded(verdict)) recordVerdict(session, { from: request.from, callHash, verdict });
      return answer(current);
    });
  }

  /** The user's file as it is now, and whether it is the one that is confirmed. */
  userPolicyStatus(): PolicyStatus {
    return this.#engine.policies.status(this.#engine.rows);
  }

  /**
   * Write the user's policy and confirm it. `replaces` is the hash of the file that the person had before them, null for
   * none: when it changed since, nothing is written.
   */
  savePolicy(options: By & { text: string; replaces: string | null; confirmed: boolean }): { path: string; hash: string } {
    const { hash } = readPolicy(options.text, "The policy");
    const present = this.#policyNow();
    if (present !== options.replaces)
      throw new HapError("invalid_policy", "The policy has changed since you read it. Look at it again.", { present });
    // The file is written before the transaction that confirms it: without the confirmation it may only tighten.
    this.#engine.policies.write(options.text);
    return this.trustPolicy({ by: options.by, confirmed: options.confirmed, hash });
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

  /** Confirm the user's policy (D5). With `hash`, only if it is still the file that the person saw. */
  trustPolicy(options: By & { confirmed: boolean; hash?: string | undefined }): { path: string; hash: string } {
    // The person who looks after the store: named, stated, or the local one; never an agent.
    const by = parseHumanId(this.#engine.actingPerson(options.by) ?? this.#engine.localPerson, "by");
    const { path, hash, text } = this.userPolicyStatus();
    if (options.hash !== undefined && options.hash !== hash)
      throw new HapError("invalid_policy", `${path} has changed since you read it. Look at it again.`, { path });
    this.#engine.run((session, { trust }) => {
      const from = enlist(session, by);
      session.commitApart([{ type: "policy.trust", from, file_hash: hash, confirmed: options.confirmed, trust }]);
      setRoles(session, session.tx.config("trusted_policy_text"), text, hash);
      session.tx.setConfig("trusted_policy", hash);
      session.tx.setConfig("trusted_policy_text", text);
    });
    return { path, hash };
  }
}

/** An ask is recorded with the ticket that it opens. */
function isRecorded({ rule, record, verdict }: Verdict): boolean {
  return rule !== null && record && verdict !== "ask";
}
