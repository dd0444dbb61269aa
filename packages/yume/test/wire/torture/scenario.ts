// One hazard as one wire format shows it: what the server does, and how the request must end.
import type { AssistantTurn, ModelRequest } from "../../../src/model/types.ts";
import type { ProviderSettings } from "../../../src/providers/settings.ts";
import type { Heard } from "../ask.ts";
import { encodeTurn, frame, type ScriptedTurn, type WireName, wireNames } from "../encode-turn.ts";
import type { RawAnswer, ScriptedAnswer } from "../server.ts";

export type Play = {
  answers: ScriptedAnswer[];
  /** As `outcomeOf` says it. */
  outcome: string;
  /** The parts of the turn; without them, those of the standard turn. */
  parts?: AssistantTurn["content"];
  /** What the error's message has to tell. */
  tells?: RegExp;
  request?: Partial<ModelRequest>;
  settings?: Partial<ProviderSettings>;
};

export type Hazard = { hazard: string; plays: Partial<Record<WireName, Play>> };

export const greeting = "Grüß dich 👋 你好";
const input = { file_path: "/tmp/ä b" };

/** What the model means to say in every scenario. */
export const standard: ScriptedTurn = {
  content: [
    { type: "text", text: greeting },
    { type: "tool_use", id: "c1", name: "Read", input },
  ],
};

/** Gemini and Ollama give no ids: theirs follow from turn and position. */
export const idIn = (wire: WireName, given = "c1", position = 1) =>
  wire === "gemini" || wire === "ollama" ? `call_1_${position}` : given;

export const standardParts = (wire: WireName): AssistantTurn["content"] => [
  { type: "text", text: greeting },
  { type: "tool_use", id: idIn(wire), name: "Read", input },
];

export const standardEvents = (wire: WireName) => encodeTurn(wire, standard);

export const raw = (chunks: RawAnswer["chunks"], more: Omit<RawAnswer, "chunks"> = {}): ScriptedAnswer => ({
  raw: { ...(chunks !== undefined && { chunks }), ...more },
});

export const sse: readonly WireName[] = ["chat", "responses", "anthropic", "gemini"];

export const again = "turn at the second try";

/** The same hazard in several formats, by default in all. */
export const everywhere = (hazard: string, play: (wire: WireName) => Play, wires: readonly WireName[] = wireNames): Hazard => ({
  hazard,
  plays: Object.fromEntries(wires.map((wire) => [wire, play(wire)])),
});

/** The standard turn up to the middle of the call's arguments. */
export function untilMidArguments(wire: WireName): string[] {
  const events = standardEvents(wire);
  const marks: Record<WireName, string> = {
    chat: '"arguments":"{',
    responses: "function_call_arguments.delta",
    anthropic: "input_json_delta",
    gemini: "functionCall",
    ollama: "tool_calls",
  };
  const at = events.findIndex((event) => event.includes(marks[wire]));
  const event = events[at] ?? "";
  // Where calls come whole, the event itself is cut.
  const whole = wire === "gemini" || wire === "ollama";
  return [...events.slice(0, at), whole ? event.slice(0, event.indexOf("file_path") + 12) : event];
}

/** The standard turn without what tells that it is complete. */
export function withoutEnd(wire: WireName): string[] {
  const ends: Record<WireName, number> = { chat: 3, responses: 1, anthropic: 2, gemini: 1, ollama: 1 };
  return standardEvents(wire).slice(0, -ends[wire]);
}

/** An error inside a stream that began well. */
export function errorEvent(wire: WireName, error: { code: number; type: string; message: string }): string {
  const { code, type, message } = error;
  const shapes: Record<WireName, Record<string, unknown>> = {
    chat: { error: { message, type, code } },
    responses: { type: "response.failed", response: { status: "failed", error: { code: type, message } } },
    anthropic: { type: "error", error: { type, message } },
    gemini: { error: { code, message, status: type.toUpperCase() } },
    ollama: { error: message },
  };
  return frame(wire, shapes[wire]);
}

/** An error answer in the vendor's shape. */
export function refusal(
  wire: WireName,
  status: number,
  message: string,
  more: { type?: string; headers?: Record<string, string> } = {},
): ScriptedAnswer {
  const type = more.type ?? "some_error";
  const body: Record<WireName, unknown> = {
    chat: { error: { message, type, param: null, code: type } },
    responses: { error: { message, type, param: null, code: type } },
    anthropic: { type: "error", error: { type, message } },
    gemini: [{ error: { code: status, message, status: type.toUpperCase() } }],
    ollama: { error: message },
  };
  return raw([JSON.stringify(body[wire])], { status, headers: { "content-type": "application/json", ...more.headers } });
}

const ordinals = ["", "", "second", "third", "fourth", "fifth", "sixth"];

/** How a request ended, in a few words. */
export function outcomeOf({ end, error, retries }: Heard): string {
  const tries = retries + 1;
  if (error !== null) return `error \`${error.kind}\`${tries > 1 ? ` after ${tries} tries` : ""}`;
  if (end === null) return "nothing";
  const words = { end_turn: "turn", tool_use: "turn", stop_sequence: "turn", max_tokens: "cut off", refusal: "refusal" };
  return `${words[end.stop_reason]}${tries > 1 ? ` at the ${ordinals[tries]} try` : ""}`;
}
