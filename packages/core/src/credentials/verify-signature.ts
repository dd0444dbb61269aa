// Does this signature prove that this person said it (D24, first check)? The engine asks with its store, `hap verify` with
// what the log said up to then.
import { type AnyStatement, type AssuranceLevel, HapError, type Signature, sshNamespace, statementText } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import type { Facts } from "../transaction/context.ts";
import { fingerprintOf, readKey } from "./public-key.ts";
import { type CredentialRecord, levelOf, type UsedCredential } from "./record.ts";
import { verifySshSignature } from "./ssh-signature.ts";
import { verifyAssertion } from "./webauthn.ts";

/** What a signature proves, and the counter that its key has reached. A verifier throws when it proves nothing. */
export type SignatureProof = { level: AssuranceLevel; counter?: number };

/** Where keys are looked up, and which of them are anchored (D25). */
export type CredentialSource = {
  credential: (id: string) => UsedCredential | undefined;
  anchored: (credential: UsedCredential) => boolean;
};

/** Checks a signature over a statement of a person; embedders may bring their own. */
export type SignatureVerifier = (
  signature: Signature,
  statement: AnyStatement,
  person: string,
  source: CredentialSource,
) => SignatureProof;

/** The keys of these rows; one is anchored if it is pinned where agents cannot write: a non-open store, or root's file. */
export function credentialSource(rows: StoreReader, facts: Pick<Facts, "trust" | "pinned">): CredentialSource {
  return { credential: (id) => rows.credentialById(id), anchored: (record) => isAnchored(record, facts) };
}

/** True if the key is anchored: a non-open store (now and when it was enrolled), or the root-owned anchors file. */
export function isAnchored(record: CredentialRecord, { trust, pinned }: Pick<Facts, "trust" | "pinned">): boolean {
  return (trust !== "open" && record.trust !== "open") || pinned().has(fingerprintOf(record.publicKey));
}

/** The verifier for passkeys and SSH keys that were enrolled. */
export const verifyEnrolled: SignatureVerifier = (signature, statement, person, source) => {
  const credential = source.credential(signature.credential_id);
  if (credential === undefined) {
    throw new HapError(
      "credential_unknown",
      `No credential ${signature.credential_id.slice(0, 44)} is enrolled here. \`hap credential list\` shows those that are.`,
      { field: "signature" },
    );
  }
  guardOwner(credential, signature, person);
  guardRevoked(credential);
  const key = readKey(credential.kind, credential.publicKey);
  const text = statementText(statement);
  const shown =
    credential.kind === "passkey"
      ? verifyAssertion(text, signature, credential, key)
      : verifySshSignature(text, sshNamespace(statement.typ), signature, credential, key);
  const level = levelOf(credential.kind, shown, source.anchored(credential));
  if (shown === null) return { level, counter: credential.signCount };
  guardCounter(credential, shown.counter);
  return { level, counter: shown.counter };
};

function guardOwner(credential: UsedCredential, signature: Signature, person: string): void {
  if (credential.person !== person) {
    throw new HapError("credential_mismatch", "Signed by the wrong key: it belongs to somebody else. Sign with one of yours.", {
      field: "signature",
    });
  }
  if (credential.algorithm === signature.algorithm) return;
  throw new HapError(
    "credential_mismatch",
    `Signed by the wrong key: the enrolled one is ${credential.algorithm}, the signature says ${signature.algorithm}.`,
    { field: "signature" },
  );
}

function guardRevoked({ revokedAt }: UsedCredential): void {
  if (revokedAt === null) return;
  throw new HapError("credential_revoked", `The credential was revoked at ${revokedAt}. Sign with another one.`, {
    field: "signature",
    revoked_at: revokedAt,
  });
}

/** A counter that does not rise means that the key was copied. Keys that do not count stay at zero. */
function guardCounter({ signCount }: UsedCredential, counter: number): void {
  if (counter > signCount || (counter === 0 && signCount === 0)) return;
  throw new HapError(
    "counter_regressed",
    `Signature counter went back: it is ${counter}, and was ${signCount} before. The key may have been copied: revoke it with \`hap credential revoke\`.`,
    { field: "signature", counter, expected_above: signCount },
  );
}
