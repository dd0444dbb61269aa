// When a grant covers a call (D43). Pure: the engine asks before a use, and `hap verify` asks again of every use that it reads.
// To allow, everything that the call does must be named; to deny, one part of it is enough.
import type { Tier } from "../constants.ts";
import { matchesGlob } from "../policy-match.ts";
import { matchesPattern, mentionsPattern, readCommandPattern } from "./command-pattern.ts";

/** What a grant is about; null does not narrow. `project` is a handle. */
export type GrantScope = {
  readonly agent: string | null;
  readonly session: string | null;
  readonly project: string | null;
  readonly kinds: readonly string[] | null;
  readonly environments: readonly string[] | null;
  /** All that a call may do: one further effect, and the grant does not cover it. */
  readonly effects: readonly string[] | null;
};

/** The parts of a scope that are free text: patterns of commands, paths and hosts. */
export type GrantPatterns = {
  readonly commands: readonly string[] | null;
  readonly paths: readonly string[] | null;
  readonly hosts: readonly string[] | null;
};

/** What is known of a call without its texts. `project` is a handle. */
export type GrantFacts = {
  readonly agent: string;
  readonly session: string | null;
  readonly project: string | null;
  readonly kind: string;
  readonly environment: string | null;
  readonly tier: Tier;
  readonly effects: readonly string[];
};

/** The texts of a call. */
export type GrantTexts = {
  /** Every single command as its words; null where the call is no command. */
  readonly commands: readonly (readonly string[])[] | null;
  /** Files that it names, from the project's folder where they lie inside. */
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  /** The command was read whole, word by word. What was not can only be denied. */
  readonly readable: boolean;
};

/** What no grant opens: critical tickets, and files that arm the gate. */
export function isNeverGranted({ tier, effects }: Pick<GrantFacts, "tier" | "effects">): boolean {
  return tier === "critical" || effects.includes("gate_files");
}

/** True when a grant to allow covers the facts of a call. */
export function allowsFacts(scope: GrantScope, call: GrantFacts): boolean {
  return !isNeverGranted(call) && concerns(scope, call) && (scope.effects === null || isPart(call.effects, scope.effects));
}

/** True when a grant to allow covers the texts of a call whose facts it covers. */
export function allowsTexts(scope: GrantScope, patterns: GrantPatterns, call: GrantTexts): boolean {
  if (call.commands !== null && !(call.readable && coversCommands(patterns.commands, call.commands))) return false;
  if (call.commands === null && patterns.commands !== null) return false;
  if (call.paths.length > 0 ? !coversAll(patterns.paths, call.paths) : patterns.paths !== null && call.commands === null)
    return false;
  if (patterns.hosts !== null && !(call.hosts.length > 0 && coversAll(patterns.hosts, call.hosts))) return false;
  // Where neither a command nor a file says what is done, the kind must be named.
  return call.commands !== null || call.paths.length > 0 || scope.kinds !== null;
}

/**
 * True when a call changes a file outside the project that only a pattern of the project covers, as `**` does: names inside begin with
 * no slash. Asked before a use and not in replay, where uses from before this rule stay legal.
 */
export function leavesProject(patterns: GrantPatterns, { paths }: Pick<GrantTexts, "paths">): boolean {
  const outside = (patterns.paths ?? []).filter((pattern) => pattern.startsWith("/"));
  return paths.some((path) => path.startsWith("/") && !matchesGlob(outside, path));
}

/** True when a denial is about a call: a part of it is enough. */
export function denies(scope: GrantScope, patterns: GrantPatterns, facts: GrantFacts, texts: GrantTexts): boolean {
  if (!concerns(scope, facts)) return false;
  if (scope.effects !== null && !facts.effects.some((effect) => scope.effects?.includes(effect))) return false;
  if (patterns.commands !== null && !mentionsCommand(patterns.commands, texts.commands ?? [])) return false;
  if (patterns.paths !== null && !texts.paths.some((path) => matchesGlob(patterns.paths ?? [], path))) return false;
  return patterns.hosts === null || texts.hosts.some((host) => matchesHost(patterns.hosts ?? [], host));
}

function concerns(scope: GrantScope, call: GrantFacts): boolean {
  return (
    (scope.agent === null || scope.agent === call.agent) &&
    (scope.session === null || scope.session === call.session) &&
    (scope.project === null || scope.project === call.project) &&
    (scope.kinds?.includes(call.kind) ?? true) &&
    (scope.environments === null || (call.environment !== null && scope.environments.includes(call.environment)))
  );
}

function isPart(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}

function coversCommands(patterns: readonly string[] | null, commands: readonly (readonly string[])[]): boolean {
  const read = (patterns ?? []).map(readCommandPattern).filter((pattern) => pattern !== null);
  return commands.length > 0 && commands.every((command) => read.some((pattern) => matchesPattern(pattern, command)));
}

function mentionsCommand(patterns: readonly string[], commands: readonly (readonly string[])[]): boolean {
  const read = patterns.map(readCommandPattern).filter((pattern) => pattern !== null);
  return commands.some((command) => read.some((pattern) => mentionsPattern(pattern, command)));
}

function coversAll(patterns: readonly string[] | null, names: readonly string[]): boolean {
  return patterns !== null && names.every((name) => matchesGlob(patterns, name));
}

function matchesHost(patterns: readonly string[], host: string): boolean {
  return matchesGlob(patterns, host);
}
