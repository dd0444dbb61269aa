// What the log makes of a grant (D43): everything that was fixed when it was made, how often it was used, and how it ended.
import type { AssuranceLevel, EventOf, GrantEnd, GrantScope, GrantState, GrantVerdict } from "@hap/protocol";
import { fromIso } from "../tickets/record.ts";

/** A grant as it is kept. `person` and `project` are handles, `patterns` is a reference to a content at `seq`. */
export type GrantRecord = {
  id: string;
  seq: number;
  person: string;
  verdict: GrantVerdict;
  scope: GrantScope;
  patterns: string | null;
  createdAt: string;
  endsAt: string | null;
  uses: number | null;
  rate: { uses: number; seconds: number } | null;
  ticket: string | null;
  assurance: AssuranceLevel;
  confirmed: boolean;
  /** The key that signed it. */
  credential: string | null;
  used: number;
  lastUsedAt: string | null;
  endedAt: string | null;
  endedBecause: GrantEnd | null;
  endedBy: string | null;
};

/** One use; `seq` is the place of its event, where the texts of the call lie. */
export type GrantUseRecord = { grantId: string; seq: number; at: number; callHash: string; by: string };

export function foldGrant(event: EventOf<"grant.create">): GrantRecord {
  const { agent, session, project, kinds, environments, effects } = event;
  return {
    id: event.grant_id,
    seq: event.seq,
    person: event.from,
    verdict: event.verdict,
    scope: { agent, session, project, kinds, environments, effects },
    patterns: event.patterns,
    createdAt: event.ts,
    endsAt: event.ends_at,
    uses: event.uses,
    rate: event.rate,
    ticket: event.ticket,
    assurance: event.assurance,
    confirmed: event.confirmed,
    credential: event.assertion?.credential_id ?? null,
    used: 0,
    lastUsedAt: null,
    endedAt: null,
    endedBecause: null,
    endedBy: null,
  };
}

export function foldGrantUse(record: GrantRecord, event: EventOf<"grant.use">): GrantRecord {
  return { ...record, used: record.used + 1, lastUsedAt: event.ts };
}

export function foldGrantEnd(record: GrantRecord, event: EventOf<"grant.end">): GrantRecord {
  return { ...record, endedAt: event.ts, endedBecause: event.because, endedBy: event.from };
}

export function useRecord(event: EventOf<"grant.use">): GrantUseRecord {
  return { grantId: event.grant_id, seq: event.seq, at: fromIso(event.ts), callHash: event.call_hash, by: event.by };
}

/** Uses that are left; null without a limit. */
export function leftOf({ uses, used }: Pick<GrantRecord, "uses" | "used">): number | null {
  return uses === null ? null : Math.max(0, uses - used);
}

/** How a grant stands at a moment. A grant that ends at a moment is not in force at it. */
export function stateOf(record: GrantRecord, now: number): GrantState {
  if (record.endedBecause === "spent" || leftOf(record) === 0) return "spent";
  if (record.endedBecause === "expired") return "expired";
  if (record.endedAt !== null) return "ended";
  return record.endsAt !== null && fromIso(record.endsAt) <= now ? "expired" : "active";
}
