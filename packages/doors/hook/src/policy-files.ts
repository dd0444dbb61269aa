// The two policy files, read without the engine (D5): what they tighten counts at once, and nothing else can be taken from them
// without the store. A file that is not plainly right is left to the engine, which says what is wrong with it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, type MatchableRule, matchesRule } from "@hap/protocol/rules";
import { isObject, type JsonObject } from "./read-event.ts";

/** `unsure`: only the engine can tell what the files say. */
export type Tightened = "no" | "yes" | "unsure";

/** Whether a file asks about or forbids a call. */
export function tightens(home: string, project: string | null, call: Call): Tightened {
  const paths = [join(home, ".hap", "policy.json"), ...(project === null ? [] : [join(project, ".hap", "policy.json")])];
  const answers = [...new Set(paths)].map((path) => fileTightens(path, call));
  if (answers.includes("unsure")) return "unsure";
  return answers.includes("yes") ? "yes" : "no";
}

function fileTightens(path: string, call: Call): Tightened {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "no" : "unsure";
  }
  const rules = readRules(text);
  if (rules === null) return "unsure";
  return rules.some((rule) => rule.verdict !== "allow" && matchesRule(rule, call)) ? "yes" : "no";
}

const FILE_KEYS = ["$schema", "version", "risk", "roles", "rules"];
const RULE_KEYS = ["id", "match", "verdict", "why", "to", "lease", "priority", "record", "timer_yes"];
const PATTERN_KEYS = ["kind", "agent", "path", "command", "environment", "project", "effect", "tier"];

function readRules(text: string): MatchableRule[] | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(file) || !hasOnly(file, FILE_KEYS) || file.version !== 1 || file.risk !== undefined) return null;
  const rules = file.rules ?? [];
  return Array.isArray(rules) && rules.every(isRule) ? rules : null;
}

function isRule(rule: unknown): rule is MatchableRule {
  return (
    isObject(rule) &&
    hasOnly(rule, RULE_KEYS) &&
    typeof rule.id === "string" &&
    (rule.verdict === "allow" || rule.verdict === "ask" || rule.verdict === "deny") &&
    isObject(rule.match) &&
    Object.entries(rule.match).every(([key, value]) =>
      key === "risk" ? isRange(value) : PATTERN_KEYS.includes(key) && isPatterns(value),
    )
  );
}

function isPatterns(value: unknown): boolean {
  const patterns = [value].flat();
  return patterns.length > 0 && patterns.every((pattern) => typeof pattern === "string" && pattern !== "");
}

function isRange(value: unknown): boolean {
  return isObject(value) && hasOnly(value, ["min", "max"]) && Object.values(value).every((bound) => typeof bound === "number");
}

function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key));
}
