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
  PHRASE_DECISIONS,
  type PhraseDecision,
  parseHumanId,
  parseWith,
  type RevokeStatement,
  type Signature,
  signatureSchema,
} from "@hap/protocol";
import { ConversationEngine } from "../conversations/conversation-engine.ts";
import { authorise } from "../decisions/authority.ts";
import { eraseTexts, thenScrub } from "../log/erase.ts";
import { enlist, nameOf } from "../people/people.ts";
import { roleOf } from "../policies/policy.ts";
import type { StoreReader } from "../store/store.ts";
import { guardFit, guardOpen } from "../tickets/guards.ts";
import type { Session } from "../transaction/session.ts";
import { type Challenge, giveOut, readAct } from "./acts.ts";
import { type Demand, demandOn } from "./demand.ts";
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
import { type IssuedPhrase, issuePhrase } from "./phrases.ts";
import { fingerprintOf } from "./public-key.ts";
import { type CredentialRecord, foldRevoke, type UsedCredential, viewCredential } from "./record.ts";
import type { CredentialSource, SignatureVerifier } from "./verify-signature.ts";

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

export class CredentialEngine extends ConversationEngine {
  /** A code for a person to type, in place of their last one. Show it on a terminal and nowhere else. */
  issueCode(input: { purpose: CodePurpose; person: string }): { code: string; expires_at: string } {
    const purpose = parseWith(oneOf(CODE_PURPOSES), input.purpose, "purpose");
    const person = parseHumanId(input.person, "person");
    const prepared = prepareCode(this.random);
    const expiresAt = this.run((session) => storeCode(session, purpose, this.#handle(session, person), prepared));
    return { code: prepared.code, expires_at: expiresAt };
  }

  /** Use a code, once. Five wrong ones burn every open code of the purpose. */
  redeemCode(code: string, purpose: CodePurpose): { person: string } {
    const typed = new TypedCode(code, parseWith(oneOf(CODE_PURPOSES), purpose, "purpose"), this.store);
    const outcome = this.run((session) => redeemCode(session, purpose, typed));
    if ("refused" in outcome) throw outcome.refused;
    return { person: nameOf(this.store, outcome.person) };
  }

  /** Keys of one person or of everybody, oldest first; only those in use, or only revoked ones, when that is said. */
  credentials(query: { person?: string | undefined; revoked?: boolean | undefined } = {}): Credential[] {
    const handle = query.person === undefined ? undefined : this.store.handleOf(parseHumanId(query.person, "person"));
    if (query.person !== undefined && handle === undefined) return [];
    return this.store
      .credentialsOf(handle)
      .filter(({ revokedAt }) => query.revoked === undefined || (revokedAt !== null) === query.revoked)
      .map((record) => viewCredential(this.store, record, this.#anchored(record)));
  }

  /** The challenge to make a key with, and what must vouch for it. */
  beginEnrolment(input: EnrolmentInput & { person: string }): Challenge<EnrolStatement> & { needs: Needs } {
    const person = parseHumanId(input.person, "person");
    const kind: CredentialKind = parseWith(oneOf(CREDENTIAL_KINDS), input.kind, "kind");
    return this.run((session) => beginEnrolment(session, this.#handle(session, person), { ...input, kind }));
  }

  /** What an older key of the person signs to vouch for a new one. */
  enrolmentChallenge(nonce: string, credential: NewCredential): Challenge<EnrolStatement> {
    const { statement, contents } = readAct(this.store.statement(nonce), "hap.enrol/1", this.now());
    const given = parseWith(newCredentialSchema(), credential, "credential");
    return vouchChallenge(statement, readMaterial(statement, given, contents[0]).public_key);
  }

  /** Add a key: a first one by a typed code, a later one by an assertion of an older one. */
  enrolCredential(input: EnrolInput): Credential {
    const given = parseWith(newCredentialSchema(), input.credential, "credential");
    const assertion = input.assertion === undefined ? undefined : parseWith(signatureSchema(), input.assertion, "assertion");
    const act = readAct(this.store.statement(input.nonce), "hap.enrol/1", this.now());
    if (input.person !== undefined && this.store.handleOf(parseHumanId(input.person, "person")) !== act.statement.from)
      throw new HapError("statement_mismatch", "Statement mismatch: this enrolment was begun by somebody else.", {
        field: "nonce",
      });
    const material = readMaterial(act.statement, given, act.contents[0]);
    const code = needsOf(this.store, act.statement.from) === "code" && this.#redeemFor(act.statement.from, input.code);
    return this.run((session) => {
      const again = readAct(session.tx.statement(input.nonce), "hap.enrol/1", session.now);
      const record = enrol(session, again, material, { code, assertion }, this.signatures(session.tx));
      session.tx.dropStatement(input.nonce);
      return viewCredential(session.tx, record, this.#anchored(record));
    });
  }

  #redeemFor(handle: string, code: string | undefined): true {
    if (code === undefined) throw codeNeeded();
    const { person } = this.redeemCode(code, "enrol");
    if (this.store.handleOf(person) === handle) return true;
    throw new HapError("code_wrong", "The code was made for somebody else. It is used up; get a new one.", { field: "code" });
  }

  /** What to sign to revoke a key. A revocation need not be signed: it is a no (D3). */
  beginRevocation(input: { person: string; id: string }): Challenge<RevokeStatement> {
    const person = parseHumanId(input.person, "person");
    return this.run((session) => {
      const from = this.#handle(session, person);
      this.#revocable(session, input.id, person, from);
      return giveOut(session, "hap.revoke/1", { from, credential_id: input.id });
    });
  }

  /** Take a key out of use for good: one's own, or, as an owner, somebody's. */
  revokeCredential(input: RevokeInput): Credential {
    const person = parseHumanId(input.by, "by");
    const assertion = input.assertion === undefined ? null : parseWith(signatureSchema(), input.assertion, "assertion");
    return this.run((session) => {
      const from = this.#handle(session, person);
      const record = this.#revocable(session, input.id, person, from);
      const { statement } =
        input.nonce === undefined
          ? giveOut(session, "hap.revoke/1", { from, credential_id: input.id })
          : readAct(session.tx.statement(input.nonce), "hap.revoke/1", session.now);
      if (statement.from !== from || statement.credential_id !== input.id)
        throw new HapError("statement_mismatch", "Statement mismatch: it was given out for another key, or to somebody else.", {
          field: "nonce",
        });
      if (assertion !== null) {
        const { signature, source } = this.signatures(session.tx);
        session.useCredential(assertion.credential_id, signature(assertion, statement, from, source).counter);
      }
      session.tx.dropStatement(statement.nonce);
      const { runtime, epoch, nonce, issued_at, expires_at } = statement;
      const fixed = { runtime, epoch, nonce, issued_at, expires_at, assertion, trust: this.trust };
      const [event] = session.commitApart([{ type: "credential.revoke", from, credential_id: input.id, ...fixed }]);
      const revoked = { ...record, ...foldRevoke(record, event) };
      session.tx.putCredential(revoked);
      return viewCredential(session.tx, revoked, this.#anchored(revoked));
    });
  }

  /** Delete the label that somebody gave to a key of theirs, for good; the key stays as it is (D19). */
  eraseCredential(id: string, by: string, reason?: string): EraseResult["erased"] {
    const person = parseHumanId(by, "by");
    return thenScrub(this.store, this.copyTools(), () =>
      this.run((session) => {
        const from = this.#handle(session, person);
        const record = this.#mine(session, id, person, from);
        return eraseTexts(session, record.seq, fingerprintOf(record.publicKey), { from, reason });
      }),
    );
  }

  #revocable(session: Session, id: string, person: string, handle: string) {
    const record = this.#mine(session, id, person, handle);
    if (record.revokedAt === null) return record;
    throw new HapError("credential_revoked", `${id} was revoked at ${record.revokedAt} already.`, { field: "id" });
  }

  /** A key of one's own, or, for an owner, anybody's. */
  #mine(session: Session, id: string, person: string, handle: string): UsedCredential {
    const record = session.tx.credentialById(id);
    const may = record?.person === handle || roleOf(this.confirmedPolicies(), person) === "owner";
    if (record !== undefined && may) return record;
    throw new HapError("credential_unknown", `You have no credential ${id.slice(0, 44)}. \`hap credential list\` shows yours.`, {
      field: "id",
    });
  }

  /** What to sign to log in, and the passkeys that may; without a person, the key says who it is. */
  beginLogin(person?: string): Challenge<LoginStatement> & { credential_ids: string[] } {
    const name = person === undefined ? undefined : parseHumanId(person, "person");
    return this.run((session) => {
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
    const enrolled = this.signatures(this.store).source.credential(String(input.assertion.credential_id));
    const assertion = parseWith(
      signatureSchema(),
      { algorithm: enrolled?.algorithm ?? "ES256", ...input.assertion },
      "assertion",
    );
    return this.run((session) => {
      const { statement } = readAct(session.tx.statement(input.nonce), "hap.login/1", session.now);
      const { signature, source } = this.signatures(session.tx);
      const handle = statement.from ?? source.credential(assertion.credential_id)?.person ?? "";
      const { level, counter } = signature(assertion, statement, handle, source);
      session.useCredential(assertion.credential_id, counter);
      session.tx.dropStatement(input.nonce);
      return { person: nameOf(session.tx, handle), level, credential_id: assertion.credential_id };
    });
  }

  /** What a yes to a ticket needs from a person (D3): the least level by signature, or null, and whether to type the phrase. */
  neededFor(id: string, person: string): { signature: Demand; confirmed: boolean } {
    const record = this.current(id);
    const handle = this.store.handleOf(parseHumanId(person, "person"));
    const keys = handle === undefined ? [] : this.store.credentialsOf(handle);
    const signature = demandOn(record, keys, (key) => this.#anchored(key), this.confirmedPolicies());
    return { signature, confirmed: record.ticket.tier === "critical" && signature !== "passkey" };
  }

  /** The phrase that confirms a yes to a critical ticket (D3), in place of the person's last one; show it to them alone. */
  issuePhrase(id: string, options: { by?: string | undefined; decision?: PhraseDecision } = {}): IssuedPhrase {
    const decision = parseWith(oneOf(PHRASE_DECISIONS), options.decision ?? "approve", "decision");
    const by = this.actingPerson(options.by);
    return this.run((session) => {
      const record = session.ticket(id);
      guardOpen(record);
      guardFit(record, decision);
      const handle = by === null ? record.to : authorise(session, record, by, this.confirmedPolicies()).handle;
      return issuePhrase(session, record, handle, decision, this.random);
    });
  }

  /** How signatures are checked against the keys that a store holds. */
  protected signatures(store: StoreReader): { signature: SignatureVerifier; source: CredentialSource } {
    return {
      signature: this.verifySignature,
      source: { credential: (id) => store.credentialById(id), anchored: (record) => this.#anchored(record) },
    };
  }

  /** Pinned out of an agent's reach: in a store that is, and was when it was enrolled, or in root's file. */
  #anchored(record: CredentialRecord): boolean {
    if (this.trust !== "open" && record.trust !== "open") return true;
    return this.anchors.has(fingerprintOf(record.publicKey));
  }

  #handle(session: Session, person: string): string {
    return enlist(session, person);
  }
}
