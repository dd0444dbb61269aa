// Who is in a group (D46): the confirmed policy says it by name, an identity provider by its claims; the log by handle.
import type { GroupsRule } from "@hap/protocol";
import { enlist } from "../people/people.ts";
import { readPolicy } from "../policies/policy.ts";
import type { StoreReader } from "../store/store.ts";
import type { Session } from "../transaction/session.ts";

/** Where claims are kept: by handle, the groups that the last sign-in gave. */
export const CLAIMS = "group_claims";

/** The groups in the text of a confirmed policy; an empty text is no policy. */
export function groupsIn(text: string | undefined): GroupsRule {
  return text === undefined || text === "" ? {} : (readPolicy(text, "The confirmed policy").groups ?? {});
}

/** Write who is in each group that the policy just confirmed has changed. */
export function setGroups(session: Session, before: string | undefined, after: string, fileHash: string): void {
  const [old, now] = [groupsIn(before), groupsIn(after)];
  for (const group of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [were, are] = [old[group]?.members ?? [], now[group]?.members ?? []];
    if (sameNames(were, are)) continue;
    const members = are.map((name) => enlist(session, name)).sort();
    session.commitApart([{ type: "group.set", group, members, file_hash: fileHash }]);
  }
}

/** By handle, the groups that people have by claims. */
export function claimsIn(rows: Pick<StoreReader, "config">): Record<string, string[]> {
  return JSON.parse(rows.config(CLAIMS) ?? "{}") as Record<string, string[]>;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
