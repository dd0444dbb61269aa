// A credential as the store keeps it: what the log says of it, folded, and as faces see it.
import {
  type AssuranceLevel,
  type ContentRef,
  type Credential,
  type CredentialKind,
  ERASED,
  type EventOf,
  type SignatureAlgorithm,
  type TrustClass,
} from "@hap/protocol";
import { ContentReader } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import type { ViewSource } from "../store/store.ts";
import { fingerprintOf, readKey } from "./public-key.ts";

/** What the log makes of a credential. */
export type CredentialRecord = {
  id: string;
  seq: number;
  person: string;
  kind: CredentialKind;
  algorithm: SignatureAlgorithm;
  publicKey: string;
  label: string | null;
  rpId: string | null;
  origins: string[];
  transports: string[];
  userVerification: boolean;
  /** The class of the store when it was enrolled. */
  trust: TrustClass;
  createdAt: string;
  revokedAt: string | null;
};
/** A record, and what its uses have changed. */
export type UsedCredential = CredentialRecord & { signCount: number; lastUsedAt: string | null };

/** The record that an enrolment makes. */
export function foldEnrol(event: EventOf<"credential.enrol">): CredentialRecord {
  const { credential } = event;
  return {
    id: credential.id,
    seq: event.seq,
    person: event.from,
    kind: credential.kind,
    algorithm: credential.algorithm,
    publicKey: credential.public_key,
    label: credential.label,
    rpId: credential.rp_id,
    origins: credential.origins,
    transports: credential.transports,
    userVerification: credential.user_verification,
    trust: event.trust,
    createdAt: event.ts,
    revokedAt: null,
  };
}

/** The record after its revocation. */
export function foldRevoke(record: CredentialRecord, event: EventOf<"credential.revoke">): CredentialRecord {
  return { ...record, revokedAt: event.ts };
}

/** The record after its person was deleted: a key that was in use is revoked. */
export function foldErased(record: CredentialRecord, event: EventOf<"person.erased">): CredentialRecord {
  return { ...record, revokedAt: record.revokedAt ?? event.ts };
}

/** What a signature proves (D3, D25): `shown` is what hardware says about the moment, null for a key in a file. */
export function levelOf(kind: CredentialKind, shown: { userVerified: boolean } | null, anchored: boolean): AssuranceLevel {
  if (shown === null) return "key";
  if (shown.userVerified && anchored) return "passkey";
  return kind === "passkey" ? "key" : "present";
}

/** As faces show it. */
export function viewCredential(store: ViewSource, record: UsedCredential, anchored: boolean): Credential {
  const label = record.label === null ? null : new ContentReader(store, record.seq).resolve(record.label as ContentRef);
  const touched = record.kind === "passkey" || readKey("ssh", record.publicKey).application !== null;
  return {
    id: record.id,
    person: nameOf(store, record.person),
    kind: record.kind,
    algorithm: record.algorithm,
    public_key: record.publicKey,
    fingerprint: fingerprintOf(record.publicKey),
    label: label === undefined ? ERASED : (label as string | null),
    rp_id: record.rpId,
    origins: record.origins,
    transports: record.transports,
    sign_count: record.signCount,
    user_verification: record.userVerification,
    anchored,
    level: levelOf(record.kind, touched ? { userVerified: record.userVerification } : null, anchored),
    created_at: record.createdAt,
    last_used_at: record.lastUsedAt,
    revoked_at: record.revokedAt,
  };
}
