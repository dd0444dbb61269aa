// Policy (D5): readable JSON rules that say allow, ask or deny, and why. Pure; files are read elsewhere.
// A project's file can only tighten. What loosens in the user's file counts only once its hash was confirmed.
import {
  DEFAULT_RISK_TABLE,
  LIMITS,
  PRIORITIES,
  parseHumanId,
  parseWith,
  type RiskTable,
  TIERS,
  TIMEOUT_ACTIONS,
  type Tier,
  type TimeoutAction,
} from "@hap/protocol";
import * as z from "zod";
import { expandHome, matchesCommand, matchesGlob, realNames } from "./policy-match.ts";

const globs = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const factor = z.number().min(0).max(1);
const tokenId = z.string().regex(/^[a-z0-9][a-z0-9_.:-]{0,63}$/, { error: "must be a short name: a-z, 0-9, _ . : and -" });
const person = z.string().transform((name) => parseHumanId(name, "person"));

const matchSchema = z.strictObject({
  kind: globs.optional(),
  agent: globs.optional(),
  path: globs.optional(),
  command: globs.optional(),
  environment: globs.optional(),
  project: globs.optional(),
  effect: globs.optional(),
  risk: z.strictObject({ min: factor.optional(), max: factor.optional() }).optional(),
  tier: z.union([z.enum(TIERS), z.array(z.enum(TIERS)).min(1)]).optional(),
});

const ruleSchema = z.strictObject({
  id: tokenId,
  match: matchSchema,
  verdict: z.enum(["allow", "ask", "deny"], { error: "must be allow, ask or deny" }),
  why: z.string().min(1).max(1000),
  to: person.optional(),
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
});
export type PolicyRule = z.infer<typeof ruleSchema>;

const policySchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  risk: z
    .strictObject({
      weights: z.strictObject({ scope: factor, environment: factor, confidence: factor }).partial().optional(),
      scope: z
        .strictObject({
          modify_file: z.array(z.strictObject({ below: z.number().nullable(), factor })).min(1),
          delete_file: factor,
          run_command: factor,
          deploy: factor,
          other: factor,
        })
        .partial()
        .optional(),
      environment: z.strictObject({ prod: factor, staging: factor, dev: factor, other: factor }).partial().optional(),
      confidence: z.strictObject({ unknown: factor }).optional(),
    })
    .optional(),
  roles: z
    .strictObject({ owner: z.array(person), approver: z.array(person), auditor: z.array(person) })
    .partial()
    .optional(),
  rules: z.array(ruleSchema).default([]),
});

/** A policy file as it was read: its hash names it in every decision. */
export type Policy = z.infer<typeof policySchema> & { hash: string; path: string };

/** Read a policy's JSON; an error names the file, the rule and the field. */
export function parsePolicy(value: unknown, path: string, hash: string): Policy {
  const policy = parseWith(policySchema, value, `The policy ${path}`, "invalid_policy");
  return { ...policy, hash, path };
}

/** The files in force. `trusted` is whether the user's hash was confirmed. */
export type Policies = { user: Policy | null; trusted: boolean; project: Policy | null };

/** What a rule is asked about. */
export type Call = {
  agent: string;
  kind: string;
  paths: readonly string[];
  command: string | null;
  environment: string | null;
  project: string | null;
  home: string;
  risk: number;
  tier: Tier;
  effects: readonly string[];
};

/** The answer, and the rule and file that gave it. `rule: null` means that no rule matched. */
export type Verdict = {
  verdict: "allow" | "ask" | "deny";
  rule: string | null;
  file: string | null;
  file_hash: string | null;
  why: string;
  to: string | null;
  lease: { ttl_seconds?: number | undefined; on_timeout?: TimeoutAction | undefined };
  record: boolean;
  timer_yes: boolean;
};

const strictness = { allow: 0, ask: 1, deny: 2 };

/** The stricter of what the user's and the project's file say; `ask` when neither says anything. */
export function evaluate(policies: Policies, call: Call): Verdict {
  const user = policies.user === null ? null : firstMatch(policies.user, call);
  const own = user === null ? null : verdictOf(policies.user as Policy, user, policies.trusted);
  const project = policies.project === null ? null : firstMatch(policies.project, call, (rule) => rule.verdict !== "allow");
  const tight = project === null ? null : tightened(policies.project as Policy, project);
  if (tight !== null && (own === null || strictness[tight.verdict] >= strictness[own.verdict]))
    return { ...tight, to: own?.to ?? null, lease: shorterLease(own?.lease ?? {}, tight.lease) };
  if (own !== null) return own;
  return {
    verdict: "ask",
    rule: null,
    file: null,
    file_hash: null,
    why: "No rule answers this, so a person does.",
    to: null,
    lease: {},
    record: false,
    timer_yes: false,
  };
}

function firstMatch(policy: Policy, call: Call, also: (rule: PolicyRule) => boolean = () => true): PolicyRule | null {
  return policy.rules.find((rule) => also(rule) && matches(rule, call)) ?? null;
}

/** True for a rule that opens something, or leaves it to a timer. */
function loosens(rule: PolicyRule): boolean {
  return (
    rule.verdict === "allow" || (rule.verdict === "ask" && (rule.timer_yes === true || rule.lease?.on_timeout === "auto_approve"))
  );
}

function verdictOf(policy: Policy, rule: PolicyRule, trusted: boolean): Verdict {
  const record = rule.verdict !== "allow" || rule.record === true;
  const base = { rule: rule.id, file: policy.path, file_hash: policy.hash, record };
  // Who is asked is the confirmed policy's business too.
  if (!trusted && (loosens(rule) || (rule.verdict === "ask" && rule.to !== undefined))) {
    const would = rule.verdict === "allow" ? "allow this" : loosens(rule) ? "loosen this" : `send this to ${rule.to}`;
    const why = `Rule ${rule.id} would ${would}, but its file has changed since it was confirmed. Run \`hap policy trust\`.`;
    return { ...base, verdict: "ask", why, to: null, lease: {}, record: true, timer_yes: false };
  }
  return {
    ...base,
    verdict: rule.verdict,
    why: rule.why,
    to: rule.to ?? null,
    lease: rule.lease ?? {},
    timer_yes: rule.timer_yes ?? false,
  };
}

/** Of two leases the shorter time, and the project's action where it has one; a timer's yes is never kept. */
function shorterLease(own: Verdict["lease"], tight: Verdict["lease"]): Verdict["lease"] {
  const times = [own.ttl_seconds, tight.ttl_seconds].filter((seconds) => seconds !== undefined);
  const action = tight.on_timeout ?? (own.on_timeout === "auto_approve" ? undefined : own.on_timeout);
  return {
    ...(times.length === 0 ? {} : { ttl_seconds: Math.min(...times) }),
    ...(action === undefined ? {} : { on_timeout: action }),
  };
}

/** A project's rule may ask, deny and shorten; who decides and what a timer may do is not its business. */
function tightened(policy: Policy, rule: PolicyRule): Verdict {
  const { ttl_seconds, on_timeout } = rule.lease ?? {};
  const lease = {
    ...(ttl_seconds === undefined ? {} : { ttl_seconds }),
    ...(on_timeout === undefined || on_timeout === "auto_approve" ? {} : { on_timeout }),
  };
  return {
    verdict: rule.verdict,
    rule: rule.id,
    file: policy.path,
    file_hash: policy.hash,
    why: rule.why,
    to: null,
    lease,
    record: true,
    timer_yes: false,
  };
}

/** True when every condition of the rule holds; a condition on something that the call lacks does not hold. */
function matches(rule: PolicyRule, call: Call): boolean {
  const { match } = rule;
  // To loosen, all of the call must fit; to ask or deny, a part of it is enough.
  const whole = loosens(rule);
  if (match.kind !== undefined && !matchesGlob(match.kind, call.kind)) return false;
  if (match.agent !== undefined && !matchesGlob(match.agent, call.agent)) return false;
  if (match.environment !== undefined && !(call.environment !== null && matchesGlob(match.environment, call.environment)))
    return false;
  if (match.project !== undefined && !(call.project !== null && matchesGlob(match.project, call.project))) return false;
  if (match.command !== undefined && !(call.command !== null && matchesCommand(match.command, call.command, whole))) return false;
  if (match.path !== undefined && !matchesPaths(match.path, call, whole)) return false;
  if (match.effect !== undefined && !matchesEffects(match.effect, call.effects, whole)) return false;
  if (match.risk?.min !== undefined && call.risk < match.risk.min) return false;
  if (match.risk?.max !== undefined && call.risk > match.risk.max) return false;
  return match.tier === undefined || [match.tier].flat().includes(call.tier);
}

function matchesEffects(patterns: string | string[], effects: readonly string[], all: boolean): boolean {
  const fits = (effect: string) => matchesGlob(patterns, effect);
  return all ? effects.length > 0 && effects.every(fits) : effects.some(fits);
}

function matchesPaths(patterns: string | string[], { paths, project, home }: Call, all: boolean): boolean {
  const globs = [patterns].flat().map((glob) => expandHome(glob, home));
  const fits = (path: string) => realNames(expandHome(path, home), project).some((name) => matchesGlob(globs, name));
  if (all) return paths.length > 0 && paths.every(fits);
  return paths.some((path) => fits(path) || matchesGlob(globs, path));
}

/** The risk table in force: the draft's, tuned by a confirmed user policy. */
export function riskTable(policies: Policies): RiskTable {
  const tuned = policies.trusted ? policies.user?.risk : undefined;
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
  const roles = policies.trusted ? policies.user?.roles : undefined;
  if (roles?.owner?.includes(person)) return "owner";
  if (roles?.approver?.includes(person)) return "approver";
  return roles?.auditor?.includes(person) ? "auditor" : null;
}
