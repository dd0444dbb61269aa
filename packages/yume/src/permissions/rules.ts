// Rules: `Tool` or `Tool(pattern)`. Pure. A rule that lets something run must match all of it; one that forbids, any part.
import { posix } from "node:path";
import { matchPath } from "./match-path.ts";
import { splitCommand } from "./split-command.ts";

export type Rule = { tool: string; pattern: string | null; text: string };

/** What a rule is held against: the tool's name, and what its pattern speaks about. */
export type RuleSubject = {
  tool: string;
  command?: string;
  /** Absolute and resolved, with `/`. */
  path?: string;
  host?: string;
  /** Anything else that a pattern may name: a sub-agent's type, a skill. */
  word?: string;
};

/** Split `Bash(git *), Edit` at commas and spaces outside brackets. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let current = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === "," || character === " ")) {
      if (current !== "") rules.push(current);
      current = "";
    } else current += character;
  }
  if (current !== "") rules.push(current);
  return rules;
}

/** Read one rule; null when it is none. */
export function parseRule(text: string): Rule | null {
  const match = /^([A-Za-z_][\w.*-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  if (match === null) return null;
  const pattern = match[2]?.trim();
  return {
    tool: match[1] as string,
    pattern: pattern === undefined || pattern === "" || pattern === "*" ? null : pattern,
    text: text.trim(),
  };
}

/** Read rules; what is none is left out. */
export function parseRules(texts: readonly string[]): Rule[] {
  return texts.map(parseRule).filter((rule) => rule !== null);
}

/** The first rule that matches. `how` says whether all of a command must match (allow) or any part of it (deny, ask). */
export function findRule(rules: readonly Rule[], subject: RuleSubject, roots: RuleRoots, how: "all" | "any"): Rule | undefined {
  if (subject.command !== undefined && how === "all") {
    const parts = splitCommand(subject.command);
    // Several rules together may cover a chain of commands; what cannot be taken apart must match one as it stands.
    const used = (parts.plain ? parts.parts : [subject.command]).map((part) =>
      rules.find((rule) => matches(rule, { ...subject, command: part }, roots, how, parts.plain)),
    );
    return used.every((rule) => rule !== undefined) ? used[0] : undefined;
  }
  const commands = subject.command === undefined ? [undefined] : [subject.command, ...splitCommand(subject.command).parts];
  return rules.find((rule) =>
    commands.some((command) => matches(rule, command === undefined ? subject : { ...subject, command }, roots, how, true)),
  );
}

export type RuleRoots = { cwd: string; home: string };

/** The tools that a name of a rule speaks of: editing is one thing, whatever the tool. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Edit: ["Edit", "MultiEdit", "Write", "NotebookEdit"],
  Read: ["Read", "Grep", "Glob", "LS"],
  Agent: ["Task"],
};

/** What forbids reading a file forbids asking about it, too; what allows reading it starts no language server. */
const FORBIDDEN_WITH: Readonly<Record<string, readonly string[]>> = { Read: ["LSP"] };

function matches(rule: Rule, subject: RuleSubject, roots: RuleRoots, how: "all" | "any", plain: boolean): boolean {
  if (!matchesTool(rule, subject.tool, how)) return false;
  if (rule.pattern === null) return true;
  if (subject.command !== undefined) return matchesCommand(rule.pattern, subject.command, plain);
  if (subject.path !== undefined) return matchPath(rule.pattern, subject.path, roots);
  if (subject.host !== undefined) return matchesHost(rule.pattern, subject.host);
  return subject.word !== undefined && wildcard(rule.pattern).test(subject.word);
}

function matchesTool(rule: Rule, tool: string, how: "all" | "any"): boolean {
  if (how === "any" && rule.pattern !== null && FORBIDDEN_WITH[rule.tool]?.includes(tool)) return true;
  if (rule.tool === tool || (rule.pattern !== null && FAMILIES[rule.tool]?.includes(tool))) return true;
  // `mcp__server` and `mcp__server__*` speak of every tool of the server.
  if (rule.tool.startsWith("mcp__")) return wildcard(rule.tool).test(tool) || tool.startsWith(`${rule.tool}__`);
  return false;
}

/** `git diff:*` and `git diff *` are beginnings, everything else is the command itself, `*` standing for anything. */
function matchesCommand(pattern: string, command: string, plain: boolean): boolean {
  const text = command.trim();
  if (text === pattern) return true;
  if (!plain) return false;
  const start = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  if (start !== undefined && !start.includes("*")) return text === start || text.startsWith(`${start} `);
  return wildcard(pattern).test(text);
}

function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.replace(/^domain:/, "").toLowerCase();
  const found = host.toLowerCase();
  return wanted.startsWith("*.") ? found.endsWith(wanted.slice(1)) : found === wanted;
}

function wildcard(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
      .join("[\\s\\S]*")}$`,
  );
}

/** A path with `/`, whatever the system writes. */
export function slashes(path: string): string {
  return posix.normalize(path.replaceAll("\\", "/"));
}
