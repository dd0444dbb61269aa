// Tool names that every provider takes: letters, digits, `_` and `-`, at most 64. Other names (an MCP server may have any) are
// sent under a safe one and come back under their own.
import { createHash } from "node:crypto";
import type { ModelEvent, ModelRequest, Turn } from "../model/types.ts";

const safe = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** The request with safe names only, and what gives an event its own names back. */
export function withSafeToolNames(request: ModelRequest): { request: ModelRequest; restore(event: ModelEvent): ModelEvent } {
  const used = [
    ...request.tools.map(({ name }) => name),
    ...request.turns.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool_use" ? [part.name] : []))),
  ];
  if (used.every((name) => safe.test(name))) return { request, restore: (event) => event };
  const given = new Map(used.map((name) => [safeName(name), name]));
  return {
    request: {
      ...request,
      tools: request.tools.map((tool) => ({ ...tool, name: safeName(tool.name) })),
      turns: request.turns.map(renamed),
    },
    restore(event) {
      if (event.type === "tool_start") return { ...event, name: given.get(event.name) ?? event.name };
      if (event.type !== "end") return event;
      const parts = event.parts.map((part) =>
        part.type === "tool_use" ? { ...part, name: given.get(part.name) ?? part.name } : part,
      );
      return { ...event, parts };
    },
  };
}

function renamed(turn: Turn): Turn {
  if (turn.role === "user") return turn;
  return {
    ...turn,
    content: turn.content.map((part) => (part.type === "tool_use" ? { ...part, name: safeName(part.name) } : part)),
  };
}

/** A hash keeps apart what would look the same. */
function safeName(name: string): string {
  if (safe.test(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name
    .replace(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^[^a-zA-Z_]/, "_")
    .slice(0, 55)}_${hash}`;
}
