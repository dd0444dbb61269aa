// The stream of Anthropic's Messages: blocks that start, grow and stop; then why the model stopped, and its usage.
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { type OpenCall, TurnCollector } from "../turn-collector.ts";
import type { WireDecoder } from "../wire.ts";
import type { AnthropicThought } from "./anthropic-request.ts";
import { count, idOf, textOf } from "./read-fields.ts";

type Block = { type: "text" } | { type: "thinking"; signature: string } | { type: "call"; call: OpenCall };

export class AnthropicDecoder implements WireDecoder {
  state: "open" | "complete" | "over" = "open";
  readonly #collector: TurnCollector;
  readonly #blocks = new Map<number, Block>();
  #last: Block | null = null;
  #stop: StopReason | null = null;

  constructor(request: ModelRequest) {
    this.#collector = new TurnCollector(request);
  }

  drain(): ModelEvent[] {
    return this.#collector.drain();
  }

  take(data: unknown): void {
    // Gateways that imitate OpenAI end with its word.
    if (data === "[DONE]") return;
    if (!isObject(data)) throw new ModelError("broken_stream", "the provider sent an event that is no JSON object");
    switch (data.type) {
      case "message_start":
        if (isObject(data.message)) {
          if (typeof data.message.model === "string") this.#collector.model = data.message.model;
          this.#takeUsage(data.message.usage);
        }
        return;
      case "content_block_start":
        if (isObject(data.content_block)) this.#startBlock(data.index, data.content_block);
        return;
      case "content_block_delta":
        if (isObject(data.delta)) this.#takeDelta(this.#blockAt(data.index), data.delta);
        return;
      case "content_block_stop":
        this.#closeThought(this.#blockAt(data.index));
        return;
      case "message_delta":
        this.#takeUsage(data.usage);
        if (isObject(data.delta) && typeof data.delta.stop_reason === "string") {
          this.#stop = stopReason(data.delta.stop_reason);
          this.state = "complete";
        }
        return;
      case "message_stop":
        this.state = "over";
        return;
      default:
        // ping, and whatever comes later: the API asks clients to pass over what they do not know.
        return;
    }
  }

  end(): ModelEvent {
    return this.#collector.end(this.#stop ?? "end_turn");
  }

  #startBlock(index: unknown, start: Record<string, unknown>): void {
    let block: Block;
    switch (start.type) {
      case "tool_use": {
        const call = this.#collector.openCall();
        block = { type: "call", call };
        this.#collector.addToCall(call, { id: idOf(start.id), name: textOf(start.name) });
        // Some servers put the whole input here and send no deltas.
        if (isObject(start.input) && Object.keys(start.input).length > 0)
          this.#collector.addToCall(call, { json: JSON.stringify(start.input) });
        break;
      }
      case "thinking":
        block = { type: "thinking", signature: textOf(start.signature) };
        this.#collector.thinking(textOf(start.thinking));
        break;
      case "redacted_thinking": {
        const replay: AnthropicThought = { wire: "anthropic", redacted: textOf(start.data) };
        this.#collector.thinkingReplay(replay);
        block = { type: "text" };
        break;
      }
      default:
        block = { type: "text" };
        this.#collector.text(textOf(start.text));
    }
    if (typeof index === "number") this.#blocks.set(index, block);
    this.#last = block;
  }

  /** The block of a number; where the number is missing or unknown, the one that was started last. */
  #blockAt(index: unknown): Block | null {
    return (typeof index === "number" ? this.#blocks.get(index) : undefined) ?? this.#last;
  }

  #takeDelta(block: Block | null, delta: Record<string, unknown>): void {
    if (delta.type === "text_delta") this.#collector.text(textOf(delta.text));
    else if (delta.type === "thinking_delta") this.#collector.thinking(textOf(delta.thinking));
    else if (delta.type === "signature_delta" && block?.type === "thinking") block.signature += textOf(delta.signature);
    else if (delta.type === "input_json_delta") {
      if (block?.type !== "call") throw new ModelError("broken_stream", "arguments came for a call that was never begun");
      const json = isObject(delta.partial_json) ? JSON.stringify(delta.partial_json) : textOf(delta.partial_json);
      this.#collector.addToCall(block.call, { json });
    }
  }

  #closeThought(block: Block | null): void {
    if (block?.type !== "thinking" || block.signature === "") return;
    const replay: AnthropicThought = { wire: "anthropic", signature: block.signature };
    this.#collector.thinkingReplay(replay);
    block.signature = "";
  }

  /** Counts are cumulative; later events repeat some and leave out others. */
  #takeUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    const before = this.#collector.usage;
    this.#collector.usage = {
      input_tokens: count(usage.input_tokens) || before.input_tokens,
      output_tokens: count(usage.output_tokens) || before.output_tokens,
      cache_creation_input_tokens: count(usage.cache_creation_input_tokens) || before.cache_creation_input_tokens,
      cache_read_input_tokens: count(usage.cache_read_input_tokens) || before.cache_read_input_tokens,
    };
  }
}

function stopReason(reason: string): StopReason {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "max_tokens";
    case "refusal":
      return "refusal";
    case "stop_sequence":
      return "stop_sequence";
    default:
      return "end_turn";
  }
}
