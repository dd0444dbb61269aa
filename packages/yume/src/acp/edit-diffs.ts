// What a call would change, as the diffs that editors show.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { ToolInput } from "../model/types.ts";

const LONGEST = 1_000_000;

/** The diffs of an edit; none for any other call. */
export function diffsOf(tool: string, input: ToolInput, cwd: string): ToolCallContent[] {
  if (typeof input.file_path !== "string") return [];
  const path = resolve(cwd, input.file_path);
  if (tool === "Write") return [{ type: "diff", path, oldText: textOf(path), newText: String(input.content ?? "") }];
  const edits =
    tool === "Edit" ? [input] : tool === "MultiEdit" && Array.isArray(input.edits) ? (input.edits as ToolInput[]) : [];
  return edits.map(({ old_string, new_string }) => ({
    type: "diff",
    path,
    oldText: String(old_string ?? ""),
    newText: String(new_string ?? ""),
  }));
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").slice(0, LONGEST);
  } catch {
    return null;
  }
}
