// A conversation as one text, for programs that take a prompt and keep no history of ours.
import type { ModelRequest, Turn } from "../../model/types.ts";

export function renderPrompt({ system, turns }: ModelRequest): string {
  const before = turns
    .slice(0, -1)
    .map(render)
    .filter((text) => text !== "");
  const now = turns.length === 0 ? "" : wordsOf(turns[turns.length - 1] as Turn);
  const sections = [
    ...(system === "" ? [] : [`<instructions>\n${system}\n</instructions>`]),
    ...(before.length === 0 ? [] : [`<conversation_so_far>\n${before.join("\n\n")}\n</conversation_so_far>`]),
    now,
  ];
  return sections.join("\n\n");
}

const render = (turn: Turn): string => {
  const words = wordsOf(turn);
  return words === "" ? "" : `${turn.role === "user" ? "User" : "Assistant"}: ${words}`;
};

function wordsOf({ content }: Turn): string {
  const pieces = content.flatMap((part): string[] => {
    if (part.type === "text") return [part.text];
    if (part.type === "tool_use") return [`[called ${part.name} with ${JSON.stringify(part.input)}]`];
    if (part.type === "tool_result")
      return [`[result: ${part.content.flatMap((inner) => (inner.type === "text" ? [inner.text] : [])).join("\n")}]`];
    return part.type === "image" ? ["[a picture that cannot be shown here]"] : [];
  });
  return pieces.join("\n");
}
