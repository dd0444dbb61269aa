// A history that any provider takes: every call has its result, every result its call, in the next turn. Pure.
import type { ToolResultPart, Turn, UserTurn } from "../model/types.ts";

const LOST = "The run ended before this call had a result. It may or may not have been carried out.";
const UNKNOWN_END =
  "This call began, and the process ended before its result was known. It may have been carried out in full, in part or not at all. Check what it did before you make it again.";
const NEVER_BEGAN = "The process ended before this call changed anything. Make it again if it is still needed.";

/** Give calls without a result one that says so, and drop results without a call. `begun` are the calls known to have begun. */
export function repairTurns(turns: readonly Turn[], begun?: readonly string[]): Turn[] {
  const lost = (id: string) => (begun === undefined ? LOST : begun.includes(id) ? UNKNOWN_END : NEVER_BEGAN);
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
      (id): ToolResultPart => ({
        type: "tool_result",
        tool_use_id: id,
        content: [{ type: "text", text: lost(id) }],
        is_error: true,
      }),
    );
    repaired.push({ role: "user", content: results });
  }
  return mergeNeighbours(repaired).map((turn, index, all) => inOrder(turn, all[index - 1]));
}

function callsOf(turn: Turn | undefined): Set<string> {
  return new Set(turn?.role === "assistant" ? turn.content.flatMap((part) => (part.type === "tool_use" ? [part.id] : [])) : []);
}

/** Results in the order of their calls, before anything else: that is where providers look for them. */
function inOrder(turn: Turn, before: Turn | undefined): Turn {
  if (turn.role !== "user") return turn;
  const calls = [...callsOf(before)];
  const rank = (part: UserTurn["content"][number]) =>
    part.type === "tool_result" ? calls.indexOf(part.tool_use_id) : calls.length;
  return { role: "user", content: turn.content.toSorted((a, b) => rank(a) - rank(b)) };
}

/** Two turns of the user in a row are one. */
function mergeNeighbours(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (turn.role === "user" && last?.role === "user") {
      merged[merged.length - 1] = { role: "user", content: [...last.content, ...turn.content] };
    } else merged.push(turn);
  }
  return merged;
}
