// Accounts of identity providers: which person each means, by an event with a salted digest of issuer and subject (D35).
import type { Role } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import { rowEventId } from "../log/row-event-id.ts";
import type { StoreReader, SubjectRow } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** The person whom an account means, or null. */
export function accountOf(store: StoreReader, issuer: string, subject: string): string | null {
  const handle = store.subjectPerson(issuer, subject);
  return handle === undefined ? null : (store.nameOf(handle) ?? null);
}

/** Let an account mean a person. One that meant somebody else no longer does. */
export function linkAccount(
  session: Session,
  { issuer, subject, person, from }: Pick<SubjectRow, "issuer" | "subject" | "person"> & { from: string | null },
): void {
  const before = session.tx.subject(issuer, subject);
  if (before?.person === person) return;
  if (before !== undefined) unlinkAccount(session, issuer, subject, from ?? person);
  const since = toIso(session.now);
  const contents = new ContentWriter(session.names);
  const account = contents.json("account", { issuer, subject });
  const [{ seq }] = session.commitApart(
    [{ type: "account.link", person, account, since, from, trust: session.trust }],
    contents.made,
  );
  session.tx.putSubject({ issuer, subject, person, created_at: since, seq });
}

/** End what an account means; returns the handle of whom it meant. */
export function unlinkAccount(session: Session, issuer: string, subject: string, from: string): string {
  const { person, seq } = session.tx.subject(issuer, subject) as SubjectRow;
  const link = rowEventId(session.tx.eventAt(seq)) as string;
  session.commitApart([{ type: "account.unlink", person, link, from, trust: session.trust }]);
  session.tx.dropSubject(issuer, subject);
  return person;
}

/**
 * Why the name that a provider's claim gives cannot be claimed, or null. Whoever was only addressed so far may come in; a name that
 * has a role, an account or a key, or that has acted, belongs to somebody.
 */
export function claimProblem(store: StoreReader, name: string, role: Role | null): string | null {
  if (role !== null) return `${name} is an ${role} here, which no claim can make anybody`;
  const handle = store.handleOf(name);
  if (handle === undefined) return null;
  const taken =
    store.listSubjects().some(({ person }) => person === handle) ||
    store.credentialsOf(handle).length > 0 ||
    store.hasActed(handle);
  return taken ? `${name} is somebody else here already` : null;
}
