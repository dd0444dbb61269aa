// A call in the words of a ticket: what a person must see to decide, all of it.
import { readFileSync } from "node:fs";
import type { AskInput } from "@hap/sdk/agent";
import { applyEdit, type Edit } from "../tools/files/apply-edit.ts";
import { decode } from "../tools/files/file-text.ts";
import type { CallFacts } from "../tools/tool.ts";
import type { Call } from "./gate.ts";

/** Kind, summary and details; a change of a file comes as its diff. The gate trims the summary. */
export function describeForTicket(call: Call, facts: CallFacts, project: string): AskInput {
  const { command, path, host } = facts.subject;
  if (command !== undefined)
    return {
      kind: "run_command",
      summary: `Run: ${command}`,
      details: { command, cwd: facts.cwd ?? project, tool: call.name },
    };
  if (path !== undefined && (facts.callClass === "edit" || facts.callClass === "edit_outside" || facts.callClass === "guarded")) {
    const diff = diffOf(call, path);
    return {
      kind: "modify_file",
      summary: facts.summary,
      file: path,
      ...(diff === null ? {} : { diff }),
      details: { tool: call.name, ...(diff === null ? { input: call.input } : {}) },
    } as AskInput;
  }
  const kind = host !== undefined ? "web_request" : facts.callClass === "mcp" ? "mcp_call" : "use_tool";
  return { kind, summary: facts.summary, details: { tool: call.name, input: call.input } } as AskInput;
}

/** The unified diff of what the call would do to the file; null when it cannot be shown as one. */
function diffOf(call: Call, path: string): string | null {
  const before = readBefore(path);
  if (before === null) return null;
  try {
    const edits =
      call.name === "Edit" ? [call.input as unknown as Edit] : call.name === "MultiEdit" ? (call.input.edits as Edit[]) : null;
    if (edits === null && call.name !== "Write") return null;
    const after = edits === null ? String(call.input.content) : edits.reduce((text, edit) => applyEdit(text, edit, ""), before);
    return unifiedDiff(before, after, path.replace(/^\//, ""));
  } catch {
    // The call will fail by itself; the person sees its input.
    return null;
  }
}

function readBefore(path: string): string | null {
  try {
    return decode(readFileSync(path))?.text ?? null;
  } catch {
    return "";
  }
}

/** One hunk from the first line that differs to the last. */
function unifiedDiff(before: string, after: string, path: string): string | null {
  const [old, now] = [toLines(before), toLines(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  if (head === old.length && head === now.length) return null;
  const from = Math.max(0, head - 3);
  const after3 = Math.min(3, tail);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const around = [old.slice(from, head), old.slice(old.length - tail, old.length - tail + after3)] as const;
  const counts = [
    around[0].length + removed.length + around[1].length,
    around[0].length + added.length + around[1].length,
  ] as const;
  const start = (count: number) => (count === 0 ? 0 : from + 1);
  const body = [
    ...around[0].map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...around[1].map((line) => ` ${line}`),
  ];
  return `--- ${before === "" ? "/dev/null" : `a/${path}`}\n+++ b/${path}\n@@ -${start(counts[0])},${counts[0]} +${start(counts[1])},${counts[1]} @@\n${body.join("\n")}\n`;
}

function toLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
