// The flat dialect of the seed: text, tool_use, tool_result, usage, result, message_stop, one fact a line. What a reader has
// been shown cannot be taken back, so a stream that begins again is held against what was already said.
import type { ImagePart, TextPart } from "../model/types.ts";
import { fitText, PIECE, pieces } from "./cut-text.ts";
import type { Encoder, Frame, Identity } from "./encoder.ts";
import { resultFrame } from "./result-frame.ts";
import type { RunEvent } from "./run-event.ts";

const RESULT_BYTES = 90_000;

export class YumeEncoder implements Encoder {
  readonly #identity: Identity;
  #lines = 0;
  /** Text shown since the request began, and how much of it a repeated stream has said again. */
  #shown = "";
  #repeated: string | null = null;
  #thinking = false;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  encode(event: RunEvent): Frame[] {
    // A sub-agent's own words have no place in flat messages: its answer comes as the result of its call.
    if ("parent" in event && event.parent !== null) return [];
    return this.#frames(event).map((frame) => ({
      ...frame,
      session_id: this.#identity.session_id(),
      uuid: this.#identity.uuid(),
    }));
  }

  #frames(event: RunEvent): Frame[] {
    switch (event.type) {
      case "init": {
        const { type: _, ...facts } = event;
        return [{ type: "system", subtype: "init", ...facts }];
      }
      case "request":
        this.#shown = "";
        this.#repeated = null;
        return [];
      case "thinking_delta":
        this.#thinking = true;
        return pieces(event.text, PIECE).map((thought) => ({ type: "thinking", is_thinking: true, thought }));
      case "text_delta":
        return [...this.#endThinking(), ...this.#text(event.text)];
      case "retry":
        if (this.#shown !== "") this.#repeated = "";
        return [
          {
            type: "system",
            subtype: "api_retry",
            message: event.error,
            attempt: event.attempt,
            max_retries: event.max_retries,
            retry_delay_ms: event.delay_ms,
          },
        ];
      case "message":
        return this.#message(event);
      case "tool_result":
        return [
          { type: "tool_result", tool_use_id: event.tool_use_id, content: flatten(event.content), is_error: event.is_error },
        ];
      case "permission_denied":
        return [
          {
            type: "system",
            subtype: "permission_denied",
            message: event.message,
            tool_name: event.tool_name,
            tool_use_id: event.tool_use_id,
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
      case "notice":
        return [{ type: "system", subtype: "warning", message: event.text }];
      case "session_id":
        return [{ type: "system", subtype: "session_id" }];
      case "interrupted":
        return [...this.#endThinking(), { type: "interrupt" }];
      case "error": {
        const error = { type: "error", message: event.message, code: event.kind };
        return event.kind === "auth" ? [{ type: "system", subtype: "error", message: event.message }, error] : [error];
      }
      case "result":
        return [...this.#endThinking(), resultFrame(event), { type: "message_stop" }];
      default:
        return [];
    }
  }

  #message(event: Extract<RunEvent, { type: "message" }>): Frame[] {
    const frames = this.#endThinking();
    const said = event.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    // Some streams carry their text only at their end.
    const shown = this.#repeated ?? this.#shown;
    if (said.startsWith(shown) && said.length > shown.length) frames.push(...this.#text(said.slice(shown.length)));
    this.#shown = "";
    this.#repeated = null;
    for (const part of event.parts)
      if (part.type === "tool_use") frames.push({ type: "tool_use", id: part.id, name: part.name, input: part.input });
    frames.push({ type: "usage", ...event.usage });
    return frames;
  }

  #text(text: string): Frame[] {
    let fresh = text;
    if (this.#repeated !== null) {
      const said = this.#repeated + text;
      if (this.#shown.startsWith(said)) {
        this.#repeated = said;
        return [];
      }
      // Either it goes on past what was shown, or it says something else: then all of that is told, after a mark.
      fresh = said.startsWith(this.#shown) ? said.slice(this.#shown.length) : `\n\n[the answer began again]\n\n${said}`;
      this.#repeated = null;
      this.#shown = said;
    } else this.#shown += text;
    return pieces(fresh, PIECE).map((content) => ({ type: "text", content, id: `text_${++this.#lines}` }));
  }

  #endThinking(): Frame[] {
    if (!this.#thinking) return [];
    this.#thinking = false;
    return [{ type: "thinking", is_thinking: false, thought: "" }];
  }
}

function flatten(content: (TextPart | ImagePart)[]): string {
  const text = content
    .map((part) => (part.type === "text" ? part.text : `[image ${part.media_type}, ${part.data.length} base64 characters]`))
    .join("\n");
  return fitText(text, RESULT_BYTES);
}
