// What hooks are told of a call, in the fields that Claude Code's hooks read: paths are absolute, so that no other spelling of a path gets
// around a hook that guards it; `tool_response` is an object with what the tool did. Pure.
import { isAbsolute, join, resolve } from "node:path";
import type { ToolInput } from "../model/types.ts";

const PATHS = ["file_path", "notebook_path", "path"] as const;

/** A call's input as hooks see it. */
export function observableInput(input: ToolInput, cwd: string, home: string): ToolInput {
  const seen = { ...input };
  for (const field of PATHS) {
    const path = input[field];
    if (typeof path === "string" && path !== "") seen[field] = absolute(path, cwd, home);
  }
  return seen;
}

function absolute(path: string, cwd: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  // Without `..` and doubled slashes.
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

/** What a tool did, as Claude Code tells its hooks. `input` as they saw it. */
export function toolResponse(name: string, input: ToolInput, text: string): unknown {
  const filePath = input.file_path;
  switch (name) {
    case "Write":
      return { type: text.startsWith("Created") ? "create" : "update", filePath, content: input.content, userModified: false };
    case "Edit":
      return {
        filePath,
        oldString: input.old_string,
        newString: input.new_string,
        replaceAll: input.replace_all === true,
        userModified: false,
      };
    case "MultiEdit":
      return { filePath, edits: input.edits, userModified: false };
    case "Read": {
      const content = text.replaceAll(/^ *\d+\t/gm, "");
      const numLines = content.split("\n").length;
      return { type: "text", file: { filePath, content, numLines, startLine: Number(input.offset ?? 1) } };
    }
    case "Bash":
      return { stdout: text === "(no output)" ? "" : text, stderr: "", interrupted: false, isImage: false };
    default:
      return name.startsWith("mcp__") ? [{ type: "text", text }] : { content: text };
  }
}
