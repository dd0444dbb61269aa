// Asking on the engine: opening tickets, what the policy says about them, and a person's confirmation of it (D5, D7).
import {
  type CreateTicketInput,
  HapError,
  ID_PATTERNS,
  type PolicyPreview,
  parseCreateTicket,
  parseHumanId,
  quote,
  type Ticket,
  type Verdict,
} from "@hap/protocol";
import { type CommandAt, type Found, learn, unknownCommand } from "../classifier/classify.ts";
import { enlist } from "../people/people.ts";
import { setRoles } from "../people/roles.ts";
import { readPolicy } from "../policies/policy.ts";
import { PREVIEWED, previewPolicy } from "../policies/policy-preview.ts";
import type { Session } from "../transaction/session.ts";
import { applyCreate, type Prepared, prepare } from "./create-ticket.ts";
import { ReadingEngine } from "./reading-engine.ts";

/** Commands up to this length are classified at once: it takes less than handing them over. */
const INLINE_CHARS = 256;

/** Who acts. Left out, a person's act is the stated person's, or that of the ticket's addressee. */
export type By = { by?: string | undefined };

export class AskingEngine extends ReadingEngine {
  /** Open a ticket. Takes the flat form of the draft's 7.3 or the nested one of 11.2. */
  createTicket(input: CreateTicketInput | Record<string, unknown> = {}): Ticket {
    const prepared = this.prepare(input);
    this.refuseDenied(prepared);
    return this.run((session) => this.openTicket(session, prepared));
  }

  /** Where long commands are classified: a server does it in another thread, so that no agent slows others (D34). */
  classifyElsewhere: ((at: CommandAt, agent: string) => Promise<Found>) | null = null;

  /** Find out about a long command before a ticket is opened; null where there is nothing to wait for. */
  foresee(input: CreateTicketInput | Record<string, unknown>): Promise<void> | null {
    const find = this.classifyElsewhere;
    if (find === null) return null;
    const request = parseCreateTicket(input);
    const at = unknownCommand(request, this.home);
    if (at === null || at.command.length <= INLINE_CHARS) return null;
    return find(at, request.from).then((found) => learn(at, found));
  }

  /** Open what was prepared; where a rule asked for it, that is recorded with it. */
  protected openTicket(session: Session, prepared: Prepared): Ticket {
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

  /** What a proposed policy would have said to the newest tickets; writes nothing. */
  previewPolicy(text: string): PolicyPreview {
    return previewPolicy(text, this.list({ limit: PREVIEWED }).tickets, this.home);
  }

  /** Ask the policy about a call; a deny is recorded, and an allow whose rule says so. An ask is, with the ticket that it opens (D7). */
  decideByPolicy(
    input: CreateTicketInput | Record<string, unknown>,
    callHash: string,
  ): Verdict & { found: Pick<Prepared["classified"], "risk" | "tier" | "effects"> } {
    checkHash(callHash);
    const { verdict, request, classified } = this.prepare(input);
    if (verdict.rule !== null && verdict.record && verdict.verdict !== "ask")
      this.run((session) => this.#recordVerdict(session, request.from, callHash, verdict));
    const { risk, tier, effects } = classified;
    return { ...verdict, found: { risk, tier, effects } };
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

  protected prepare(input: CreateTicketInput | Record<string, unknown>): Prepared {
    return prepare(input, (project) => this.policies(project), this.home);
  }

  protected refuseDenied(prepared: Prepared): void {
    const { verdict, request } = prepared;
    if (verdict.verdict !== "deny") return;
    this.run((session) => this.#recordVerdict(session, request.from, this.#requestHash(prepared), verdict));
    throw new HapError("policy_denied", `Rule ${verdict.rule} of ${verdict.file} forbids this: ${verdict.why}`, {
      rule: verdict.rule,
      file: verdict.file,
      why: verdict.why,
    });
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
    this.writeUserPolicy(options.text);
    return this.trustPolicy({ by: options.by, confirmed: options.confirmed, hash });
  }

  #policyNow(): string | null {
    try {
      return this.userPolicyStatus().hash;
    } catch (error) {
      // A file that is missing, or that nobody can read, may be replaced.
      if (error instanceof HapError && error.code === "invalid_policy") return null;
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
      const from = enlist(session, by);
      session.commitApart([{ type: "policy.trust", from, file_hash: hash, confirmed: options.confirmed, trust: this.trust }]);
      setRoles(session, session.tx.config("trusted_policy_text"), text, hash);
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
}

/** What an agent calls a hash goes into the log as it is, so it must be one. */
export function checkHash(hash: string): void {
  if (ID_PATTERNS.hash.test(hash)) return;
  throw new HapError("invalid_input", `call_hash is ${quote(hash)}; it must be sha256: and 64 lower-case hexadecimal digits.`, {
    field: "call_hash",
  });
}
