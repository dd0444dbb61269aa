// What a person signs (D23): every field is always there, absent ones are null, and its canonical JSON is hashed. A decision,
// a login, an enrolment and a revocation have types of their own, so that none can pass for another.
import { canonicalJson, type Json } from "./canonical-json.ts";
import type { Decision, GrantVerdict } from "./constants.ts";
import { type ContentRef, refDigest } from "./content.ts";
import type { CredentialKind } from "./credential.ts";
import { prefixedHash, type Sha256 } from "./hash.ts";
import type { StoredIntent } from "./schema/stored.ts";

/** The type of an intent's statement; other acts have types of their own under the same rule. */
export const INTENT_STATEMENT = "hap.intent/1";

/** The statement of a decision. `from` is the handle, the last three hashes are salted digests of contents. */
export type Statement = {
  typ: typeof INTENT_STATEMENT;
  space: string;
  runtime: string;
  epoch: number;
  ticket_id: string;
  ticket_hash: string;
  decision: Decision;
  artifact_hash: string;
  bytes_hash: string;
  presentation_hash: string;
  answer_hash: string | null;
  edits_hash: string | null;
  comment_hash: string | null;
  from: string;
  nonce: string;
  issued_at: string;
  expires_at: string;
};

type Common = { space: string; runtime: string; epoch: number; nonce: string; issued_at: string; expires_at: string };

/** A person adds a key. `public_key_hash` is null in the challenge that makes the key, and its hash where another key vouches. */
export type EnrolStatement = Common & {
  typ: "hap.enrol/1";
  from: string;
  kind: CredentialKind;
  public_key_hash: string | null;
  label_hash: string | null;
  rp_id: string | null;
  origin: string | null;
};

/** A person takes a key out of use. */
export type RevokeStatement = Common & { typ: "hap.revoke/1"; from: string; credential_id: string };

/** A person signs in; `from` is null where the key says who it is. */
export type LoginStatement = Common & { typ: "hap.login/1"; from: string | null };

/** A person answers calls that come later (D43). `project` is a handle, `patterns_hash` a salted digest. */
export type GrantStatement = Common & {
  typ: "hap.grant/1";
  from: string;
  grant_id: string;
  verdict: GrantVerdict;
  agent: string | null;
  session: string | null;
  project: string | null;
  kinds: readonly string[] | null;
  environments: readonly string[] | null;
  effects: readonly string[] | null;
  patterns_hash: string | null;
  ends_at: string | null;
  uses: number | null;
  rate_uses: number | null;
  rate_seconds: number | null;
  ticket_id: string | null;
};

/** A person ends a denial before its time. */
export type EndGrantStatement = Common & { typ: "hap.end_grant/1"; from: string; grant_id: string };

/** Every statement that is signed. */
export type AnyStatement = Statement | EnrolStatement | RevokeStatement | LoginStatement | GrantStatement | EndGrantStatement;

/** The statement that a logged vote stands for: nothing in it comes from anywhere but the log. */
export function statementOf(intent: Omit<StoredIntent, "signature">, space: string): Statement {
  return {
    typ: INTENT_STATEMENT,
    space,
    runtime: intent.runtime,
    epoch: intent.epoch,
    ticket_id: intent.ticket_id,
    ticket_hash: intent.ticket_hash,
    decision: intent.decision,
    artifact_hash: intent.artifact_hash,
    bytes_hash: intent.bytes_hash,
    presentation_hash: intent.presentation_hash,
    answer_hash: digestOrNull(intent.answer),
    edits_hash: digestOrNull(intent.edits),
    comment_hash: digestOrNull(intent.comment),
    from: intent.from,
    nonce: intent.nonce,
    issued_at: intent.issued_at,
    expires_at: intent.expires_at,
  };
}

/** The text that is signed: for WebAuthn its SHA-256 is the challenge, for SSH it is the message. */
export function statementText(statement: AnyStatement): string {
  return canonicalJson(statement as unknown as Json);
}

/** SHA-256 of the statement's text, with its algorithm. */
export function statementHash(statement: AnyStatement, sha256: Sha256): string {
  return prefixedHash(statementText(statement), sha256);
}

/** The namespace of an SSH signature over a statement: its type without the version. */
export function sshNamespace(typ: AnyStatement["typ"]): string {
  return typ.slice(0, typ.indexOf("/"));
}

function digestOrNull(ref: string | null): string | null {
  return ref === null ? null : refDigest(ref as ContentRef);
}
