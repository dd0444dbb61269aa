// The files and folders that rules forbid to read or to edit, for a sandbox that keeps programs from them whatever their code says.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { baseOf, matchPath } from "./match-path.ts";
import type { Rule, RuleRoots } from "./rules.ts";

export type Protected = { path: string; folder: boolean };

const READING = new Set(["Read", "Grep", "Glob", "LS"]);
const EDITING = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
const MOST_WALKED = 20_000;

/** What exists now and must be hidden, and what must not be changed. */
export function protectedPaths(
  deny: readonly Rule[],
  folders: readonly string[],
  roots: RuleRoots,
): { hidden: Protected[]; readOnly: Protected[] } {
  const patterns = (tools: ReadonlySet<string>) =>
    deny.flatMap(({ tool, pattern }) => (pattern !== null && tools.has(tool) ? [pattern] : []));
  return { hidden: find(patterns(READING), folders, roots), readOnly: find(patterns(EDITING), folders, roots) };
}

function find(patterns: readonly string[], folders: readonly string[], roots: RuleRoots): Protected[] {
  const found = new Map<string, Protected>();
  const open: string[] = [];
  for (const pattern of patterns) {
    const base = pattern.endsWith("/**") ? baseOf(pattern, roots) : null;
    if (base === null) open.push(pattern);
    else if (statSync(base, { throwIfNoEntry: false })?.isDirectory()) found.set(base, { path: base, folder: true });
  }
  if (open.length > 0) walk(open, folders, roots, found);
  return [...found.values()];
}

function walk(patterns: readonly string[], folders: readonly string[], roots: RuleRoots, found: Map<string, Protected>): void {
  const waiting = [...folders];
  let walked = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let entries: { name: string; isDirectory: () => boolean; isFile: () => boolean }[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (++walked > MOST_WALKED) return;
      const path = join(folder, entry.name);
      if (patterns.some((pattern) => matchPath(pattern, path, roots))) {
        if (entry.isDirectory() || entry.isFile()) found.set(path, { path, folder: entry.isDirectory() });
      } else if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") waiting.push(path);
    }
  }
}
