// People who come in: by sign-ins that a server gives out, as accounts of identity providers, and in which role. Each begins and
// ends with an event (D35). What a request made is remembered here too.
import { type EnrolStatement, HapError, parseHumanId, quote, type Role, type SessionEnd } from "@hap/protocol";
import { challengeOf, readAct } from "../credentials/acts.ts";
import { toIso } from "../tickets/record.ts";
import { type Context, unlessReadOnly } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";
import { accountOf, claimProblem, linkAccount, unlinkAccount } from "./accounts.ts";
import { assertOwner, roleIn } from "./owners.ts";
import { enlistPerson } from "./people.ts";
import { type SessionRecord, sessionExpiry, USED_MS } from "./records.ts";
import { REMEMBER_MS, requestDigest } from "./requests.ts";
import { hashSecret, SECRET_BYTES } from "./secret.ts";

/** Who a sign-in belongs to. */
export type SignIn = Pick<SessionRecord, "kind" | "how"> & { person: string; expires_at: string };

/** How often requests that are past their time are forgotten, and the setting that says when it was done last. */
const FORGET_EVERY_MS = 60_000;
const FORGOT_AT = "requests_forgotten_at";

/** Sign-ins, accounts of identity providers, roles, and requests that may be sent again. */
export class Identity {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** Sign a person in; the secret is in the answer and nowhere else. */
  signIn(person: string, kind: SessionRecord["kind"], how: SessionRecord["how"]): SignIn & { secret: string } {
    return this.#engine.run((session) => {
      const secret = Buffer.from(session.names.bytes(SECRET_BYTES)).toString("base64url");
      const now = session.now;
      const ended = session.tx.listSessions().filter(({ expiresAt }) => expiresAt < now);
      endSessions(session, ended, "expired");
      const used = {
        hash: hashSecret(secret),
        person: enlistPerson(session, person),
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
    return this.#engine.store.glance(() => this.#signedIn(secret));
  }

  #signedIn(secret: string): SignIn | null {
    const record = this.#engine.rows.sessionByHash(hashSecret(secret));
    const now = this.#engine.now();
    if (record === undefined || record.expiresAt <= now) return null;
    const person = this.#engine.rows.nameOf(record.person);
    if (person === undefined) return null;
    if (now - record.lastUsedAt >= USED_MS && this.#engine.violation() === null) {
      const used = { ...record, lastUsedAt: now };
      const kept = { ...used, expiresAt: sessionExpiry(used) };
      unlessReadOnly(() => this.#engine.write((rows) => rows.putSession(kept)), undefined);
    }
    return { kind: record.kind, how: record.how, person, expires_at: toIso(record.expiresAt) };
  }

  /** True while this sign-in is valid. Unlike `signedIn`, asking does not keep it alive. */
  isSignedIn(secret: string): boolean {
    const record = this.#engine.rows.sessionByHash(hashSecret(secret));
    return record !== undefined && record.expiresAt > this.#engine.now();
  }

  /** End one sign-in, or all of a person; with the last one go the browsers that called them. */
  signOut(which: { secret: string } | { person: string }): void {
    this.#engine.run((session) => {
      if ("secret" in which) {
        const found = session.tx.sessionByHash(hashSecret(which.secret));
        if (found !== undefined) endSessions(session, [found], "signed_out");
        return;
      }
      const handle = session.tx.handleOf(which.person);
      if (handle !== undefined) signOutEverywhere(session, handle, "signed_out");
    });
  }

  /** The person whom an identity provider means, or null. */
  personOf(issuer: string, subject: string): string | null {
    return accountOf(this.#engine.rows, issuer, subject);
  }

  /** From now on this account means that person. */
  linkSubject(person: string, issuer: string, subject: string, by: string): void {
    this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "say which accounts mean whom");
      linkAccount(session, { issuer, subject, person: enlistPerson(session, person), from: enlistPerson(session, by) });
    });
  }

  /**
   * Somebody whom a provider names signs in for the first time: a new person, or one who was only addressed so far. Returns why
   * the name cannot be theirs, or null once it is.
   */
  claimPerson(person: string, issuer: string, subject: string): string | null {
    const name = parseHumanId(person, "person");
    return this.#engine.run((session, facts) => {
      const problem = claimProblem(session.tx, name, roleIn(session.tx, facts, name));
      if (problem === null) linkAccount(session, { issuer, subject, person: enlistPerson(session, name), from: null });
      return problem;
    });
  }

  /** The account means them no longer, and they are signed out everywhere. */
  unlinkSubject(person: string, issuer: string, subject: string, by: string): void {
    const name = parseHumanId(person, "person");
    this.#engine.run((session, facts) => {
      assertOwner(session.tx, facts, by, "say which accounts mean whom");
      if (accountOf(session.tx, issuer, subject) !== name)
        throw new HapError("person_unknown", `${name} has no account ${quote(subject)} of ${quote(issuer)}.`, { person: name });
      signOutEverywhere(session, unlinkAccount(session, issuer, subject, enlistPerson(session, by)), "unlinked");
    });
  }

  /** Everybody in the directory, with role and the subjects that mean them. */
  people(): { person: string; role: Role | null; since: string; subjects: { issuer: string; subject: string }[] }[] {
    const { rows } = this.#engine;
    const facts = this.#engine.facts();
    const subjects = rows.listSubjects();
    return rows.listPeople().map(({ handle, name, created_at }) => ({
      person: name,
      role: roleIn(rows, facts, name),
      since: created_at,
      subjects: subjects.filter(({ person }) => person === handle).map(({ issuer, subject }) => ({ issuer, subject })),
    }));
  }

  /** A person's role. Where no confirmed policy names an owner, the person whose machine it is owns it. */
  roleOf(person: string): Role | null {
    return roleIn(this.#engine.rows, this.#engine.facts(), person);
  }

  /** A person's handle, made when it is new. */
  handleOf(person: string): string {
    return this.#engine.rows.handleOf(person) ?? this.#engine.run((session) => enlistPerson(session, person));
  }

  /** What was given out to make a key with, while it is valid. */
  enrolmentBegun(nonce: string): { statement: EnrolStatement; challenge: string } {
    const { statement } = readAct(this.#engine.rows.statement(nonce), "hap.enrol/1", this.#engine.now());
    return { statement, challenge: challengeOf(statement) };
  }

  /** Refuse, as if it were not there, a message for another agent. */
  assertMessageFor(messageId: string, agent: string): void {
    if (this.#engine.rows.messageById(messageId)?.agent === agent) return;
    throw new HapError("agent_unknown", `There is no message ${quote(messageId)} for ${agent}.`, { message_id: messageId });
  }

  /** Refuse, as if it were not there, a message that another person wrote. */
  assertMessageFrom(messageId: string, person: string): void {
    const from = this.#engine.rows.messageById(messageId)?.from;
    if (from !== undefined && from === this.#engine.rows.handleOf(person)) return;
    throw new HapError("agent_unknown", `There is no message ${quote(messageId)} that you may see.`, { message_id: messageId });
  }

  /** The ticket that this request made before; another request under the same key is an error. */
  madeBefore(owner: string, key: string, request: string): string | null {
    const found = this.#engine.rows.idempotent(owner, key);
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
    this.#engine.run((session) => {
      // Looking for old ones takes as long as there are others, so that is done now and then.
      if (Math.abs(session.now - Number(session.tx.config(FORGOT_AT) ?? 0)) >= FORGET_EVERY_MS) {
        session.tx.dropIdempotent(session.now - REMEMBER_MS);
        session.tx.setConfig(FORGOT_AT, String(session.now));
      }
      const made = { owner, key, request: hashSecret(request), ticketId, createdAt: session.now, salt: session.names.salt() };
      const [{ seq }] = session.commitApart([
        { type: "request.keep", digest: requestDigest(made), kept_at: toIso(made.createdAt) },
      ]);
      session.tx.putRequest({ ...made, seq });
    });
  }
}

function signOutEverywhere(session: Session, handle: string, reason: SessionEnd): void {
  endSessions(session, session.tx.listSessions(handle), reason);
  session.tx.dropPushSubscriptions({ person: handle });
}

/** End sign-ins, each with its reason in the log. */
export function endSessions(session: Session, records: readonly SessionRecord[], reason: SessionEnd): void {
  for (const { hash, person } of records) {
    session.commitApart([{ type: "session.end", session_hash: hash, person, reason }]);
    session.tx.dropSession(hash);
  }
}
