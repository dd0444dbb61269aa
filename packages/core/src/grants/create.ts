// Making a grant (D43): what is given out to be confirmed, and what it takes for it to count. A person with a key signs, another
// types a phrase that was issued for it; a denial needs neither.
import {
  type AssuranceLevel,
  type ContentRef,
  type EndGrantStatement,
  GRANT_LIMITS,
  type GrantNeeds,
  type GrantStatement,
  HapError,
  type Json,
  refDigest,
  type Signature,
} from "@hap/protocol";
import type { Act } from "../credentials/act-phrases.ts";
import { type Challenge, giveOut } from "../credentials/acts.ts";
import { credentialSource } from "../credentials/verify-signature.ts";
import { ContentWriter, type NewContent } from "../log/contents.ts";
import { enlist } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import { fromIso, toIso } from "../tickets/record.ts";
import type { Facts } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";
import type { GrantDraft } from "./draft.ts";
import { scopeOf } from "./preview.ts";
import { foldGrant, type GrantRecord } from "./records.ts";
import { endExpired } from "./use.ts";

/** What it takes from a person. Revoked keys count: revoking must not lower the bar. */
export function needsOf(rows: StoreReader, person: string): Exclude<GrantNeeds, null> {
  return rows.credentialsOf(person).length > 0 ? "signature" : "phrase";
}

/** Give out the statement of a new grant. */
export function beginGrant(session: Session, person: string, draft: GrantDraft): Challenge<GrantStatement> {
  const contents = new ContentWriter(session.names);
  const project = draft.project == null ? null : enlist(session, draft.project);
  const patterns = contents.jsonOrNull("patterns", draft.patterns as Json | null);
  return giveOut(
    session,
    "hap.grant/1",
    {
      from: person,
      grant_id: session.names.id("gr_"),
      verdict: draft.verdict,
      ...scopeOf(draft, project),
      patterns_hash: patterns === null ? null : refDigest(patterns),
      ends_at: draft.seconds === null ? null : toIso(session.now + draft.seconds * 1000),
      uses: draft.uses ?? null,
      rate_uses: draft.rate?.uses ?? null,
      rate_seconds: draft.rate?.seconds ?? null,
      ticket_id: draft.ticket_id ?? null,
    },
    contents.made,
  );
}

/** What confirmed an act: a signature that was checked, or a phrase that was typed. */
export type Confirmation = { assurance: AssuranceLevel; confirmed: boolean; assertion: Signature | null };

/** Check the signature of an act; returns what it proves. */
export function checkSigned(
  session: Session,
  facts: Facts,
  statement: GrantStatement | EndGrantStatement,
  assertion: Signature | undefined,
): Confirmation {
  if (assertion === undefined)
    throw new HapError(
      "signature_needed",
      "You have a key, so this must be signed with it: on the page with your passkey, or with --ssh-key FILE.",
      { field: "assertion" },
    );
  const { level, counter } = facts.verifySignature(assertion, statement, statement.from, credentialSource(session.tx, facts));
  session.useCredential(assertion.credential_id, counter);
  return { assurance: level, confirmed: false, assertion };
}

/** The phrase of a grant, for one statement. */
export function grantAct({ nonce, agent, verdict }: GrantStatement): Act {
  return { key: `grant:${nonce}`, words: `${verdict === "allow" ? "allow" : "deny"} ${agent ?? "every agent"}` };
}

/** The phrase that ends a denial. */
export function endAct({ nonce }: EndGrantStatement): Act {
  return { key: `grant:${nonce}`, words: "end denial" };
}

/** Write the grant down, once what confirms it was checked. */
export function createGrant(
  session: Session,
  { statement, contents }: { statement: GrantStatement; contents: NewContent[] },
  { assurance, confirmed, assertion }: Confirmation,
): GrantRecord {
  endExpired(session);
  guardNumber(session, statement.from);
  if (statement.ends_at !== null && fromIso(statement.ends_at) <= session.now)
    throw new HapError("wrong_state", `The grant would have ended at ${statement.ends_at}. Make it again.`, { field: "seconds" });
  const { from, grant_id, verdict, agent, session: asking, project, kinds, environments, effects } = statement;
  const { rate_uses, rate_seconds, ends_at, uses, ticket_id } = statement;
  const { runtime, epoch, nonce, issued_at, expires_at } = statement;
  const [event] = session.commitApart(
    [
      {
        type: "grant.create",
        grant_id,
        from,
        verdict,
        agent,
        session: asking,
        project,
        kinds: kinds === null ? null : [...kinds],
        environments: environments === null ? null : [...environments],
        effects: effects === null ? null : [...effects],
        patterns: (contents[0]?.ref as ContentRef | undefined) ?? null,
        ends_at,
        uses,
        rate: rate_uses === null || rate_seconds === null ? null : { uses: rate_uses, seconds: rate_seconds },
        ticket: ticket_id,
        runtime,
        epoch,
        nonce,
        issued_at,
        expires_at,
        assurance,
        confirmed,
        trust: session.trust,
        assertion,
      },
    ],
    contents,
  );
  const record = foldGrant(event);
  session.tx.putGrant(record);
  return record;
}

function guardNumber(session: Session, person: string): void {
  const limit = GRANT_LIMITS.perPerson;
  if (session.tx.openGrants().filter((grant) => grant.person === person).length < limit) return;
  throw new HapError("quota_exceeded", `You have ${limit} grants in force, which is the most. End some: \`hap grants\`.`, {
    limit,
  });
}
