// Credentials on the engine (D25): one-time codes, enrolment, revocation, login, and what a yes must be signed with.
import {
  type AssuranceLevel,
  CODE_PURPOSES,
  type CodePurpose,
  CREDENTIAL_KINDS,
  type Credential,
  type CredentialKind,
  type EnrolStatement,
  type EraseResult,
  HapError,
  type LoginStatement,
  type NewCredential,
  newCredentialSchema,
  oneOf,
  parseHumanId,
  parseWith,
  type RevokeStatement,
  type Signature,
  signatureSchema,
} from "@hap/protocol";
import { endGrantsOf } from "../grants/use.ts";
import { eraseTexts } from "../log/erase.ts";
import { enlist, nameOf } from "../people/people.ts";
import { confirmedPolicies } from "../policies/confirmed-policy.ts";
import { roleOf } from "../policies/policy.ts";
import type { Context, Facts } from "../transaction/context.ts";
import { attempt } from "../transaction/group-commit.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { type Challenge, giveOut, readAct } from "./acts.ts";
import {
  beginEnrolment,
  codeNeeded,
  type EnrolmentInput,
  enrol,
  type Needs,
  needsOf,
  readMaterial,
  vouchChallenge,
} from "./enrolment.ts";
import { prepareCode, redeemCode, storeCode, TypedCode } from "./one-time-codes.ts";
import { fingerprintOf } from "./public-key.ts";
import { foldRevoke, type UsedCredential, viewCredential } from "./record.ts";
import { type CredentialSource, credentialSource, isAnchored, type SignatureVerifier } from "./verify-signature.ts";

/** What comes back for an enrolment. */
export type EnrolInput = {
  /** Whose enrolment it must be; left out, whoever began it. */
  person?: string | undefined;
  nonce: string;
  credential: NewCredential;
  code?: string | undefined;
  assertion?: Signature | undefined;
};
/** Which key is revoked, by whom, and, where it is signed, under which nonce. */
export type RevokeInput = { id: string; by: string; nonce?: string | undefined; assertion?: Signature | undefined };

/** People's keys: one-time codes, enrolment, revocation and login. */
export class Credentials {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** A code for a person to type, or a link's secret, in place of their last one. Show it on a terminal and nowhere else. */
  issueCode(input: { purpose: CodePurpose; person: string }): { code: string; expires_at: string } {
    const purpose = parseWith(oneOf(CODE_PURPOSES), input.purpose, "purpose");
    const person = parseHumanId(input.person, "person");
    const prepared = prepareCode(purpose, this.#engine.random);
    const expiresAt = this.#engine.run((session) => storeCode(session, purpose, enlist(session, person), prepared));
    return { code: prepared.code, expires_at: expiresAt };
  }

  /** Use a code, once. Five wrong ones burn every open code of the purpose. */
  redeemCode(code: string, purpose: CodePurpose): { person: string } {
    const typed = new TypedCode(code, parseWith(oneOf(CODE_PURPOSES), purpose, "purpose"), this.#engine.rows);
    return this.#engine.run((session) => {
      const person = redeemCode(session, purpose, typed);
      return person instanceof Refused ? person : { person: nameOf(session.tx, person) };
    });
  }

  /** Keys of one person or of everybody, oldest first; only those in use, or only revoked ones, when that is said. */
  credentials(query: { person?: string | undefined; revoked?: boolean | undefined } = {}): Credential[] {
    const handle = query.person === undefined ? undefined : this.#engine.rows.handleOf(parseHumanId(query.person, "person"));
    if (query.person !== undefined && handle === undefined) return [];
    const facts = this.#engine.facts();
    return this.#engine.rows
      .credentialsOf(handle)
      .filter(({ revokedAt }) => query.revoked === undefined || (revokedAt !== null) === query.revoked)
      .map((record) => viewCredential(this.#engine.rows, record, isAnchored(record, facts)));
  }

  /** The challenge to make a key with, and what must vouch for it. */
  beginEnrolment(input: EnrolmentInput & { person: string }): Challenge<EnrolStatement> & { needs: Needs } {
    const person = parseHumanId(input.person, "person");
    const kind: CredentialKind = parseWith(oneOf(CREDENTIAL_KINDS), input.kind, "kind");
    return this.#engine.run((session) => beginEnrolment(session, enlist(session, person), { ...input, kind }));
  }

  /** What an older key of the person signs to vouch for a new one. */
  enrolmentChallenge(nonce: string, credential: NewCredential): Challenge<EnrolStatement> {
    const { statement, contents } = readAct(this.#engine.rows.statement(nonce), "hap.enrol/1", this.#engine.now());
    const given = parseWith(newCredentialSchema(), credential, "credential");
    return vouchChallenge(statement, readMaterial(statement, given, contents[0]).public_key);
  }

  /** Add a key: a first one by a typed code, a later one by an assertion of an older one. */
  enrolCredential(input: EnrolInput): Credential {
    const given = parseWith(newCredentialSchema(), input.credential, "credential");
    const assertion = input.assertion === undefined ? undefined : parseWith(signatureSchema(), input.assertion, "assertion");
    const person = input.person === undefined ? undefined : parseHumanId(input.person, "person");
    // A misshaped key, or one of somebody else, uses up no code.
    const act = readAct(this.#engine.rows.statement(input.nonce), "hap.enrol/1", this.#engine.now());
    if (person !== undefined && this.#engine.rows.handleOf(person) !== act.statement.from) throw notBegunBy();
    const material = readMaterial(act.statement, given, act.contents[0]);
    const needsCode = needsOf(this.#engine.rows, act.statement.from) === "code";
    if (needsCode && input.code === undefined) throw codeNeeded();
    const typed = needsCode ? new TypedCode(input.code as string, "enrol", this.#engine.rows) : null;
    return this.#engine.run((session, facts) => {
      const { from } = readAct(session.tx.statement(input.nonce), "hap.enrol/1", session.now).statement;
      const redeemed = typed === null ? null : redeemCode(session, "enrol", typed);
      if (redeemed instanceof Refused) return redeemed;
      if (redeemed !== null && redeemed !== from) return new Refused(codeOfAnother());
      // The code stays used, whatever becomes of the key.
      const outcome = attempt(() =>
        session.attempt(() => {
          const again = readAct(session.tx.statement(input.nonce), "hap.enrol/1", session.now);
          const record = enrol(session, again, material, { code: redeemed !== null, assertion }, signatures(session, facts));
          session.tx.dropStatement(input.nonce);
          return viewCredential(session.tx, record, isAnchored(record, facts));
        }),
      );
      return "value" in outcome ? outcome.value : new Refused(outcome.error as HapError);
    });
  }

  /** What to sign to revoke a key. A revocation need not be signed: it is a no (D3). */
  beginRevocation(input: { person: string; id: string }): Challenge<RevokeStatement> {
    const person = parseHumanId(input.person, "person");
    return this.#engine.run((session, facts) => {
      const from = enlist(session, person);
      revocable(session, facts, { id: input.id, person, handle: from });
      return giveOut(session, "hap.revoke/1", { from, credential_id: input.id });
    });
  }

  /** Take a key out of use for good: one's own, or, as an owner, somebody's. */
  revokeCredential(input: RevokeInput): Credential {
    const person = parseHumanId(input.by, "by");
    const assertion = input.assertion === undefined ? null : parseWith(signatureSchema(), input.assertion, "assertion");
    return this.#engine.run((session, facts) => {
      const from = enlist(session, person);
      const record = revocable(session, facts, { id: input.id, person, handle: from });
      const { statement } =
        input.nonce === undefined
          ? giveOut(session, "hap.revoke/1", { from, credential_id: input.id })
          : readAct(session.tx.statement(input.nonce), "hap.revoke/1", session.now);
      if (statement.from !== from || statement.credential_id !== input.id)
        throw new HapError("statement_mismatch", "Statement mismatch: it was given out for another key, or to somebody else.", {
          field: "nonce",
        });
      if (assertion !== null) {
        const { signature, source } = signatures(session, facts);
        session.useCredential(assertion.credential_id, signature(assertion, statement, from, source).counter);
      }
      session.tx.dropStatement(statement.nonce);
      const { runtime, epoch, nonce, issued_at, expires_at } = statement;
      const fixed = { runtime, epoch, nonce, issued_at, expires_at, assertion, trust: facts.trust };
      const [event] = session.commitApart([{ type: "credential.revoke", from, credential_id: input.id, ...fixed }]);
      const revoked = { ...record, ...foldRevoke(record, event) };
      session.tx.putCredential(revoked);
      endGrantsOf(session, { credential: revoked.id }, from);
      return viewCredential(session.tx, revoked, isAnchored(revoked, facts));
    });
  }

  /** Delete the label that somebody gave to a key of theirs, for good; the key stays as it is (D19). */
  eraseCredential(id: string, by: string, reason?: string): EraseResult["erased"] {
    const person = parseHumanId(by, "by");
    return this.#engine.runThenScrub((session, facts) => {
      const from = enlist(session, person);
      const record = ownCredential(session, facts, { id, person, handle: from });
      return eraseTexts(session, record.seq, fingerprintOf(record.publicKey), { from, reason });
    });
  }

  /** What to sign to log in, and the passkeys that may; without a person, the key says who it is. */
  beginLogin(person?: string): Challenge<LoginStatement> & { credential_ids: string[] } {
    const name = person === undefined ? undefined : parseHumanId(person, "person");
    return this.#engine.run((session) => {
      // Whether a person is known here is nobody's business before they have logged in.
      const handle = name === undefined ? null : (session.tx.handleOf(name) ?? session.names.id("human:"));
      const keys = handle === null ? [] : session.tx.credentialsOf(handle).filter(({ revokedAt }) => revokedAt === null);
      return { ...giveOut(session, "hap.login/1", { from: handle }), credential_ids: keys.map(({ id }) => id) };
    });
  }

  /** Who logged in, and how well that is proven. A page that does not know the key's algorithm leaves it out. */
  finishLogin(input: { nonce: string; assertion: Omit<Signature, "algorithm"> & Partial<Pick<Signature, "algorithm">> }): {
    person: string;
    level: AssuranceLevel;
    credential_id: string;
  } {
    const enrolled = this.#engine.rows.credentialById(String(input.assertion.credential_id));
    const assertion = parseWith(
      signatureSchema(),
      { algorithm: enrolled?.algorithm ?? "ES256", ...input.assertion },
      "assertion",
    );
    return this.#engine.run((session, facts) => {
      const { statement } = readAct(session.tx.statement(input.nonce), "hap.login/1", session.now);
      const { signature, source } = signatures(session, facts);
      const handle = statement.from ?? source.credential(assertion.credential_id)?.person ?? "";
      const { level, counter } = signature(assertion, statement, handle, source);
      session.useCredential(assertion.credential_id, counter);
      session.tx.dropStatement(input.nonce);
      return { person: nameOf(session.tx, handle), level, credential_id: assertion.credential_id };
    });
  }
}

/** How signatures are checked in a transaction. */
function signatures(session: Session, facts: Facts): { signature: SignatureVerifier; source: CredentialSource } {
  return { signature: facts.verifySignature, source: credentialSource(session.tx, facts) };
}

/** Whose key: by its id, for a person and their handle. */
type WhoseKey = { id: string; person: string; handle: string };

/** One's own key, or, for an owner, anybody's. */
function ownCredential(session: Session, facts: Facts, { id, person, handle }: WhoseKey): UsedCredential {
  const record = session.tx.credentialById(id);
  const may = record?.person === handle || roleOf(confirmedPolicies(session.tx, facts), person) === "owner";
  if (record !== undefined && may) return record;
  throw new HapError("credential_unknown", `You have no credential ${id.slice(0, 44)}. \`hap credential list\` shows yours.`, {
    field: "id",
  });
}

function revocable(session: Session, facts: Facts, whose: WhoseKey): UsedCredential {
  const record = ownCredential(session, facts, whose);
  if (record.revokedAt === null) return record;
  throw new HapError("credential_revoked", `${whose.id} was revoked at ${record.revokedAt} already.`, { field: "id" });
}

function notBegunBy(): HapError {
  return new HapError("statement_mismatch", "Statement mismatch: this enrolment was begun by somebody else.", { field: "nonce" });
}

function codeOfAnother(): HapError {
  return new HapError("code_wrong", "The code was made for somebody else. It is used up; get a new one.", { field: "code" });
}
