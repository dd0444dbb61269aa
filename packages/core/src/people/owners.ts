// Roles as a transaction sees them (D4), and what only owners may do.
import { HapError, parseHumanId, type Role } from "@hap/protocol";
import { confirmedPolicies } from "../policies/confirmed-policy.ts";
import { roleOf } from "../policies/policy.ts";
import type { StoreReader } from "../store/store.ts";
import type { Facts } from "../transaction/context.ts";

/** A person's role. Where no confirmed policy names an owner, the person whose machine it is owns it. */
export function roleIn(rows: StoreReader, facts: Facts, person: string): Role | null {
  const policies = confirmedPolicies(rows, facts);
  const role = roleOf(policies, person);
  if (role !== null) return role;
  const owners = policies.confirmed?.roles?.owner ?? [];
  return owners.length === 0 && person === facts.localPerson ? "owner" : null;
}

/** Refuse everybody but owners. */
export function assertOwner(rows: StoreReader, facts: Facts, by: string, what: string): void {
  if (roleIn(rows, facts, parseHumanId(by, "by")) === "owner") return;
  throw new HapError(
    "scope_missing",
    `Only owners can ${what}. ${by} is not an owner. Owners are named in the confirmed policy; without any, it is the person whose store it is.`,
    { by },
  );
}
