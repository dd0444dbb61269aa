// The host's own deny and ask rules, applied to a command before it is put into a wrapper: afterwards the host would see only the
// wrapper. Reads generously: whatever might be a match counts as one, and so does a rule that cannot be read. Pure.
import { isObject } from "../read-event.ts";
import type { SettingsSource } from "./host-settings.ts";

/** The first rule that may match, in words; null if none does. */
export function matchingRule(
  command: string,
  sources: readonly SettingsSource[],
  kinds: readonly ("deny" | "ask" | "allow")[] = ["deny", "ask"],
): string | null {
  const text = normalise(command);
  for (const { where, settings } of sources) {
    if (settings === null) return `${where} cannot be read`;
    const { permissions } = settings;
    if (permissions === undefined) continue;
    if (!isObject(permissions)) return `permissions in ${where} cannot be read`;
    for (const kind of kinds) {
      const rules = permissions[kind] ?? [];
      if (!Array.isArray(rules)) return `permissions.${kind} in ${where} cannot be read`;
      for (const rule of rules) if (mayMatch(rule, text)) return `${kind} rule ${JSON.stringify(rule)} in ${where}`;
    }
  }
  return null;
}

/** Quotes and the amount of white space say nothing about which command it is. */
function normalise(text: string): string {
  return text
    .replaceAll(/['"\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const FILE_TOOLS = ["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"];

function mayMatch(rule: unknown, text: string): boolean {
  if (typeof rule !== "string") return true;
  const [, tool = "", pattern] = /^\s*([^(\s]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(rule) ?? [];
  if (tool === "" || tool === "*") return true;
  if (FILE_TOOLS.includes(tool)) return pattern !== undefined && namesFile(pattern, text);
  if (tool !== "Bash") return tool.includes("*") && "Bash".startsWith(tool.slice(0, tool.indexOf("*")));
  if (pattern === undefined || pattern.trim() === "" || pattern.trim() === "*") return true;
  return matchesText(normalise(pattern.replace(/:\*$/, "*")), text);
}

/** True where the pattern's literal parts follow each other, from the beginning of some word on. Takes linear time. */
function matchesText(pattern: string, command: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  // A rule for "x *" also means x alone.
  const text = `${command} `;
  let at = first.trim() === "" ? 0 : wordAt(first, text, 0);
  if (at < 0) return false;
  at += first.length;
  for (const part of rest) {
    if (part.trim() === "") continue;
    at = text.indexOf(part.trim(), at);
    if (at < 0) return false;
    at += part.trim().length;
  }
  return true;
}

function wordAt(word: string, text: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || /[\s;|&(){}`$=/!<>]/.test(text[at - 1] as string)) return at;
  return -1;
}

/** A rule about files concerns a command that names the longest literal part of its pattern. */
function namesFile(pattern: string, text: string): boolean {
  const parts = pattern.split(/[/*?[\]{}~!]+/).filter((part) => part.length > 1 && part !== "..");
  const longest = parts.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined || text.includes(longest);
}
