// When a rule of a policy matches a call (D5). Pure and small: the engine uses it, and so does what must start fast.
import type { Tier, TimeoutAction } from "./constants.ts";
import { expandHome, matchesCommand, matchesGlob, realNames } from "./policy-match.ts";

type Patterns = string | readonly string[];

/** The conditions of a rule; all that are given must hold. */
type RuleMatch = {
  kind?: Patterns | undefined;
  agent?: Patterns | undefined;
  path?: Patterns | undefined;
  command?: Patterns | undefined;
  environment?: Patterns | undefined;
  project?: Patterns | undefined;
  effect?: Patterns | undefined;
  risk?: { min?: number | undefined; max?: number | undefined } | undefined;
  tier?: Tier | readonly Tier[] | undefined;
};

/** What matching needs to know of a rule. */
export type MatchableRule = {
  match: RuleMatch;
  verdict: "allow" | "ask" | "deny";
  timer_yes?: boolean | undefined;
  lease?: { on_timeout?: TimeoutAction | undefined } | undefined;
};

/** What a rule is asked about. */
export type MatchableCall = {
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

/** True for a rule that opens something, or leaves it to a timer. */
export function loosens(rule: MatchableRule): boolean {
  return (
    rule.verdict === "allow" || (rule.verdict === "ask" && (rule.timer_yes === true || rule.lease?.on_timeout === "auto_approve"))
  );
}

/** True when every condition of the rule holds; a condition on something that the call lacks does not hold. */
export function matchesRule(rule: MatchableRule, call: MatchableCall): boolean {
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

function matchesEffects(patterns: Patterns, effects: readonly string[], all: boolean): boolean {
  const fits = (effect: string) => matchesGlob(patterns, effect);
  return all ? effects.length > 0 && effects.every(fits) : effects.some(fits);
}

function matchesPaths(patterns: Patterns, { paths, project, home }: MatchableCall, all: boolean): boolean {
  const globs = [patterns].flat().map((glob) => expandHome(glob, home));
  const fits = (path: string) => realNames(expandHome(path, home), project).some((name) => matchesGlob(globs, name));
  if (all) return paths.length > 0 && paths.every(fits);
  return paths.some((path) => fits(path) || matchesGlob(globs, path));
}
