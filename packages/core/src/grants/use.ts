// Using a grant, and ending one, inside a transaction (D43): counted and journaled before the caller hears of it.
import { type GrantEnd, type GrantUse, ID_PATTERNS, type Json, type NewEventOf } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import { enlist, nameOf } from "../people/people.ts";
import type { Session } from "../transaction/session.ts";
import type { GrantCall } from "./call.ts";
import type { GrantAuthority } from "./find.ts";
import { foldGrantEnd, foldGrantUse, type GrantRecord, leftOf, stateOf, useRecord } from "./records.ts";
import { viewGrant } from "./view.ts";

/** Journal one use; the last one ends the grant. */
export function recordUse(
  session: Session,
  grant: GrantRecord,
  call: GrantCall,
  { callHash, authority }: { callHash: string; authority: GrantAuthority | null },
): GrantUse {
  const { agent, session: asking, kind, environment, tier, effects } = call.facts;
  const contents = new ContentWriter(session.names);
  const [event] = session.commitApart(
    [
      {
        type: "grant.use",
        grant_id: grant.id,
        by: agent,
        call_hash: callHash,
        use: grant.used + 1,
        kind,
        session: asking,
        project: call.project === null ? null : enlist(session, call.project),
        environment,
        tier,
        effects: [...effects],
        call: contents.json("call", call.texts as unknown as Json),
        authority,
        trust: session.trust,
      },
    ],
    contents.made,
  );
  const used = foldGrantUse(grant, event);
  session.tx.putGrant(used);
  session.tx.putGrantUse(useRecord(event));
  const ended = leftOf(used) === 0 ? endGrant(session, used, { from: null, because: "spent" }) : used;
  return tellUse(session, ended);
}

/** A use in words for the agent: by whom, and how much is left. */
export function tellUse(session: Session, grant: GrantRecord): GrantUse {
  const by = nameOf(session.tx, grant.person);
  const left = leftOf(grant);
  const { words } = viewGrant(session.tx, grant, session.now);
  const limits = [
    ...(left === null ? [] : [`${left} ${left === 1 ? "use" : "uses"} left`]),
    ...(grant.endsAt === null ? [] : [`until ${grant.endsAt}`]),
  ];
  const said = `${by} ${grant.verdict === "allow" ? "granted" : "denied"} this (${grant.id}): ${words}`;
  return {
    grant_id: grant.id,
    verdict: grant.verdict,
    by,
    left,
    ends_at: grant.endsAt,
    words: limits.length === 0 || grant.verdict === "deny" ? said : `${said} ${limits.join(", ")}.`,
  };
}

type Ending = {
  from: string | null;
  because: GrantEnd;
  confirmed?: boolean;
  signed?: NewEventOf<"grant.end">["signed"];
};

/** End a grant for good. */
export function endGrant(session: Session, grant: GrantRecord, { from, because, confirmed, signed }: Ending): GrantRecord {
  const [event] = session.commitApart([
    {
      type: "grant.end",
      grant_id: grant.id,
      from,
      because,
      confirmed: confirmed ?? false,
      signed: signed ?? null,
      trust: session.trust,
    },
  ]);
  const ended = foldGrantEnd(grant, event);
  session.tx.putGrant(ended);
  return ended;
}

/** End those whose time is over: once past, a clock that is set back does not bring them to life again. */
export function endExpired(session: Session): void {
  for (const grant of session.tx.openGrants())
    if (stateOf(grant, session.now) === "expired") endGrant(session, grant, { from: null, because: "expired" });
}

/** End grants with what they rested on: the key that signed them, or their person. */
export function endGrantsOf(session: Session, of: { credential: string } | { person: string }, from: string): void {
  const because = "credential" in of ? "key_revoked" : "person_erased";
  for (const grant of session.tx.openGrants()) {
    const rests = "credential" in of ? grant.credential === of.credential : grant.person === of.person;
    if (rests) endGrant(session, grant, { from: ID_PATTERNS.handle.test(from) ? from : null, because });
  }
}
