// Calls that are cut, long or unwanted, in every format.
import { frame, type WireName } from "../encode-turn.ts";
import { again, everywhere, greeting, type Hazard, idIn, raw, standard, standardParts, untilMidArguments } from "./scenario.ts";

/** Where arguments are streamed; the others send calls whole. */
const streamed: readonly WireName[] = ["chat", "responses", "anthropic"];

/** The standard turn with its call's arguments cut, and this as the reason. */
function halfCall(wire: WireName, reason: "max_tokens" | "tool_use"): string[] {
  const events = untilMidArguments(wire);
  const cut = reason === "max_tokens";
  if (wire === "chat")
    return [
      ...events,
      frame(wire, { choices: [{ index: 0, delta: {}, finish_reason: cut ? "length" : "tool_calls" }] }),
      frame(wire, "[DONE]"),
    ];
  if (wire === "anthropic")
    return [
      ...events,
      frame(wire, { type: "message_delta", delta: { stop_reason: reason }, usage: {} }),
      frame(wire, { type: "message_stop" }),
    ];
  const response = cut ? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } : { status: "completed" };
  return [...events, frame(wire, { type: cut ? "response.incomplete" : "response.completed", response })];
}

export const callHazards: Hazard[] = [
  everywhere(
    "`length` with half a call",
    (wire) => ({
      answers: [raw(halfCall(wire, "max_tokens"))],
      outcome: "cut off",
      parts: [{ type: "text", text: greeting }],
    }),
    streamed,
  ),
  everywhere("`length` after a whole call", () => ({
    answers: [{ ...standard, stop_reason: "max_tokens" }],
    outcome: "cut off",
  })),
  everywhere(
    "truncated arguments under an ordinary reason, once",
    (wire) => ({ answers: [raw(halfCall(wire, "tool_use")), standard], outcome: again }),
    streamed,
  ),
  everywhere(
    "truncated arguments under an ordinary reason, every time",
    (wire) => ({
      answers: Array.from({ length: 4 }, () => raw(halfCall(wire, "tool_use"))),
      outcome: "error `bad_output` after 3 tries",
      tells: /no whole JSON object/,
    }),
    streamed,
  ),
  everywhere("an argument of 1 MB", (wire) => {
    const content = [{ type: "tool_use", id: "c1", name: "Write", input: { content: "ä€".repeat(210_000) } }] as const;
    return { answers: [{ content: [...content] }], outcome: "turn", parts: [{ ...content[0], id: idIn(wire) }] };
  }),
  everywhere("a refusal", (wire) => ({
    answers: [{ ...standard, stop_reason: "refusal" }],
    // Ollama knows no such thing.
    outcome: wire === "ollama" ? "turn" : "refusal",
    parts: wire === "ollama" ? standardParts(wire) : [{ type: "text", text: greeting }],
  })),
];
