// The tools of a run: only what works here is listed.
import { bashOutputTool, bashTool, killShellTool } from "./bash/bash.ts";
import { editTool, multiEditTool } from "./files/edit.ts";
import { lsTool } from "./files/ls.ts";
import { notebookEditTool } from "./files/notebook-edit.ts";
import { readTool } from "./files/read.ts";
import { writeTool } from "./files/write.ts";
import { globTool } from "./search/glob.ts";
import { grepTool } from "./search/grep.ts";
import type { Tool } from "./tool.ts";

/** Tools that need nothing but the workspace. `outputs` may always be read. */
export function coreTools(outputs: string): Tool[] {
  return [
    readTool([outputs]),
    writeTool,
    editTool,
    multiEditTool,
    notebookEditTool,
    globTool,
    grepTool,
    lsTool,
    bashTool,
    bashOutputTool,
    killShellTool,
  ];
}

/** The tools that were asked for, without those that are forbidden whole. */
export function chooseTools(
  all: readonly Tool[],
  wanted: readonly string[] | null,
  denyRules: readonly string[],
): Map<string, Tool> {
  const forbidden = new Set(denyRules.filter((rule) => !rule.includes("(")));
  const isForbidden = (name: string) =>
    forbidden.has(name) ||
    [...forbidden].some((rule) => rule.startsWith("mcp__") && name.startsWith(`${rule.replace(/\*$/, "").replace(/__$/, "")}__`));
  const kept = all.filter(
    ({ spec: { name } }) => !isForbidden(name) && (wanted === null || name.startsWith("mcp__") || wanted.includes(name)),
  );
  return new Map(kept.map((tool) => [tool.spec.name, tool]));
}
