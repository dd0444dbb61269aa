// The checks on a decision in the order of D24: signature, artifact, expiry, nonce; the state comes last, in `decide`.
// Guard after guard; each failure has its own code and begins with the draft's words.
import {
  type AssuranceLevel,
  HapError,
  INTENT_TTL_MS,
  type Signature,
  type Statement,
  type StoredIntent,
  type StoredTicket,
  statementOf,
} from "@hap/protocol";
import { fromIso } from "./record.ts";

/** What a signature proves. A verifier throws when it proves nothing. */
export type SignatureProof = { level: AssuranceLevel };

/** The pluggable part: checks a signature over a statement against a person's credential. Passkeys and SSH keys plug in here. */
export type SignatureVerifier = (signature: Signature, statement: Statement, person: string) => SignatureProof;

/** With no credential enrolled, no signature proves anything. */
export const refuseSignatures: SignatureVerifier = (signature) => {
  throw new HapError(
    "signature_invalid",
    `Signature invalid: no credential ${signature.credential_id.slice(0, 40)} is enrolled here.`,
    { field: "signature" },
  );
};

/** What the checks need to know besides the intent. */
export type IntentFacts = {
  ticket: StoredTicket;
  space: string;
  now: number;
  nonceUsed: boolean;
  verifySignature: SignatureVerifier;
};

/** Run the checks; the level is what the signature proves, or null when there is none. */
export function verifyIntent(intent: StoredIntent, facts: IntentFacts): AssuranceLevel | null {
  const level =
    intent.signature === null
      ? null
      : facts.verifySignature(intent.signature, statementOf(intent, facts.space), intent.from).level;
  guardArtifact(intent, facts.ticket);
  guardExpiry(intent, facts.ticket, facts.now);
  guardNonce(intent, facts.nonceUsed);
  return level;
}

function guardArtifact(intent: StoredIntent, ticket: StoredTicket): void {
  if (intent.artifact_hash === ticket.artifact.diff_hash) return;
  throw new HapError(
    "artifact_mismatch",
    `Artifact hash mismatch: the decision is about ${intent.artifact_hash}, the ticket about ${ticket.artifact.diff_hash}. Look at the ticket again.`,
    { field: "artifact_hash", expected: ticket.artifact.diff_hash, actual: intent.artifact_hash },
  );
}

function guardExpiry(intent: StoredIntent, ticket: StoredTicket, now: number): void {
  const expires = fromIso(intent.expires_at);
  if (expires <= now)
    throw new HapError("intent_expired", `Intent expired at ${intent.expires_at}. Decide again.`, {
      field: "expires_at",
      expires_at: intent.expires_at,
    });
  const longest = ticket.tier === "critical" ? INTENT_TTL_MS.critical : INTENT_TTL_MS.longest;
  if (expires - now <= longest) return;
  throw new HapError(
    "intent_expired",
    `Intent expired too late: ${intent.expires_at} is more than ${longest / 1000} s ahead, which is the most for a ${ticket.tier} ticket.`,
    {
      field: "expires_at",
      longest_seconds: longest / 1000,
    },
  );
}

function guardNonce(intent: StoredIntent, used: boolean): void {
  if (used) throw nonceUsed(intent.nonce);
}

/** The error for a nonce that an accepted decision has burned. */
export function nonceUsed(nonce: string): HapError {
  return new HapError(
    "nonce_used",
    `Nonce already used: ${nonce} belongs to a decision that was accepted before. Decide again.`,
    { field: "nonce" },
  );
}
