// Policy (D5): readable JSON rules that say allow, ask or deny, and why. Pure; files are read elsewhere.
// A project's file can only tighten. What loosens in the user's file counts only once its hash was confirmed.
import { DEFAULT_RISK_TABLE, type PolicyFile, prefixedHash, type RiskTable, readPolicyFile } from "@hap/protocol";
import { sha256 } from "../transaction/facts.ts";

/** A policy as it was read: the hash of its text names it in every decision. */
export type Policy = PolicyFile & { path: string; text: string; hash: string };

/** Read a policy; an error names the file, the rule and the field. The hash names the text, byte for byte. */
export function readPolicy(text: string, path: string): Policy {
  return { ...readPolicyFile(text, path), path, text, hash: prefixedHash(text, sha256) };
}

/**
 * The files in force: the user's policy as it was last confirmed, the user's file where it differs from that, and the
 * project's. Until it is confirmed, a changed file can only tighten: the confirmed one stays in force beside it.
 */
export type Policies = { confirmed: Policy | null; changed: Policy | null; project: Policy | null };

/** The risk table in force: the draft's, tuned by a confirmed user policy. */
export function riskTable(policies: Policies): RiskTable {
  const tuned = policies.confirmed?.risk;
  if (tuned === undefined) return DEFAULT_RISK_TABLE;
  return {
    weights: { ...DEFAULT_RISK_TABLE.weights, ...defined(tuned.weights) },
    scope: { ...DEFAULT_RISK_TABLE.scope, ...defined(tuned.scope) },
    environment: { ...DEFAULT_RISK_TABLE.environment, ...defined(tuned.environment) },
    confidence: { ...DEFAULT_RISK_TABLE.confidence, ...defined(tuned.confidence) },
  };
}

function defined<T extends object>(values: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** The role that a confirmed policy gives somebody. */
export function roleOf(policies: Policies, person: string): "owner" | "approver" | "auditor" | null {
  const roles = policies.confirmed?.roles;
  if (roles?.owner?.includes(person)) return "owner";
  if (roles?.approver?.includes(person)) return "approver";
  return roles?.auditor?.includes(person) ? "auditor" : null;
}
