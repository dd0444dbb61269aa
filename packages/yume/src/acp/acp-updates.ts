// A run's events as the updates that ACP editors show. Pure.
import type { SessionUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { RunEvent } from "../frames/run-event.ts";
import type { ToolInput } from "../model/types.ts";

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

/** The updates of one event; often none. */
export function toUpdates(event: RunEvent): SessionUpdate[] {
  if ("parent" in event && event.parent !== null) return [];
  switch (event.type) {
    case "text_delta":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.text } }];
    case "thinking_delta":
      return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: event.text } }];
    case "message":
      return event.parts.flatMap((part): SessionUpdate[] =>
        part.type === "tool_use" ? callUpdates(part.id, part.name, part.input) : [],
      );
    case "tool_result":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.tool_use_id,
          status: event.is_error ? "failed" : "completed",
          content: event.content.map((part) => ({
            type: "content",
            content:
              part.type === "text"
                ? { type: "text", text: part.text }
                : { type: "image", data: part.data, mimeType: part.media_type },
          })),
        },
      ];
    case "error":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.message } }];
    default:
      return [];
  }
}

function callUpdates(id: string, name: string, input: ToolInput): SessionUpdate[] {
  const path = input.file_path ?? input.notebook_path;
  const call: SessionUpdate = {
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: titleOf(name, input),
    kind: kindOf(name),
    status: "pending",
    rawInput: input,
    ...(typeof path === "string" ? { locations: [{ path }] } : {}),
  };
  if (name !== "TodoWrite" || !Array.isArray(input.todos)) return [call];
  const entries = (input.todos as { content: string; status: "pending" | "in_progress" | "completed" }[]).map(
    ({ content, status }) => ({ content, status, priority: "medium" as const }),
  );
  return [call, { sessionUpdate: "plan", entries }];
}
