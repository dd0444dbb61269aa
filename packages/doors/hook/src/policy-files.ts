// The two policy files, read without the store (D5): what they tighten counts at once, and nothing else is taken from them here.
// A file that is not valid is left to the engine, which says what is wrong with it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConfineMode,
  type MatchableCall,
  matchesRule,
  type PolicyFile,
  readPolicyFile,
  strictestConfine,
} from "@hap/protocol/rules";

/** `unsure`: only the engine can tell what the files say. */
export type Tightened = "no" | "yes" | "unsure";

/** Whether a file asks about or forbids a call. */
export function tightens(home: string, project: string | null, call: MatchableCall): Tightened {
  const files = readFiles(home, project);
  // Tuned risk changes what a rule on risk or tier matches, and counts only as it was confirmed.
  if (files === null || files.some(({ risk }) => risk !== undefined)) return "unsure";
  const rules = files.flatMap((file) => file.rules);
  return rules.some((rule) => rule.verdict !== "allow" && matchesRule(rule, call)) ? "yes" : "no";
}

/** The strictest rule of the files that asks about or denies a call; a file that cannot be read asks about everything. */
export function strictestVerdict(
  home: string,
  project: string | null,
  call: MatchableCall,
): { verdict: "ask" | "deny"; rule: string; why: string | undefined } | null {
  const files = readFiles(home, project);
  if (files === null) return { verdict: "ask", rule: "unreadable-policy", why: "A policy file cannot be read." };
  const matching = files.flatMap((file) => file.rules).filter((rule) => rule.verdict !== "allow" && matchesRule(rule, call));
  const rule = matching.find(({ verdict }) => verdict === "deny") ?? matching[0];
  return rule === undefined ? null : { verdict: rule.verdict === "deny" ? "deny" : "ask", rule: rule.id, why: rule.why };
}

/** What the files say about confining; null where only the engine can tell what is wrong with one. */
export function confineMode(home: string, project: string | null): ConfineMode | null {
  const files = readFiles(home, project);
  return files === null ? null : strictestConfine(files);
}

/** Those that exist; null when one of them cannot be read or is not valid. */
function readFiles(home: string, project: string | null): PolicyFile[] | null {
  const paths = [home, ...(project === null ? [] : [project])].map((folder) => join(folder, ".hap", "policy.json"));
  try {
    return [...new Set(paths)].flatMap((path) => readFile(path) ?? []);
  } catch {
    return null;
  }
}

function readFile(path: string): PolicyFile | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
  return readPolicyFile(text, path);
}
