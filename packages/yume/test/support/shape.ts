// What two programs' frames have in common: each frame as a few words, and each kind of frame as fields with their types.
import type { Frame } from "./place.ts";

type Block = { type: string; id?: string; tool_use_id?: string; name?: string; is_error?: boolean };

/** Frames as words, calls numbered in their order; with `streamed` only the stream events, else all others. */
export function sequence(frames: readonly Frame[], streamed: boolean): string[] {
  const calls = new Map<string, number>();
  const number = (id: unknown) => {
    const key = String(id);
    if (!calls.has(key)) calls.set(key, calls.size + 1);
    return `#${calls.get(key)}`;
  };
  const block = (one: Block): string => {
    if (one.type === "tool_use") return `tool_use ${one.name} ${number(one.id)}`;
    if (one.type === "tool_result") return `tool_result ${number(one.tool_use_id)}${one.is_error ? ", error" : ""}`;
    return one.type;
  };
  const words = frames
    .filter(({ type }) => (type === "stream_event") === streamed && !UNORDERED.has(type))
    .map((frame) => describe(frame, block, number));
  // How a provider cuts its text is no fact about the program, and calls that ran side by side end in any order.
  return sortResults(words.filter((word, index) => word !== words[index - 1] || !word.startsWith("content_block_delta")));
}

/** Answers to the host, and what is told by the clock. */
const UNORDERED = new Set(["control_response", "keep_alive", "tool_progress", "rate_limit_event"]);

function sortResults(words: readonly string[]): string[] {
  const sorted: string[] = [];
  let results: string[] = [];
  for (const word of [...words, ""]) {
    if (word.startsWith("user: tool_result")) results.push(word);
    else {
      sorted.push(...results.sort(), word);
      results = [];
    }
  }
  return sorted.slice(0, -1);
}

function describe(frame: Frame, block: (one: Block) => string, number: (id: unknown) => string): string {
  switch (frame.type) {
    case "system":
      return `system/${frame.subtype}${typeof frame.status === "string" ? ` ${frame.status}` : ""}`;
    case "assistant":
    case "user": {
      const { content } = frame.message as { content: Block[] };
      return `${frame.type}: ${content.map(block).join(" + ")}${frame.error === undefined ? "" : `, ${frame.error}`}`;
    }
    case "control_request": {
      const { subtype, tool_name, tool_use_id } = frame.request as Record<string, unknown>;
      return `${subtype} ${tool_name} ${number(tool_use_id)}`;
    }
    case "result": {
      const denials = frame.permission_denials as { tool_use_id: string }[];
      const denied = denials.length === 0 ? "" : `, denied ${denials.map((one) => number(one.tool_use_id)).join(" ")}`;
      return `result ${frame.subtype}, is_error ${frame.is_error}${denied}`;
    }
    default:
      return streamWords(frame.event as Frame);
  }
}

function streamWords(event: Frame): string {
  const inner = (event.delta ?? event.content_block) as { type?: string; stop_reason?: string | null } | undefined;
  const kind = inner?.type ?? (event.type === "message_delta" ? `${inner?.stop_reason}` : "");
  return [event.type, event.index, kind].filter((part) => part !== undefined && part !== "").join(" ");
}

export type Fields = Map<string, Map<string, Set<string>>>;

/** Kinds of frames, each with its fields and the types that these have. */
export function fieldsOf(frames: readonly Frame[]): Fields {
  const fields: Fields = new Map();
  const note = (kind: string, value: Record<string, unknown>) => {
    const known = fields.get(kind) ?? new Map<string, Set<string>>();
    fields.set(kind, known);
    for (const [name, one] of Object.entries(value)) known.set(name, (known.get(name) ?? new Set()).add(typeOf(one)));
  };
  for (const frame of frames) {
    note(kindOf(frame), frame);
    const message = frame.message as Frame | undefined;
    if (frame.type === "assistant") note("assistant, message", message ?? {});
    for (const block of Array.isArray(message?.content) ? (message.content as Frame[]) : []) note(`block ${block.type}`, block);
    if (frame.type === "control_request") note("can_use_tool, request", frame.request as Frame);
    if (frame.type === "control_response") note(`answer to ${answers[String(responded(frame).request_id)]}`, answered(frame));
    if (frame.type !== "result") continue;
    note("result, usage", frame.usage as Frame);
    for (const one of Object.values(frame.modelUsage as Frame)) note("result, modelUsage", one as Frame);
    for (const one of frame.permission_denials as Frame[]) note("result, permission_denials", one);
  }
  return fields;
}

/** By the ids that the scenarios give their requests. */
const answers: Readonly<Record<string, string>> = { begin: "initialize", stop: "interrupt" };
const responded = (frame: Frame) => frame.response as Record<string, unknown>;
const answered = (frame: Frame) => (responded(frame).response ?? {}) as Record<string, unknown>;

function kindOf(frame: Frame): string {
  if (frame.type === "system") return `system/${frame.subtype}`;
  if (frame.type !== "result") return frame.type;
  return frame.is_error ? "result of an error" : "result";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
