// Who belongs to which entry of a quorum, and which keys are in use, as a transaction sees them (D45).
import type { Standing } from "@hap/protocol";
import { rolesIn } from "../people/roles.ts";
import { policyInForce } from "../policies/confirmed-policy.ts";
import type { StoreReader } from "../store/store.ts";
import { membersOf } from "./groups.ts";

/** What the rows know. Each entry is looked up once. */
export function standingOf(rows: StoreReader): Standing {
  const policy = policyInForce(rows);
  const known = new Map<string, ReadonlySet<string>>();
  const handles = (names: readonly string[]) => names.map((name) => rows.handleOf(name)).filter((handle) => handle !== undefined);
  const look = (entry: string): string[] => {
    if (entry.startsWith("human:")) return rows.nameOf(entry) === undefined ? [] : [entry];
    const name = entry.slice(entry.indexOf(":") + 1);
    if (entry.startsWith("role:"))
      return handles([...rolesIn(policy?.text)].filter(([, role]) => role === name).map(([person]) => person));
    return handles(membersOf(policy?.groups ?? {}, name));
  };
  return {
    peopleIn: (entry) => {
      const found = known.get(entry) ?? new Set(look(entry));
      known.set(entry, found);
      return found;
    },
    isKeyInUse: (credential) => rows.credentialById(credential)?.revokedAt === null,
  };
}
