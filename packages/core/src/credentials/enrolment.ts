// Enrolment (D25): a first key needs a code typed by the person, a later one an assertion by an older key over the new one.
import {
  type ContentRef,
  type CredentialKind,
  type EnrolStatement,
  HapError,
  type NewCredential,
  originSchema,
  parseWith,
  refDigest,
  rpIdSchema,
  type Signature,
  type StoredCredential,
} from "@hap/protocol";
import { ContentWriter, type NewContent } from "../log/contents.ts";
import type { StoreReader } from "../store/store.ts";
import type { Session } from "../transaction/session.ts";
import { type Challenge, challengeOf, giveOut } from "./acts.ts";
import { fingerprintOf, keepKey, keyDigest } from "./public-key.ts";
import { foldEnrol, type UsedCredential } from "./record.ts";
import type { CredentialSource, SignatureVerifier } from "./verify-signature.ts";

/** Labels are for lists. */
const LABEL_CHARS = 200;
/** No person needs more. */
const CREDENTIALS_PER_PERSON = 50;

/** What vouches for a new key. */
export type Needs = "code" | "assertion";
/** How an enrolment begins. */
export type EnrolmentInput = {
  kind: CredentialKind;
  label?: string | null | undefined;
  rp_id?: string | null | undefined;
  origin?: string | null | undefined;
};

/** A key vouches for the next one; without any, a code does. */
export function needsOf(store: StoreReader, person: string): Needs {
  return store.credentialsOf(person).some(({ revokedAt }) => revokedAt === null) ? "assertion" : "code";
}

/** Give out the challenge to make a key with. */
export function beginEnrolment(
  session: Session,
  person: string,
  input: EnrolmentInput,
): Challenge<EnrolStatement> & { needs: Needs } {
  const contents = new ContentWriter(session.names);
  const label = contents.textOrNull("label", checkLabel(input.label));
  const site = input.kind === "passkey" ? checkSite(input) : { rp_id: null, origin: null };
  const particular = {
    from: person,
    kind: input.kind,
    public_key_hash: null,
    label_hash: label === null ? null : refDigest(label),
    ...site,
  };
  return { ...giveOut(session, "hap.enrol/1", particular, contents.made), needs: needsOf(session.tx, person) };
}

function checkLabel(label: string | null | undefined): string | null | undefined {
  if (label === null || label === undefined || [...label].length <= LABEL_CHARS) return label;
  throw new HapError("invalid_input", `label has more than ${LABEL_CHARS} characters.`, { field: "label" });
}

/** The page's origin must belong to the RP id, and be one at which browsers make passkeys. */
function checkSite(input: EnrolmentInput): { rp_id: string; origin: string } {
  const rpId = parseWith(rpIdSchema(), input.rp_id, "rp_id");
  const origin = parseWith(originSchema(), input.origin, "origin");
  const { hostname, protocol } = new URL(origin);
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  if ((hostname === rpId || hostname.endsWith(`.${rpId}`)) && (protocol === "https:" || local)) return { rp_id: rpId, origin };
  throw new HapError(
    "invalid_input",
    `origin is ${origin}; it must be at ${rpId} or under it, by https, or by http under localhost.`,
    { field: "origin" },
  );
}

/** Key material in the form that is kept; a misshaped one is refused before anything is used up. */
export function readMaterial(statement: EnrolStatement, given: NewCredential, label: NewContent | undefined): StoredCredential {
  const { algorithm, public_key } = keepKey(statement.kind, given.public_key);
  const common = { kind: statement.kind, algorithm, public_key, label: label?.ref ?? null };
  if (statement.kind === "ssh") {
    const none = { rp_id: null, origins: [], transports: [], user_verification: false, sign_count: 0 };
    return { id: keyDigest(public_key).toString("base64url"), ...common, ...none };
  }
  if (given.id === undefined) throw new HapError("invalid_input", "id is missing; a passkey has one.", { field: "id" });
  if (given.user_verification !== true) {
    throw new HapError(
      "user_verification_missing",
      "User verification missing: a passkey is enrolled by PIN, fingerprint or face. Make it again with user verification required.",
      { field: "user_verification" },
    );
  }
  return {
    id: given.id,
    ...common,
    rp_id: statement.rp_id,
    origins: statement.origin === null ? [] : [statement.origin],
    transports: given.transports ?? [],
    user_verification: true,
    sign_count: given.sign_count ?? 0,
  };
}

/** What an older key signs to vouch for a new one: the same statement, with the new key's hash in it. */
export function vouchStatement(statement: EnrolStatement, publicKey: string): EnrolStatement {
  return { ...statement, public_key_hash: `sha256:${keyDigest(publicKey).toString("hex")}` };
}

/** The challenge for the older key. */
export function vouchChallenge(statement: EnrolStatement, publicKey: string): Challenge<EnrolStatement> {
  const vouching = vouchStatement(statement, publicKey);
  return { statement: vouching, challenge: challengeOf(vouching), expires_at: statement.expires_at };
}

/** Write the key down, once what vouches for it was checked. `code` is true when the person has typed theirs. */
export function enrol(
  session: Session,
  act: { statement: EnrolStatement; contents: NewContent[] },
  credential: StoredCredential,
  proof: { code: boolean; assertion: Signature | undefined },
  verify: { signature: SignatureVerifier; source: CredentialSource },
): UsedCredential {
  const { statement, contents } = act;
  guardNew(session.tx, statement.from, credential);
  const needs = needsOf(session.tx, statement.from);
  if (needs === "code" && !proof.code) throw codeNeeded();
  const assertion = needs === "assertion" ? (proof.assertion ?? null) : null;
  if (needs === "assertion") {
    if (assertion === null) throw assertionNeeded();
    const vouching = vouchStatement(statement, credential.public_key);
    const { counter } = verify.signature(assertion, vouching, statement.from, verify.source);
    session.useCredential(assertion.credential_id, counter);
  }
  const { runtime, epoch, nonce, issued_at, expires_at } = statement;
  const fixed = { runtime, epoch, nonce, issued_at, expires_at, proof: needs, assertion, trust: session.trust };
  const [event] = session.commitApart([{ type: "credential.enrol", from: statement.from, credential, ...fixed }], contents);
  const record = { ...foldEnrol(event), signCount: credential.sign_count, lastUsedAt: null };
  session.tx.putCredential(record);
  return record;
}

function guardNew(store: StoreReader, person: string, { id, public_key }: StoredCredential): void {
  const all = store.credentialsOf();
  const same = all.find((known) => known.id === id || known.publicKey === public_key);
  if (same !== undefined) {
    const how = same.revokedAt === null ? "is enrolled already" : `was revoked at ${same.revokedAt}, for good`;
    throw new HapError("credential_exists", `The key ${fingerprintOf(same.publicKey)} ${how}. Use another one.`, {
      credential_id: same.id,
    });
  }
  if (all.filter((known) => known.person === person && known.revokedAt === null).length < CREDENTIALS_PER_PERSON) return;
  throw new HapError("quota_exceeded", `${person} has ${CREDENTIALS_PER_PERSON} keys, which is the most. Revoke some.`, {
    limit: CREDENTIALS_PER_PERSON,
  });
}

/** The label that an event refers to, as the statement names it. */
export function labelHash(label: string | null): string | null {
  return label === null ? null : refDigest(label as ContentRef);
}

export function codeNeeded(): HapError {
  return new HapError(
    "code_wrong",
    "A first key needs the one-time code that only a terminal shows. Run `hap credential code` there, and type the code.",
    { field: "code" },
  );
}

function assertionNeeded(): HapError {
  return new HapError("signature_needed", "A further key must be vouched for by one that is enrolled: sign with that.", {
    field: "assertion",
  });
}
