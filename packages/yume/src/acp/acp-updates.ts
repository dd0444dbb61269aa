// A run's events as the updates that ACP editors show. Pure.
import type { SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { RunEvent } from "../frames/run-event.ts";
import type { ToolInput, Turn } from "../model/types.ts";
import { diffsOf } from "./edit-diffs.ts";

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  LS: "read",
  NotebookEdit: "edit",
  Write: "edit",
  Edit: "edit",
  MultiEdit: "edit",
  Glob: "search",
  Grep: "search",
  Bash: "execute",
  BashOutput: "execute",
  KillShell: "execute",
  WebFetch: "fetch",
  WebSearch: "fetch",
  Task: "think",
};

/** The kind of a tool, as editors sort them. */
export function kindOf(tool: string): ToolKind {
  return KINDS[tool] ?? "other";
}

/** A call in a few words. */
export function titleOf(tool: string, input: ToolInput): string {
  const subject =
    input.file_path ??
    input.notebook_path ??
    input.command ??
    input.pattern ??
    input.url ??
    input.query ??
    input.description ??
    input.path;
  return subject === undefined ? tool : `${tool} ${String(subject).replaceAll(/\s+/g, " ").slice(0, 120)}`;
}

/** What a call would change, by its id: an editor shows it with the question and keeps it with the result. */
export type Diffs = Map<string, ToolCallContent[]>;

/** The updates of one event; often none. */
export function toUpdates(event: RunEvent, cwd: string, diffs: Diffs): SessionUpdate[] {
  if ("parent" in event && event.parent !== null) return [];
  switch (event.type) {
    case "text_delta":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.text } }];
    case "thinking_delta":
      return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: event.text } }];
    case "message":
      return event.parts.flatMap((part): SessionUpdate[] =>
        part.type === "tool_use" ? callUpdates(part.id, part.name, part.input, cwd, diffs) : [],
      );
    case "tool_result":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.tool_use_id,
          status: event.is_error ? "failed" : "completed",
          content: resultContent(event, diffs),
        },
      ];
    case "error":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.message } }];
    default:
      return [];
  }
}

/** A change that was made stays visible as its diff; anything else is what the tool said. */
function resultContent({ tool_use_id, content, is_error }: ToolEnd, diffs: Diffs): ToolCallContent[] {
  const changed = diffs.get(tool_use_id);
  diffs.delete(tool_use_id);
  if (changed !== undefined && !is_error) return changed;
  return content.map((part) => ({
    type: "content",
    content:
      part.type === "text" ? { type: "text", text: part.text } : { type: "image", data: part.data, mimeType: part.media_type },
  }));
}

type ToolEnd = Pick<Extract<RunEvent, { type: "tool_result" }>, "tool_use_id" | "content" | "is_error">;

/** What was said and done before, for an editor that opens the conversation again. */
export function replayUpdates(turns: readonly Turn[], cwd: string): SessionUpdate[] {
  // Diffs are kept only while a call runs: here results are what the tools said.
  const none: Diffs = new Map();
  return turns.flatMap((turn) =>
    turn.content.flatMap((part): SessionUpdate[] => {
      if (part.type === "text")
        return [
          {
            sessionUpdate: turn.role === "user" ? "user_message_chunk" : "agent_message_chunk",
            content: { type: "text", text: part.text },
          },
        ];
      if (part.type === "thinking")
        return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: part.thinking } }];
      if (part.type === "tool_use") return callUpdates(part.id, part.name, part.input, cwd, none);
      if (part.type === "tool_result")
        return [
          {
            sessionUpdate: "tool_call_update",
            toolCallId: part.tool_use_id,
            status: part.is_error ? "failed" : "completed",
            content: resultContent(part, none),
          },
        ];
      return [];
    }),
  );
}

function callUpdates(id: string, name: string, input: ToolInput, cwd: string, diffs: Diffs): SessionUpdate[] {
  const changes = diffsOf(name, input, cwd);
  if (changes.length > 0) diffs.set(id, changes);
  const path = input.file_path ?? input.notebook_path;
  const call: SessionUpdate = {
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: titleOf(name, input),
    kind: kindOf(name),
    status: "pending",
    rawInput: input,
    ...(changes.length > 0 ? { content: changes } : {}),
    ...(typeof path === "string" ? { locations: [{ path }] } : {}),
  };
  if (name !== "TodoWrite" || !Array.isArray(input.todos)) return [call];
  const entries = (input.todos as { content: string; status: "pending" | "in_progress" | "completed" }[]).map(
    ({ content, status }) => ({ content, status, priority: "medium" as const }),
  );
  return [call, { sessionUpdate: "plan", entries }];
}
