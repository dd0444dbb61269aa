// The checks on a decision in the order of D24: signature, artifact, expiry, nonce; the state comes last, in `decide`.
// Guard after guard; each failure has its own code and begins with the draft's words.
import { HapError, INTENT_TTL_MS, type LoggedTicket, type StoredIntent, statementOf } from "@hap/protocol";
import type { CredentialSource, SignatureProof, SignatureVerifier } from "../credentials/verify-signature.ts";
import { fromIso } from "../tickets/record.ts";

/** What the checks need to know besides the intent. */
export type IntentFacts = {
  ticket: LoggedTicket;
  space: string;
  now: number;
  nonceUsed: boolean;
  verifySignature: SignatureVerifier;
  credentials: CredentialSource;
};

/** Run the checks; returns what the signature proves, or null when there is none. */
export function verifyIntent(intent: StoredIntent, facts: IntentFacts): SignatureProof | null {
  const { signature } = intent;
  const proof =
    signature === null
      ? null
      : facts.verifySignature(signature, statementOf(intent, facts.space), intent.from, facts.credentials);
  guardArtifact(intent, facts.ticket);
  guardExpiry(intent, facts.ticket, facts.now);
  guardNonce(intent, facts.nonceUsed);
  return proof;
}

function guardArtifact(intent: StoredIntent, ticket: LoggedTicket): void {
  if (intent.artifact_hash === ticket.artifact.diff_hash) return;
  throw new HapError(
    "artifact_mismatch",
    `Artifact hash mismatch: the decision is about ${intent.artifact_hash}, the ticket about ${ticket.artifact.diff_hash}. Look at the ticket again.`,
    { field: "artifact_hash", expected: ticket.artifact.diff_hash, actual: intent.artifact_hash },
  );
}

function guardExpiry(intent: StoredIntent, ticket: LoggedTicket, now: number): void {
  const expires = fromIso(intent.expires_at);
  if (expires <= now)
    throw new HapError("intent_expired", `Intent expired at ${intent.expires_at}. Decide again.`, {
      field: "expires_at",
      expires_at: intent.expires_at,
    });
  if (fromIso(intent.issued_at) > now) {
    throw new HapError(
      "intent_future_dated",
      `Intent dated in the future: it was issued at ${intent.issued_at}, which is still to come. Set the clock right and decide again.`,
      { field: "issued_at", issued_at: intent.issued_at },
    );
  }
  const longest = ticket.tier === "critical" ? INTENT_TTL_MS.critical : INTENT_TTL_MS.longest;
  if (expires - now <= longest) return;
  throw new HapError(
    "intent_future_dated",
    `Intent dated in the future: it expires at ${intent.expires_at}, more than ${longest / 1000} s ahead, which is the most for a ${ticket.tier} ticket.`,
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
