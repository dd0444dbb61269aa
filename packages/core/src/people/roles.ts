// Roles (D4, D35): a confirmed policy gives them by name; the log says by handle who got or lost which.
import type { Role } from "@hap/protocol";
import { readPolicy, roleOf } from "../policies/policy.ts";
import type { Session } from "../transaction/session.ts";
import { enlist } from "./people.ts";

/** The role of each person whom the text of a confirmed policy names; an empty text is no policy. */
export function rolesIn(text: string | undefined): Map<string, Role> {
  if (text === undefined || text === "") return new Map();
  const confirmed = readPolicy(text, "The confirmed policy");
  const named = Object.values(confirmed.roles ?? {}).flatMap((names) => names ?? []);
  return new Map(named.map((name) => [name, roleOf({ confirmed, changed: null, project: null }, name) as Role]));
}

/** What is known about one change of roles: by name, null for a role that is taken away. */
type RoleChange = [name: string, role: Role | null];

/** What changes between two confirmed policies. */
function roleChanges(before: ReadonlyMap<string, Role>, after: ReadonlyMap<string, Role>): RoleChange[] {
  const lost = [...before.keys()].filter((name) => !after.has(name)).map((name): RoleChange => [name, null]);
  return [...lost, ...[...after].filter(([name, role]) => before.get(name) !== role)];
}

/** Write who got or lost a role by the policy that was just confirmed. */
export function setRoles(session: Session, before: string | undefined, after: string, fileHash: string): void {
  for (const [name, role] of roleChanges(rolesIn(before), rolesIn(after)))
    session.commitApart([{ type: "role.set", person: enlist(session, name), role, file_hash: fileHash }]);
}
