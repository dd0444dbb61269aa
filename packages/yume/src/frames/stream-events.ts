// The streaming events of one message in the words of Anthropic's Messages API: blocks open and close in order, each index once.
import type { AssistantTurn, StopReason, Usage } from "../model/types.ts";
import { PIECE, pieces } from "./cut-text.ts";
import type { Frame } from "./encoder.ts";
import type { RunEvent } from "./run-event.ts";

type Delta = Extract<RunEvent, { type: "text_delta" | "thinking_delta" | "tool_start" | "tool_delta" }>;
/** Not an event of the stream: the place of an `assistant` frame among them. */
export const BLOCK = "block";

type Open = { kind: "text" | "thinking" } | { kind: "tool"; id: string };

export const NO_USAGE = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export class StreamEvents {
  readonly messageId: string;
  readonly model: string;
  #open: Open | null = null;
  #text = "";
  #index = -1;
  #started = false;

  constructor(messageId: string, model: string) {
    this.messageId = messageId;
    this.model = model;
  }

  /** A message begins with its first word: one that is refused has none. */
  #start(): Frame[] {
    if (this.#started) return [];
    this.#started = true;
    return [
      {
        type: "message_start",
        message: {
          id: this.messageId,
          type: "message",
          role: "assistant",
          model: this.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: NO_USAGE,
        },
      },
    ];
  }

  /** The stream broke: end what is open; the message begins again. */
  restart(): Frame[] {
    const frames = this.#started ? [...this.#close(false), { type: "message_stop" }] : [];
    this.#started = false;
    this.#index = -1;
    return frames;
  }

  /** The message breaks off for good. */
  abandon(): Frame[] {
    if (!this.#started) return [];
    const frames = [...this.#close(false), ...this.#stop(null, NO_USAGE)];
    this.#started = false;
    return frames;
  }

  delta(event: Delta): Frame[] {
    switch (event.type) {
      case "text_delta":
        return [
          ...this.#become({ kind: "text" }, { type: "text", text: "" }),
          ...this.#change(event.text, (text) => ({ type: "text_delta", text })),
        ];
      case "thinking_delta":
        return [
          ...this.#become({ kind: "thinking" }, { type: "thinking", thinking: "", signature: "" }),
          ...this.#change(event.text, (thinking) => ({ type: "thinking_delta", thinking })),
        ];
      case "tool_start":
        return this.#become({ kind: "tool", id: event.id }, { type: "tool_use", id: event.id, name: event.name, input: {} });
      case "tool_delta":
        // Calls that are streamed interleaved cannot be told in order; the whole call comes with the message.
        if (this.#open?.kind !== "tool" || this.#open.id !== event.id) return [];
        return this.#change(event.json, (partial_json) => ({ type: "input_json_delta", partial_json }));
    }
  }

  /** Close what is open, and tell the parts that were never streamed. */
  finish(parts: AssistantTurn["content"]): Frame[] {
    const frames = [...this.#start(), ...this.#close()];
    for (const part of parts.slice(this.#index + 1)) {
      if (part.type === "text") frames.push(...this.delta({ type: "text_delta", text: part.text, parent: null }));
      else if (part.type === "thinking")
        frames.push(...this.delta({ type: "thinking_delta", text: part.thinking, parent: null }));
      else {
        frames.push(...this.delta({ type: "tool_start", id: part.id, name: part.name, parent: null }));
        frames.push(...this.delta({ type: "tool_delta", id: part.id, json: JSON.stringify(part.input), parent: null }));
      }
      frames.push(...this.#close());
    }
    return frames;
  }

  stop(reason: StopReason, usage: Usage): Frame[] {
    this.#started = false;
    return this.#stop(reason, usage);
  }

  #stop(reason: StopReason | null, usage: Usage): Frame[] {
    return [{ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage }, { type: "message_stop" }];
  }

  #become(open: Open, content_block: Frame): Frame[] {
    const same =
      this.#open?.kind === open.kind && (open.kind !== "tool" || (this.#open.kind === "tool" && this.#open.id === open.id));
    if (same) return [];
    const frames = [...this.#start(), ...this.#close()];
    this.#open = open;
    this.#text = "";
    this.#index++;
    return [...frames, { type: "content_block_start", index: this.#index, content_block }];
  }

  /** Some providers say everything at once. */
  #change(text: string, delta: (piece: string) => Frame): Frame[] {
    this.#text += text;
    return pieces(text, PIECE).map((piece) => ({ type: "content_block_delta", index: this.#index, delta: delta(piece) }));
  }

  /** A text or a thought that is whole is told as a block before its end, as Claude does. */
  #close(whole = true): Frame[] {
    if (this.#open === null) return [];
    const { kind } = this.#open;
    this.#open = null;
    const told = whole && kind !== "tool" && this.#text !== "" ? [{ type: BLOCK, kind, text: this.#text }] : [];
    return [...told, { type: "content_block_stop", index: this.#index }];
  }
}
