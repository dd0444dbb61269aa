// Who is in a group (D45): the confirmed policy says it by name, the log by handle.
import type { GroupsRule } from "@hap/protocol";
import { enlist } from "../people/people.ts";
import { readPolicy } from "../policies/policy.ts";
import type { Session } from "../transaction/session.ts";

/** The groups in the text of a confirmed policy; an empty text is no policy. */
export function groupsIn(text: string | undefined): GroupsRule {
  return text === undefined || text === "" ? {} : (readPolicy(text, "The confirmed policy").groups ?? {});
}

/** Write who is in each group that the policy just confirmed has changed. */
export function setGroups(session: Session, before: string | undefined, after: string, fileHash: string): void {
  const [old, now] = [groupsIn(before), groupsIn(after)];
  for (const group of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [were, are] = [membersOf(old, group), membersOf(now, group)];
    if (sameNames(were, are)) continue;
    const members = are.map((name) => enlist(session, name)).sort();
    session.commitApart([{ type: "group.set", group, members, file_hash: fileHash }]);
  }
}

/** The names in a group; none in one that is not there. */
export function membersOf(groups: GroupsRule, name: string): readonly string[] {
  return Object.hasOwn(groups, name) ? (groups[name] ?? []) : [];
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
