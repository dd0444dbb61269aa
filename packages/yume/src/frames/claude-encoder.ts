// The nested dialect that Claude's clients read: one `assistant` frame per content block, one `user` frame per tool result,
// `stream_event` frames when partial messages are asked for, and a `result` last.
import type { AssistantTurn, ImagePart, StopReason, TextPart } from "../model/types.ts";
import { fitText, lineBytes, PIECE, pieces } from "./cut-text.ts";
import type { Encoder, Frame, Identity } from "./encoder.ts";
import { resultFrame } from "./result-frame.ts";
import type { RunEvent } from "./run-event.ts";
import { BLOCK, NO_USAGE, StreamEvents } from "./stream-events.ts";
import { CLAUDE_VERSION } from "./version.ts";

/** Images beyond this are not repeated to the host; the model has them. */
const IMAGE_LIMIT = 60_000;
const TEXT_BYTES = 90_000;
/** All texts of a result that has images as well. */
const MANY_TEXTS_BYTES = 30_000;

export class ClaudeEncoder implements Encoder {
  readonly #identity: Identity;
  readonly #options: { partial: boolean; replay: boolean };
  readonly #streams = new Map<string | null, StreamEvents>();
  /** Blocks of messages under way that were told. */
  readonly #told = new Map<string, string[]>();

  constructor(identity: Identity, options: { partial: boolean; replay: boolean }) {
    this.#identity = identity;
    this.#options = options;
  }

  encode(event: RunEvent): Frame[] {
    return this.#frames(event).map((frame) => ({
      ...frame,
      session_id: this.#identity.session_id(),
      uuid: frame.uuid ?? this.#identity.uuid(),
    }));
  }

  #frames(event: RunEvent): Frame[] {
    switch (event.type) {
      case "init": {
        const { type: _, ...facts } = event;
        return [
          {
            type: "system",
            subtype: "init",
            ...facts,
            apiKeySource: "none",
            output_style: "default",
            plugins: [],
            claude_code_version: CLAUDE_VERSION,
          },
        ];
      }
      case "user":
        if (!this.#options.replay) return [];
        return [
          {
            type: "user",
            message: { role: "user", content: fitText(event.text, TEXT_BYTES) },
            parent_tool_use_id: null,
            isReplay: true,
            ...(event.uuid === null ? {} : { uuid: event.uuid }),
          },
        ];
      case "request":
        this.#streams.set(event.parent, new StreamEvents(event.message_id, event.model));
        if (!this.#options.partial || event.parent !== null) return [];
        return [{ type: "system", subtype: "status", status: "requesting" }];
      case "text_delta":
      case "thinking_delta":
      case "tool_start":
      case "tool_delta":
        return this.#streamed(event.parent, (stream) => stream.delta(event));
      case "retry":
        return [
          ...this.#streamed(event.parent, (stream) => stream.restart()),
          {
            type: "system",
            subtype: "api_retry",
            attempt: event.attempt,
            max_retries: event.max_retries,
            retry_delay_ms: event.delay_ms,
            error_status: event.status,
            error: errorWord(event.status),
          },
        ];
      case "message":
        return this.#message(event);
      case "tool_result":
        return [
          {
            type: "user",
            message: {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: event.tool_use_id,
                  content: resultContent(event.content),
                  is_error: event.is_error,
                },
              ],
            },
            parent_tool_use_id: event.parent,
          },
        ];
      case "broken_off":
        if (this.#wasTold(event.message_id, { type: "text", text: event.text })) return [];
        return [
          { ...assistant({ ...event, stop_reason: null, usage: NO_USAGE }, [{ type: "text", text: event.text }]), aborted: true },
        ];
      case "permission_denied":
        if (event.by_host) return [];
        return [
          {
            type: "system",
            subtype: "permission_denied",
            tool_name: event.tool_name,
            tool_use_id: event.tool_use_id,
            decision_reason: event.reason,
            message: event.message,
          },
        ];
      case "compacted":
        return [
          {
            type: "system",
            subtype: "compact_boundary",
            compact_metadata: { trigger: event.trigger, pre_tokens: event.pre_tokens },
          },
        ];
      case "interrupted":
        return [
          ...this.#abandon(),
          {
            type: "user",
            message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
            parent_tool_use_id: null,
          },
        ];
      case "error":
        return [...this.#abandon(), this.#synthetic(event.message, event.kind)];
      case "result":
        return [resultFrame(event)];
      case "notice":
        return [{ type: "system", subtype: "informational", level: "warning", content: event.text }];
      case "session_id":
        return [];
    }
  }

  #message(event: Extract<RunEvent, { type: "message" }>): Frame[] {
    const parts = event.parts.length === 0 ? [{ type: "text" as const, text: "" }] : event.parts;
    const before = this.#streamed(event.parent, (stream) => stream.finish(event.parts));
    const frames = parts
      .filter((part) => !this.#wasTold(event.message_id, part))
      .flatMap((part) => blocks(part).map((one) => assistant(event, [one])));
    const after = this.#streamed(event.parent, (stream) => stream.stop(event.stop_reason, event.usage));
    this.#told.delete(event.message_id);
    return [...before, ...frames, ...after];
  }

  /** What went wrong, told as the assistant's message: clients show it where the answer would be. */
  #synthetic(text: string, kind: string): Frame {
    return {
      type: "assistant",
      message: {
        id: `msg_${this.#identity.uuid()}`,
        type: "message",
        role: "assistant",
        model: "<synthetic>",
        content: [{ type: "text", text }],
        stop_reason: "stop_sequence",
        stop_sequence: "",
        usage: NO_USAGE,
      },
      parent_tool_use_id: null,
      error: ERROR_WORDS[kind] ?? "unknown",
    };
  }

  /** End the streams of messages that will not come. */
  #abandon(): Frame[] {
    return [...this.#streams.keys()].flatMap((parent) => this.#streamed(parent, (stream) => stream.abandon()));
  }

  #streamed(parent: string | null, make: (stream: StreamEvents) => Frame[]): Frame[] {
    const stream = this.#streams.get(parent);
    if (!this.#options.partial || stream === undefined) return [];
    return make(stream).flatMap((event) =>
      event.type === BLOCK
        ? this.#block(stream, event.kind as "text" | "thinking", String(event.text), parent)
        : [{ type: "stream_event", event, parent_tool_use_id: parent }],
    );
  }

  /** A block that has ended, told while its message goes on; a stream that begins again does not tell it twice. */
  #block(stream: StreamEvents, kind: "text" | "thinking", text: string, parent: string | null): Frame[] {
    const told = this.#told.get(stream.messageId) ?? [];
    if (told.includes(`${kind} ${text}`)) return [];
    this.#told.set(stream.messageId, [...told, `${kind} ${text}`]);
    const said: Said = { message_id: stream.messageId, model: stream.model, usage: NO_USAGE, parent, stop_reason: null };
    const part = kind === "text" ? { type: "text" as const, text } : { type: "thinking" as const, thinking: text };
    return blocks(part).map((one) => assistant(said, [one]));
  }

  #wasTold(messageId: string, part: AssistantTurn["content"][number]): boolean {
    if (part.type === "tool_use") return false;
    const text = part.type === "text" ? part.text : part.thinking;
    return this.#told.get(messageId)?.includes(`${part.type} ${text}`) === true;
  }
}

/** The error words of Claude's clients for ours. */
const ERROR_WORDS: Readonly<Record<string, string>> = {
  auth: "authentication_failed",
  rate_limited: "rate_limit",
  overloaded: "overloaded",
  bad_request: "invalid_request",
  context_too_long: "invalid_request",
  not_found: "invalid_request",
  network: "server_error",
  broken_stream: "server_error",
};

function errorWord(status: number | null): string {
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "authentication_failed";
  return status === null || status >= 500 ? "server_error" : "unknown";
}

type Said = Pick<Extract<RunEvent, { type: "message" }>, "message_id" | "model" | "usage" | "parent"> & {
  stop_reason: StopReason | null;
};

function assistant(event: Said, content: Frame[]): Frame {
  return {
    type: "assistant",
    message: {
      id: event.message_id,
      type: "message",
      role: "assistant",
      model: event.model,
      content,
      stop_reason: event.stop_reason,
      stop_sequence: null,
      usage: event.usage,
    },
    parent_tool_use_id: event.parent,
  };
}

/** A part without what only its provider understands; several blocks when it is too long for a line. */
function blocks(part: AssistantTurn["content"][number]): Frame[] {
  if (part.type === "thinking") return told(part.thinking).map((thinking) => ({ type: "thinking", thinking, signature: "" }));
  if (part.type === "text") return told(part.text).map((text) => ({ type: "text", text }));
  return [{ type: "tool_use", id: part.id, name: part.name, input: part.input }];
}

function told(text: string): string[] {
  return lineBytes(text) <= TEXT_BYTES ? [text] : pieces(text, PIECE);
}

function resultContent(content: (TextPart | ImagePart)[]): string | Frame[] {
  let left = IMAGE_LIMIT;
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return fitText(first.text, TEXT_BYTES);
  const texts = content.filter(({ type }) => type === "text").length;
  return content.map((part) => {
    if (part.type === "text") return { type: "text", text: fitText(part.text, Math.floor(MANY_TEXTS_BYTES / texts)) };
    left -= part.data.length;
    if (left < 0) return { type: "text", text: `[image ${part.media_type}, shown to the model]` };
    return { type: "image", source: { type: "base64", media_type: part.media_type, data: part.data } };
  });
}
