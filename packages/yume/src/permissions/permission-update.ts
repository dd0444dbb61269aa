// Changes of rules, folders and mode that come with a yes ("always allow"), as Claude's clients write them. What does not fit is
// left out: a change that cannot be read changes nothing.
import { isPermissionMode, type PermissionMode } from "./mode.ts";

/** Where a change is kept. `session` and `cliArg` end with the process; the others are settings files. */
const DESTINATIONS = ["session", "cliArg", "localSettings", "projectSettings", "userSettings"] as const;
export type Destination = (typeof DESTINATIONS)[number];

/** The settings files among them. */
export type SettingsDestination = Exclude<Destination, "session" | "cliArg">;

type Behavior = "allow" | "ask" | "deny";

export type RuleValue = { toolName: string; ruleContent?: string };

export type RulesUpdate = {
  type: "addRules" | "replaceRules" | "removeRules";
  rules: RuleValue[];
  behavior: Behavior;
  destination: Destination;
};

export type PermissionUpdate =
  | RulesUpdate
  | { type: "setMode"; mode: PermissionMode; destination: Destination }
  | { type: "addDirectories" | "removeDirectories"; directories: string[]; destination: Destination };

/** The changes in an answer. */
export function readUpdates(value: unknown): PermissionUpdate[] {
  return Array.isArray(value) ? value.map(readUpdate).filter((update) => update !== null) : [];
}

function readUpdate(value: unknown): PermissionUpdate | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, rules, behavior, mode, directories, destination } = value as Record<string, unknown>;
  if (!isOneOf(DESTINATIONS, destination)) return null;
  switch (type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return Array.isArray(rules) && rules.every(isRuleValue) && isOneOf(["allow", "ask", "deny"] as const, behavior)
        ? { type, rules, behavior, destination }
        : null;
    case "setMode":
      return isPermissionMode(mode) ? { type, mode, destination } : null;
    case "addDirectories":
    case "removeDirectories":
      return Array.isArray(directories) && directories.every((one) => typeof one === "string" && one !== "")
        ? { type, directories, destination }
        : null;
    default:
      return null;
  }
}

function isRuleValue(value: unknown): value is RuleValue {
  if (typeof value !== "object" || value === null) return false;
  const { toolName, ruleContent } = value as Record<string, unknown>;
  return typeof toolName === "string" && (ruleContent === undefined || typeof ruleContent === "string");
}

function isOneOf<T extends string>(words: readonly T[], word: unknown): word is T {
  return words.includes(word as T);
}

/** A rule as settings files have it. Brackets in the pattern are escaped, as Claude Code does. */
export function ruleText({ toolName, ruleContent }: RuleValue): string {
  if (ruleContent === undefined || ruleContent === "") return toolName;
  return `${toolName}(${ruleContent.replaceAll(/[\\()]/g, "\\$&")})`;
}
