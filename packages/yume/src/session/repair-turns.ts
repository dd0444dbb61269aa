// A history that any provider takes: every call has its result, every result its call, in the next turn. Pure.
import type { ToolResultPart, Turn, UserTurn } from "../model/types.ts";

const LOST = "The run ended before this call had a result. It may or may not have been carried out.";

/** Give calls without a result one that says so, and drop results without a call. */
export function repairTurns(turns: readonly Turn[]): Turn[] {
  const repaired: Turn[] = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.role === "user") {
      const open = callsOf(turns[index - 1]);
      const content = turn.content.filter((part) => part.type !== "tool_result" || open.has(part.tool_use_id));
      if (content.length > 0) repaired.push({ role: "user", content });
      continue;
    }
    if (turn.content.length === 0) continue;
    repaired.push(turn);
    const next = turns[index + 1];
    const answered = new Set(
      next?.role === "user" ? next.content.flatMap((part) => (part.type === "tool_result" ? [part.tool_use_id] : [])) : [],
    );
    const missing = [...callsOf(turn)].filter((id) => !answered.has(id));
    if (missing.length === 0) continue;
    const results = missing.map(
      (id): ToolResultPart => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: LOST }], is_error: true }),
    );
    repaired.push({ role: "user", content: results });
  }
  return mergeNeighbours(repaired);
}

function callsOf(turn: Turn | undefined): Set<string> {
  return new Set(turn?.role === "assistant" ? turn.content.flatMap((part) => (part.type === "tool_use" ? [part.id] : [])) : []);
}

/** Two turns of the user in a row are one. */
function mergeNeighbours(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (turn.role === "user" && last?.role === "user") {
      const joined: UserTurn = { role: "user", content: [...last.content, ...turn.content] };
      // Results come first: that is where providers look for them.
      joined.content.sort((a, b) => Number(b.type === "tool_result") - Number(a.type === "tool_result"));
      merged[merged.length - 1] = joined;
    } else merged.push(turn);
  }
  return merged;
}
