// The stream of Chat Completions, read tolerantly: what matters is that the turn is whole, not that it is well-formed.
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { TurnCollector } from "../turn-collector.ts";
import type { WireDecoder } from "../wire.ts";
import { ChatCalls } from "./openai-chat-calls.ts";
import type { ChatThought } from "./openai-chat-request.ts";
import { count, idOf, indexOf, textOf } from "./read-fields.ts";

/** The names under which servers stream what a model thinks. */
const thoughtFields = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];

export class ChatDecoder implements WireDecoder {
  state: "open" | "complete" | "over" = "open";
  readonly #collector: TurnCollector;
  readonly #calls: ChatCalls;
  #finish: string | null = null;
  #thoughtField: string | null = null;
  #thoughtDetails: unknown[] = [];
  #usageTold = false;
  #refused = false;

  constructor(request: ModelRequest) {
    this.#collector = new TurnCollector(request);
    this.#calls = new ChatCalls(this.#collector);
  }

  drain(): ModelEvent[] {
    return this.#collector.drain();
  }

  take(data: unknown): void {
    if (data === "[DONE]") {
      this.state = "over";
      return;
    }
    if (!isObject(data)) throw new ModelError("broken_stream", "the provider sent an event that is no JSON object");
    if (typeof data.model === "string" && data.model !== "") this.#collector.model = data.model;
    this.#takeUsage(data.usage);
    const choice = Array.isArray(data.choices) ? data.choices[0] : undefined;
    if (!isObject(choice)) {
      // The last chunk has usage and no choice; nothing of interest follows it.
      return;
    }
    this.#takeUsage(choice.usage);
    const delta = choice.delta ?? choice.message;
    if (isObject(delta)) this.#takeDelta(delta);
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      this.#finish = choice.finish_reason;
      this.state = "complete";
    }
    if (data.object === "chat.completion" && this.state === "complete") this.state = "over";
  }

  end(): ModelEvent {
    if (this.#finish === "error") throw new ModelError("broken_stream", "the provider ended the answer with an error");
    return this.#collector.end(this.#refused ? "refusal" : stopReason(this.#finish));
  }

  #takeDelta(delta: Record<string, unknown>): void {
    for (const field of thoughtFields) {
      const thought = textOf(delta[field]);
      if (thought === "") continue;
      this.#collector.thinking(thought);
      this.#thoughtField ??= field;
      // Some send the same words under two names.
      break;
    }
    if (Array.isArray(delta.reasoning_details)) this.#thoughtDetails.push(...delta.reasoning_details);
    const text = textOf(delta.content);
    const calls = Array.isArray(delta.tool_calls)
      ? delta.tool_calls
      : isObject(delta.function_call)
        ? [{ function: delta.function_call }]
        : [];
    if (text !== "" || calls.length > 0) this.#closeThought();
    this.#collector.text(text);
    const refusal = textOf(delta.refusal);
    if (refusal !== "") this.#refused = true;
    this.#collector.text(refusal);
    for (const call of calls) if (isObject(call)) this.#takeCall(call);
  }

  #closeThought(): void {
    if (this.#thoughtField === null && this.#thoughtDetails.length === 0) return;
    const replay: ChatThought = { wire: "chat" };
    if (this.#thoughtField !== null) replay.field = this.#thoughtField;
    if (this.#thoughtDetails.length > 0) replay.details = this.#thoughtDetails;
    this.#collector.thinkingReplay(replay);
    this.#thoughtField = null;
    this.#thoughtDetails = [];
  }

  #takeCall(call: Record<string, unknown>): void {
    const fn = isObject(call.function) ? call.function : call;
    const given = fn.arguments;
    this.#calls.take({
      index: indexOf(call.index),
      id: idOf(call.id),
      name: typeof fn.name === "string" && fn.name !== "" ? fn.name : null,
      json: typeof given === "string" ? given : isObject(given) ? JSON.stringify(given) : "",
    });
  }

  #takeUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
    const cached = count(details.cached_tokens) || count(usage.prompt_cache_hit_tokens) || count(usage.cached_tokens);
    const prompt = count(usage.prompt_tokens);
    if (prompt === 0 && this.#usageTold) return;
    this.#usageTold = true;
    this.#collector.usage = {
      input_tokens: Math.max(0, prompt - cached),
      output_tokens: count(usage.completion_tokens),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
    };
  }
}

function stopReason(finish: string | null): StopReason {
  switch (finish) {
    case "length":
    case "max_tokens":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    default:
      // `stop` comes with calls, too, and some never say why: the collector looks whether there are calls.
      return "end_turn";
  }
}
