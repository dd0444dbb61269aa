// Rules: `Tool` or `Tool(pattern)`. A rule that lets something run must match all of it; one that forbids, any part. Pure, but for
// what a command's subject looks up.
import { posix } from "node:path";
import { matchPath } from "./match-path.ts";
import type { Destination } from "./permission-update.ts";
import { splitCommand } from "./split-command.ts";

/** Where a rule comes from: a destination of updates, or what no answer can change. `cliArg` is the command line. */
export type RulePlace = Destination | "yumeSettings" | "flagSettings" | "policySettings";

export type Rule = { tool: string; pattern: string | null; text: string; place: RulePlace };

/** What a rule is held against: the tool's name, and what its pattern speaks about. */
export type RuleSubject = {
  tool: string;
  command?: string;
  /** What rules that forbid or ask want to know of the command. */
  shell?: CommandSubject;
  /** Absolute and resolved, with `/`. */
  path?: string;
  /** The same as it was given, links not followed. */
  givenPath?: string;
  host?: string;
  /** Anything else that a pattern may name: a sub-agent's type, a skill. */
  word?: string;
};

/** Whether a command may, somewhere in it, do what a pattern speaks of. */
export type CommandSubject = {
  mayRun: (pattern: string) => boolean;
  mayRead: (pattern: string) => boolean;
  mayEdit: (pattern: string) => boolean;
  mayReach: (host: string) => boolean;
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
export function parseRule(text: string, place: RulePlace = "cliArg"): Rule | null {
  const match = /^([A-Za-z_][\w.*-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  if (match === null) return null;
  // Claude Code escapes brackets in the patterns that it writes.
  const pattern = match[2]?.replaceAll(/\\([\\()])/g, "$1").trim();
  return {
    tool: match[1] as string,
    pattern: pattern === undefined || pattern === "" || pattern === "*" ? null : pattern,
    text: text.trim(),
    place,
  };
}

/** Read rules; what is none is left out. */
export function parseRules(texts: readonly string[], place?: RulePlace): Rule[] {
  return texts.map((text) => parseRule(text, place)).filter((rule) => rule !== null);
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
  return rules.find(
    (rule) =>
      mayConcern(rule, subject) ||
      commands.some((command) => matches(rule, command === undefined ? subject : { ...subject, command }, roots, how, true)),
  );
}

/** A rule about files or hosts speaks of commands that touch them, too. */
function mayConcern({ tool, pattern }: Rule, { shell }: RuleSubject): boolean {
  if (shell === undefined || pattern === null) return false;
  if (tool === "Bash") return shell.mayRun(pattern);
  if (FAMILIES.Read?.includes(tool)) return shell.mayRead(pattern);
  if (FAMILIES.Edit?.includes(tool)) return shell.mayEdit(pattern);
  return tool === "WebFetch" && shell.mayReach(pattern.replace(/^domain:(?:\*\.)?/, ""));
}

export type RuleRoots = { cwd: string; home: string };

/** The tools that a name of a rule speaks of: editing is one thing, whatever the tool. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Edit: ["Edit", "MultiEdit", "Write", "NotebookEdit"],
  Read: ["Read", "Grep", "Glob", "LS"],
  Agent: ["Task"],
};

/** Tools that look into a folder. */
const LISTING: ReadonlySet<string> = new Set(["Grep", "Glob", "LS"]);

/** What forbids reading a file forbids asking about it, too; what allows reading it starts no language server. */
const FORBIDDEN_WITH: Readonly<Record<string, readonly string[]>> = { Read: ["LSP"] };

function matches(rule: Rule, subject: RuleSubject, roots: RuleRoots, how: "all" | "any", plain: boolean): boolean {
  if (!matchesTool(rule, subject.tool, how)) return false;
  if (rule.pattern === null) return true;
  if (subject.command !== undefined) return matchesCommand(rule.pattern, subject.command, plain);
  if (subject.path !== undefined) {
    if (matchPath(rule.pattern, subject.path, roots)) return true;
    // What allows reading everything in a folder allows listing it; what forbids it forbids the folder, by whichever name it goes.
    const folder = rule.pattern.replace(/\/\*\*(?:\/\*)?$/, "");
    if (how === "all") return LISTING.has(subject.tool) && folder !== "**" && matchPath(folder, subject.path, roots);
    const paths = [subject.path, subject.givenPath ?? subject.path];
    return paths.some(
      (path) => matchPath(rule.pattern as string, path, roots) || (folder !== "**" && matchPath(folder, path, roots)),
    );
  }
  if (subject.host !== undefined) return matchesHost(rule.pattern, subject.host);
  return subject.word !== undefined && wildcard(rule.pattern).test(subject.word);
}

function matchesTool(rule: Rule, tool: string, how: "all" | "any"): boolean {
  if (how === "any" && rule.pattern !== null) {
    if (FORBIDDEN_WITH[rule.tool]?.includes(tool)) return true;
    // Claude's rules name one tool of a family; what forbids one way to a file forbids them all.
    if (Object.values(FAMILIES).some((family) => family.includes(rule.tool) && family.includes(tool))) return true;
  }
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
