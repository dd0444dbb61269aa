// Who belongs to which entry of a quorum, and which keys are in use, as a transaction sees them (D45).
import type { Standing } from "@hap/protocol";
import { rolesIn } from "../people/roles.ts";
import { policyInForce } from "../policies/confirmed-policy.ts";
import type { StoreReader } from "../store/store.ts";
import { claimsIn } from "./groups.ts";

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
    const groups = policy?.groups ?? {};
    const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
    if (group === undefined) return [];
    const claimed = group.claims.length === 0 ? [] : Object.entries(claimsIn(rows)).filter(([, groups]) => groups.includes(name));
    return [...handles(group.members), ...claimed.map(([person]) => person)];
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
