// The rows of a deleted person (draft 19.1): signed out everywhere, accounts unlinked, keys revoked, grants ended, the name gone from the
// directory. One event says so; the person's texts were erased before it.
import { foldErased } from "../credentials/record.ts";
import { endGrantsOf } from "../grants/use.ts";
import { forgetInVersions } from "../policies/policy-versions.ts";
import type { Session } from "../transaction/session.ts";

/** Delete everything that makes a handle a person. Does nothing for one that is unknown or was deleted before. */
export function forgetPerson(session: Session, handle: string, from: string): void {
  const { tx } = session;
  const name = tx.nameOf(handle);
  if (name === undefined) return;
  for (const { hash } of tx.listSessions(handle)) tx.dropSession(hash);
  for (const { issuer, subject, person } of tx.listSubjects()) if (person === handle) tx.dropSubject(issuer, subject);
  tx.dropWaiting({ handle, name });
  forgetInVersions(tx, name);
  endGrantsOf(session, { person: handle }, from);
  const [event] = session.commitApart([{ type: "person.erased", person: handle, from, trust: session.trust }]);
  for (const key of tx.credentialsOf(handle)) tx.putCredential({ ...key, ...foldErased(key, event) });
  tx.deleteName(handle);
}
