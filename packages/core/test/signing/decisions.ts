// Deciding by signature in tests: ask for the statement, sign it, send it back.
import type { Signature, SignedIntent, Statement, Ticket } from "@hap/protocol";
import type { HapEngine } from "../../src/index.ts";
import { typedYes } from "../typed-yes.ts";

/** What to sign for a decision of human:alex. */
export function challenge(engine: HapEngine, id: string, decision: SignedIntent["decision"] = "approve"): Statement {
  return engine.issueChallenge(id, { decision, by: "human:alex" }).statement;
}

/** The intent that answers a challenge. */
export function intentOf(statement: Statement, signature: Signature, change: Partial<SignedIntent> = {}): SignedIntent {
  const { ticket_id, decision, artifact_hash, expires_at, nonce } = statement;
  return { ticket_id, from: "human:alex", decision, artifact_hash, expires_at, nonce, signature, ...change };
}

/** Sign and send. */
export function decide(
  engine: HapEngine,
  id: string,
  sign: (statement: Statement) => Signature,
  options: { confirmed?: boolean; change?: Partial<SignedIntent>; decision?: SignedIntent["decision"] } = {},
): Ticket {
  const statement = challenge(engine, id, options.decision);
  const typed = options.confirmed === true ? typedYes(engine, id, "human:alex") : {};
  return engine.submitIntent(intentOf(statement, sign(statement), options.change), typed);
}
