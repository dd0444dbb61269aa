// People who come in: by sign-ins that a server gives out, as accounts of identity providers, and in which role. Each begins and
// ends with an event (D35). What a request made is remembered here too.
import { type EnrolStatement, HapError, parseHumanId, quote, type Role, type SessionEnd } from "@hap/protocol";
import { challengeOf, readAct } from "../credentials/acts.ts";
import { CredentialEngine } from "../credentials/credential-engine.ts";
import { roleOf } from "../policies/policy.ts";
import { toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import { accountOf, claimProblem, linkAccount, unlinkAccount } from "./accounts.ts";
import { enlist } from "./people.ts";
import { type SessionRecord, sessionExpiry, USED_MS } from "./records.ts";
import { REMEMBER_MS, requestDigest } from "./requests.ts";
import { hashSecret, SECRET_BYTES } from "./secret.ts";

/** Who a sign-in belongs to. */
export type SignIn = Pick<SessionRecord, "kind" | "how"> & { person: string; expires_at: string };

/** How often requests that are past their time are forgotten. */
const FORGET_EVERY_MS = 60_000;

export abstract class IdentityEngine extends CredentialEngine {
  #forgotMade = Number.NEGATIVE_INFINITY;

  protected handleIn(session: Session, person: string): string {
    return enlist(session, parseHumanId(person, "by"));
  }

  /** Sign a person in; the secret is in the answer and nowhere else. */
  signIn(person: string, kind: SessionRecord["kind"], how: SessionRecord["how"]): SignIn & { secret: string } {
    return this.run((session) => {
      const secret = Buffer.from(session.names.bytes(SECRET_BYTES)).toString("base64url");
      const now = session.now;
      const ended = session.tx.listSessions().filter(({ expiresAt }) => expiresAt < now);
      this.endSessions(session, ended, "expired");
      const used = {
        hash: hashSecret(secret),
        person: this.handleIn(session, person),
        kind,
        how,
        createdAt: now,
        lastUsedAt: now,
      };
      const record: SessionRecord = { ...used, expiresAt: sessionExpiry(used) };
      const { hash, person: handle } = record;
      session.commitApart([{ type: "session.begin", session_hash: hash, person: handle, kind, how, began_at: toIso(now) }]);
      session.tx.putSession(record);
      return { kind, how, person: parseHumanId(person, "person"), expires_at: toIso(record.expiresAt), secret };
    });
  }

  /** Who this sign-in is, or null when it is over. Use keeps it alive. */
  signedIn(secret: string): SignIn | null {
    return this.store.glance(() => this.#signedIn(secret));
  }

  #signedIn(secret: string): SignIn | null {
    const record = this.store.sessionByHash(hashSecret(secret));
    const now = this.now();
    if (record === undefined || record.expiresAt <= now) return null;
    const person = this.store.nameOf(record.person);
    if (person === undefined) return null;
    if (now - record.lastUsedAt >= USED_MS && this.violation() === null) {
      const used = { ...record, lastUsedAt: now };
      this.store.write((tx) => tx.putSession({ ...used, expiresAt: sessionExpiry(used) }));
    }
    return { kind: record.kind, how: record.how, person, expires_at: toIso(record.expiresAt) };
  }

  /** End one sign-in, or all of a person; with the last one go the browsers that called them. */
  signOut(which: { secret: string } | { person: string }): void {
    this.run((session) => {
      if ("secret" in which) {
        const found = session.tx.sessionByHash(hashSecret(which.secret));
        if (found !== undefined) this.endSessions(session, [found], "signed_out");
        return;
      }
      const handle = session.tx.handleOf(which.person);
      if (handle !== undefined) this.#signOutEverywhere(session, handle, "signed_out");
    });
  }

  #signOutEverywhere(session: Session, handle: string, reason: SessionEnd): void {
    this.endSessions(session, session.tx.listSessions(handle), reason);
    session.tx.dropPushSubscriptions({ person: handle });
  }

  protected endSessions(session: Session, records: readonly SessionRecord[], reason: SessionEnd): void {
    for (const { hash, person } of records) {
      session.commitApart([{ type: "session.end", session_hash: hash, person, reason }]);
      session.tx.dropSession(hash);
    }
  }

  /** The person whom an identity provider means, or null. */
  personOf(issuer: string, subject: string): string | null {
    return accountOf(this.store, issuer, subject);
  }

  /** From now on this account means that person. */
  linkSubject(person: string, issuer: string, subject: string, by: string): void {
    this.assertOwner(by, "say which accounts mean whom");
    this.run((session) =>
      linkAccount(session, { issuer, subject, person: this.handleIn(session, person), from: this.handleIn(session, by) }),
    );
  }

  /**
   * Somebody whom a provider names signs in for the first time: a new person, or one who was only addressed so far. Returns why
   * the name cannot be theirs, or null once it is.
   */
  claimPerson(person: string, issuer: string, subject: string): string | null {
    const name = parseHumanId(person, "person");
    const role = this.roleOf(name);
    return this.run((session) => {
      const problem = claimProblem(session.tx, name, role);
      if (problem === null) linkAccount(session, { issuer, subject, person: this.handleIn(session, name), from: null });
      return problem;
    });
  }

  /** The account means them no longer, and they are signed out everywhere. */
  unlinkSubject(person: string, issuer: string, subject: string, by: string): void {
    this.assertOwner(by, "say which accounts mean whom");
    const name = parseHumanId(person, "person");
    this.run((session) => {
      if (accountOf(session.tx, issuer, subject) !== name)
        throw new HapError("person_unknown", `${name} has no account ${quote(subject)} of ${quote(issuer)}.`, { person: name });
      this.#signOutEverywhere(session, unlinkAccount(session, issuer, subject, this.handleIn(session, by)), "unlinked");
    });
  }

  protected assertOwner(by: string, what: string): void {
    if (this.roleOf(parseHumanId(by, "by")) === "owner") return;
    throw new HapError(
      "scope_missing",
      `Only an owner may ${what}; ${by} is none. Owners are named in the confirmed policy; without any, it is the person whose store it is.`,
      { by },
    );
  }

  /** Everybody in the directory, with role and the subjects that mean them. */
  people(): { person: string; role: Role | null; since: string; subjects: { issuer: string; subject: string }[] }[] {
    const subjects = this.store.listSubjects();
    return this.store.listPeople().map(({ handle, name, created_at }) => ({
      person: name,
      role: this.roleOf(name),
      since: created_at,
      subjects: subjects.filter(({ person }) => person === handle).map(({ issuer, subject }) => ({ issuer, subject })),
    }));
  }

  /** A person's role. Where no confirmed policy names an owner, the person whose machine it is owns it. */
  roleOf(person: string): Role | null {
    const policies = this.confirmedPolicies();
    const role = roleOf(policies, person);
    if (role !== null) return role;
    const owners = policies.confirmed?.roles?.owner ?? [];
    return owners.length === 0 && person === this.localPerson ? "owner" : null;
  }

  /** A person's handle, made when it is new. */
  handleOf(person: string): string {
    return this.store.handleOf(person) ?? this.run((session) => this.handleIn(session, person));
  }

  /** What was given out to make a key with, while it is valid. */
  enrolmentBegun(nonce: string): { statement: EnrolStatement; challenge: string } {
    const { statement } = readAct(this.store.statement(nonce), "hap.enrol/1", this.now());
    return { statement, challenge: challengeOf(statement) };
  }

  /** Refuse, as if it were not there, a message for another agent. */
  assertMessageFor(messageId: string, agent: string): void {
    if (this.store.messageById(messageId)?.agent === agent) return;
    throw new HapError("agent_unknown", `There is no message ${quote(messageId)} for ${agent}.`, { message_id: messageId });
  }

  /** Refuse, as if it were not there, a message that another person wrote. */
  assertMessageFrom(messageId: string, person: string): void {
    const from = this.store.messageById(messageId)?.from;
    if (from !== undefined && from === this.store.handleOf(person)) return;
    throw new HapError("agent_unknown", `There is no message ${quote(messageId)} that you may see.`, { message_id: messageId });
  }

  /** The ticket that this request made before; another request under the same key is an error. */
  madeBefore(owner: string, key: string, request: string): string | null {
    const found = this.store.idempotent(owner, key);
    if (found === undefined) return null;
    if (found.request === hashSecret(request)) return found.ticketId;
    throw new HapError(
      "idempotency_conflict",
      `The idempotency key ${quote(key)} was used for another request, which made ${found.ticketId}. Use a new key.`,
      { field: "Idempotency-Key", ticket_id: found.ticketId },
    );
  }

  /** Remember for a day what a request made. */
  rememberMade(owner: string, key: string, request: string, ticketId: string): void {
    this.run((session) => {
      // Looking for old ones takes as long as there are others, so that is done now and then.
      if (Math.abs(session.now - this.#forgotMade) >= FORGET_EVERY_MS) {
        session.tx.dropIdempotent(session.now - REMEMBER_MS);
        this.#forgotMade = session.now;
      }
      const made = { owner, key, request: hashSecret(request), ticketId, createdAt: session.now, salt: session.names.salt() };
      const [{ seq }] = session.commitApart([
        { type: "request.keep", digest: requestDigest(made), kept_at: toIso(made.createdAt) },
      ]);
      session.tx.putRequest({ ...made, seq });
    });
  }
}
