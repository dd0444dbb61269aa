// The one reader of policy files (D5): the engine and the hook's fast path both use it, so it needs no schema library.
// Strict: an unknown key is an error, because a typing mistake must not widen a rule.
import { parseJson } from "./canonical-json.ts";
import {
  CONFINE_MODES,
  type ConfineMode,
  LIMITS,
  PRIORITIES,
  type Priority,
  TIERS,
  TIMEOUT_ACTIONS,
  type TimeoutAction,
} from "./constants.ts";
import { HapError } from "./errors.ts";
import { ID_PATTERNS } from "./identifiers.ts";
import { check, factor, flag, globs, list, object, oneOf, oneOrMore, type Problem, person, text } from "./policy-fields.ts";
import type { MatchableRule } from "./policy-rules.ts";
import { checkQuorums, type GroupsRule, groups, type QuorumRule, quorum } from "./quorum/policy-quorum.ts";
import type { RiskTable } from "./risk.ts";

/** A rule of a policy file. */
export type PolicyRule = MatchableRule & {
  id: string;
  why: string;
  to?: string;
  lease?: { ttl_seconds?: number; on_timeout?: TimeoutAction };
  priority?: Priority;
  /** An allow is written into the log only when its rule says so. */
  record?: boolean;
  /** How many people must say yes, and who (D45); only in a rule that asks. */
  quorum?: QuorumRule;
};

/** The content of a policy file. */
export type PolicyFile = {
  $schema?: string;
  version: 1;
  /** What runs in the sandbox instead of being asked about. */
  confine?: ConfineMode;
  /** Hosts that confined commands reach besides package registries; only the user's own file counts. */
  confine_hosts?: string[];
  risk?: { [Part in keyof RiskTable]?: Partial<RiskTable[Part]> };
  roles?: { owner?: string[]; approver?: string[]; auditor?: string[] };
  /** Who is in a group, for quorums (D45). */
  groups?: GroupsRule;
  /** A yes to a ticket of this risk or more must be signed (D3). */
  signature_from_risk?: number;
  /** SSH keys outside hardware cannot sign a yes to a critical ticket: an ssh-agent may hold them (D3). */
  refuse_agent_held_keys?: boolean;
  /** How many tickets an agent may open in a minute; then it is told to wait (D43). */
  asks_per_minute?: number;
  rules: PolicyRule[];
};

/** Read a policy's text. The error names the file, and every field that is wrong (the first five of them). */
export function readPolicyFile(text: string, path: string): PolicyFile {
  const problems: Problem[] = [];
  const file = policyFile(parseJson(text, path), "", problems) as PolicyFile;
  if (problems.length === 0) problems.push(...checkQuorums(file.rules ?? [], file.groups ?? {}));
  if (problems.length === 0) return { ...file, rules: file.rules ?? [] };
  const issues = problems.slice(0, 5);
  const list = issues.map(({ field, problem }) => `${field === "" ? "the file" : field}: ${problem}`).join("; ");
  throw new HapError("invalid_policy", `The policy ${path} is not valid: ${list}.`, { field: issues[0]?.field ?? "", issues });
}

/** The strictest of several files: `require` before `off` before `auto`, which is what holds where no file says anything. */
export function strictestConfine(files: readonly PolicyFile[]): ConfineMode {
  const said = files.map(({ confine }) => confine);
  return said.includes("require") ? "require" : said.includes("off") ? "off" : "auto";
}

const match = object({
  kind: globs,
  agent: globs,
  path: globs,
  command: globs,
  environment: globs,
  project: globs,
  effect: globs,
  risk: object({ min: factor, max: factor }),
  tier: oneOrMore(oneOf(TIERS)),
});

const rule = object(
  {
    id: check("a short name: a-z, 0-9, _ . : and -", (value) => typeof value === "string" && ID_PATTERNS.token.test(value)),
    match,
    verdict: oneOf(["allow", "ask", "deny"]),
    why: check("a reason of 1 to 1000 characters", (value) => typeof value === "string" && value !== "" && value.length <= 1000),
    to: person,
    lease: object({
      ttl_seconds: check(
        `a whole number from 1 to ${LIMITS.ttlSecondsMax}`,
        (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LIMITS.ttlSecondsMax,
      ),
      on_timeout: oneOf(TIMEOUT_ACTIONS),
    }),
    priority: oneOf(PRIORITIES),
    record: flag,
    timer_yes: flag,
    quorum,
  },
  ["id", "match", "verdict", "why"],
);

const step = object(
  {
    below: check("a number or null", (value) => value === null || (typeof value === "number" && Number.isFinite(value))),
    factor,
  },
  ["below", "factor"],
);

const host = check(
  "a host, host:port or *.domain",
  (value) =>
    typeof value === "string" && /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::[0-9]{1,5})?$/.test(value),
);

const policyFile = object(
  {
    $schema: text,
    version: check("1", (value) => value === 1),
    confine: oneOf(CONFINE_MODES),
    confine_hosts: list(host),
    risk: object({
      weights: object({ scope: factor, environment: factor, confidence: factor }),
      scope: object({ modify_file: list(step, 1), delete_file: factor, run_command: factor, deploy: factor, other: factor }),
      environment: object({ prod: factor, staging: factor, dev: factor, other: factor }),
      confidence: object({ unknown: factor }, ["unknown"]),
    }),
    roles: object({ owner: list(person), approver: list(person), auditor: list(person) }),
    groups,
    signature_from_risk: factor,
    refuse_agent_held_keys: flag,
    asks_per_minute: check(
      "a whole number from 1 to 10000",
      (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 10_000,
    ),
    rules: list(rule),
  },
  ["version"],
);
