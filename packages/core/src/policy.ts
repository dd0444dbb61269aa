// Policy (D5): readable JSON rules that say allow, ask or deny, and why. Pure; files are read elsewhere.
// A project's file can only tighten. What loosens in the user's file counts only once its hash was confirmed.
import {
  DEFAULT_RISK_TABLE,
  LIMITS,
  once,
  PRIORITIES,
  parseHumanId,
  parseJson,
  parseWith,
  prefixedHash,
  type RiskTable,
  TIERS,
  TIMEOUT_ACTIONS,
} from "@hap/protocol";
import * as z from "zod";
import { sha256 } from "./facts.ts";

const globs = once(() => z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]));
const factor = once(() => z.number().min(0).max(1));
const tokenId = once(() =>
  z.string().regex(/^[a-z0-9][a-z0-9_.:-]{0,63}$/, { error: "must be a short name: a-z, 0-9, _ . : and -" }),
);
const person = once(() => z.string().transform((name) => parseHumanId(name, "person")));

const matchSchema = once(() =>
  z.strictObject({
    kind: globs().optional(),
    agent: globs().optional(),
    path: globs().optional(),
    command: globs().optional(),
    environment: globs().optional(),
    project: globs().optional(),
    effect: globs().optional(),
    risk: z.strictObject({ min: factor().optional(), max: factor().optional() }).optional(),
    tier: z.union([z.enum(TIERS), z.array(z.enum(TIERS)).min(1)]).optional(),
  }),
);

const ruleSchema = once(() =>
  z.strictObject({
    id: tokenId(),
    match: matchSchema(),
    verdict: z.enum(["allow", "ask", "deny"], { error: "must be allow, ask or deny" }),
    why: z.string().min(1).max(1000),
    to: person().optional(),
    lease: z
      .strictObject({
        ttl_seconds: z.int().min(1).max(LIMITS.ttlSecondsMax).optional(),
        on_timeout: z.enum(TIMEOUT_ACTIONS).optional(),
      })
      .optional(),
    priority: z.enum(PRIORITIES).optional(),
    /** An allow is written into the log only when its rule says so. */
    record: z.boolean().optional(),
    /** The yes of a timer opens the gate for what this rule matches (D10). */
    timer_yes: z.boolean().optional(),
  }),
);
export type PolicyRule = z.infer<ReturnType<typeof ruleSchema>>;

const policySchema = once(() =>
  z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    risk: z
      .strictObject({
        weights: z.strictObject({ scope: factor(), environment: factor(), confidence: factor() }).partial().optional(),
        scope: z
          .strictObject({
            modify_file: z.array(z.strictObject({ below: z.number().nullable(), factor: factor() })).min(1),
            delete_file: factor(),
            run_command: factor(),
            deploy: factor(),
            other: factor(),
          })
          .partial()
          .optional(),
        environment: z.strictObject({ prod: factor(), staging: factor(), dev: factor(), other: factor() }).partial().optional(),
        confidence: z.strictObject({ unknown: factor() }).optional(),
      })
      .optional(),
    roles: z
      .strictObject({ owner: z.array(person()), approver: z.array(person()), auditor: z.array(person()) })
      .partial()
      .optional(),
    /** A yes to a ticket of this risk or more must be signed (D3). */
    signature_from_risk: factor().optional(),
    /** SSH keys outside hardware cannot sign a yes to a critical ticket: an ssh-agent may hold them (D3). */
    refuse_agent_held_keys: z.boolean().optional(),
    rules: z.array(ruleSchema()).default([]),
  }),
);

/** A policy as it was read: the hash of its text names it in every decision. */
export type Policy = z.infer<ReturnType<typeof policySchema>> & { path: string; text: string; hash: string };

/** Read a policy; an error names the file, the rule and the field. The hash names the text, byte for byte. */
export function readPolicy(text: string, path: string): Policy {
  const policy = parseWith(policySchema(), parseJson(text, path), `The policy ${path}`, "invalid_policy");
  return { ...policy, path, text, hash: prefixedHash(text, sha256) };
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
