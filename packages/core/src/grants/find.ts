// Which grant or denial answers a call (D43). Reads rows and decides nothing that is not in them.
import {
  allowsFacts,
  allowsTexts,
  type ContentRef,
  denies,
  type GrantFacts,
  type GrantPatterns,
  type HapEvent,
  leavesProject,
  refDigest,
} from "@hap/protocol";
import { sameValue } from "../log/alongside.ts";
import { contentDigest } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import { type Policies, roleOf } from "../policies/policy.ts";
import type { StoreReader } from "../store/store.ts";
import { fromIso } from "../tickets/record.ts";
import type { GrantCall } from "./call.ts";
import { foldGrant, type GrantRecord, stateOf } from "./records.ts";

/** How far the clock may be behind the newest event before grants are not used. */
const CLOCK_DRIFT_MS = 5_000;
const NO_PATTERNS: GrantPatterns = { commands: null, paths: null, hosts: null };

/** Who would be asked about a call, and what the confirmed policy says of people. */
export type Asked = { to: string; risk: number; policies: Policies };
/** By what right a grant's maker answers. */
export type GrantAuthority = "addressee" | "owner" | "approver";

/** The patterns of a grant; undefined when they were erased or changed behind the log, and it covers nothing any more. */
export function patternsOf(rows: StoreReader, { seq, patterns }: GrantRecord): GrantPatterns | undefined {
  if (patterns === null) return NO_PATTERNS;
  const digest = refDigest(patterns as ContentRef);
  const row = rows.contents(seq).get(digest);
  if (row === undefined || `sha256:${contentDigest(row.salt, row.body)}` !== digest) return undefined;
  return JSON.parse(row.body) as GrantPatterns;
}

/** True when an event of the log made this grant as the row has it: a row alone opens nothing. */
function isLogged(rows: StoreReader, grant: GrantRecord): boolean {
  const row = rows.eventAt(grant.seq);
  const event = row === undefined ? null : (JSON.parse(row.payload) as HapEvent);
  if (event?.type !== "grant.create") return false;
  const { used, lastUsedAt, endedAt, endedBecause, endedBy } = grant;
  return sameValue({ ...foldGrant(event), used, lastUsedAt, endedAt, endedBecause, endedBy }, grant);
}

/** The facts of a call with the project's handle; a project without one is in no grant. */
function factsOf(rows: StoreReader, { facts, project }: GrantCall): GrantFacts {
  return { ...facts, project: project === null ? null : (rows.handleOf(project) ?? null) };
}

/** The oldest grant in force that opens this call, and by what right; null where a person must be asked. */
export function findGrant(
  rows: StoreReader,
  call: GrantCall,
  asked: Asked,
  now: number,
): { grant: GrantRecord; authority: GrantAuthority } | null {
  const open = rows.openGrants();
  if (open.length === 0) return null;
  const facts = factsOf(rows, call);
  for (const grant of open) {
    if (grant.verdict !== "allow" || !allowsFacts(grant.scope, facts) || !isInForce(rows, grant, now)) continue;
    const patterns = patternsOf(rows, grant);
    if (patterns === undefined || !allowsTexts(grant.scope, patterns, call.texts) || leavesProject(patterns, call.texts))
      continue;
    const authority = authorityOf(rows, grant, asked);
    if (authority === null || isTooWeak(grant, asked) || clockIsBehind(rows, now) || !isLogged(rows, grant)) continue;
    return { grant, authority };
  }
  return null;
}

/** The oldest denial in force that is about this call, which is described only where there is one. */
export function findDenial(
  rows: StoreReader,
  describe: () => GrantCall,
  now: number,
): { grant: GrantRecord; call: GrantCall } | null {
  const open = rows.openGrants().filter(({ verdict }) => verdict === "deny");
  if (open.length === 0) return null;
  const call = describe();
  const facts = factsOf(rows, call);
  const isAbout = (grant: GrantRecord) => {
    const patterns = patternsOf(rows, grant);
    return patterns !== undefined && denies(grant.scope, patterns, facts, call.texts);
  };
  const grant = open.find((one) => stateOf(one, now) === "active" && isAbout(one));
  return grant === undefined ? null : { grant, call };
}

/** Within its time, its number and its rate. A clock that is behind the grant's own beginning opens nothing. */
function isInForce(rows: StoreReader, grant: GrantRecord, now: number): boolean {
  if (stateOf(grant, now) !== "active" || now < fromIso(grant.createdAt)) return false;
  const { rate } = grant;
  if (rate === null) return true;
  const uses = rows.grantUses(grant.id, rate.uses);
  return uses.length < rate.uses || (uses.at(-1) as { at: number }).at <= now - rate.seconds * 1000;
}

/** A grant never reaches further than its maker: the one who would be asked, or somebody whose role decides. */
function authorityOf(rows: StoreReader, { person }: GrantRecord, { to, policies }: Asked): GrantAuthority | null {
  if (rows.handleOf(to) === person) return "addressee";
  const role = rows.nameOf(person) === undefined ? null : roleOf(policies, nameOf(rows, person));
  return role === "owner" || role === "approver" ? role : null;
}

/** Where the policy wants a signature for a yes, an unsigned grant gives none. */
function isTooWeak({ credential }: GrantRecord, { risk, policies }: Asked): boolean {
  const from = policies.confirmed?.signature_from_risk;
  return from !== undefined && risk >= from && credential === null;
}

/** True when the newest event lies in the future: the clock was set back, and no end of a grant can be told. */
function clockIsBehind(rows: StoreReader, now: number): boolean {
  const { seq } = rows.head();
  const newest = seq === 0 ? undefined : rows.eventAt(seq);
  return newest !== undefined && fromIso((JSON.parse(newest.payload) as { ts: string }).ts) > now + CLOCK_DRIFT_MS;
}
