// The stream of Gemini: candidates whose parts are texts, thoughts and whole calls, most of them without ids.
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { PermanentModelError } from "../permanent-error.ts";
import { TurnCollector } from "../turn-collector.ts";
import type { WireDecoder } from "../wire.ts";
import type { GeminiReplay } from "./gemini-request.ts";
import { count, idOf, textOf } from "./read-fields.ts";

type Json = Record<string, unknown>;

/** A finish with one of these is no answer; another try may bring one. */
const unusable = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "OTHER",
]);

export class GeminiDecoder implements WireDecoder {
  state: "open" | "complete" | "over" = "open";
  readonly #collector: TurnCollector;
  #finish = "";
  #finishMessage = "";
  #anything = false;

  constructor(request: ModelRequest) {
    this.#collector = new TurnCollector(request);
  }

  drain(): ModelEvent[] {
    return this.#collector.drain();
  }

  take(data: unknown): void {
    // Without `alt=sse`, as some gateways have it, the body is one list.
    if (Array.isArray(data)) {
      for (const chunk of data) this.take(chunk);
      return;
    }
    if (!isObject(data)) throw new ModelError("broken_stream", "the provider sent an event that is no JSON object");
    if (typeof data.modelVersion === "string" && data.modelVersion !== "") this.#collector.model = data.modelVersion;
    this.#takeUsage(data.usageMetadata);
    if (isObject(data.promptFeedback) && typeof data.promptFeedback.blockReason === "string")
      throw new PermanentModelError("refused", `Gemini refused the prompt (${data.promptFeedback.blockReason})`);
    const candidate = Array.isArray(data.candidates) ? data.candidates[0] : undefined;
    if (!isObject(candidate)) return;
    const parts = isObject(candidate.content) && Array.isArray(candidate.content.parts) ? candidate.content.parts : [];
    for (const part of parts) if (isObject(part)) this.#takePart(part);
    if (
      typeof candidate.finishReason === "string" &&
      candidate.finishReason !== "" &&
      candidate.finishReason !== "FINISH_REASON_UNSPECIFIED"
    ) {
      this.#finish = candidate.finishReason;
      this.#finishMessage = textOf(candidate.finishMessage);
      this.state = "complete";
    }
  }

  end(): ModelEvent {
    if (unusable.has(this.#finish))
      throw new ModelError("bad_output", `Gemini ended without a usable answer (${this.#finish}) ${this.#finishMessage}`.trim());
    if (this.#finish === "STOP" && !this.#anything) throw new ModelError("bad_output", "Gemini ended with an empty answer");
    return this.#collector.end(stopReason(this.#finish));
  }

  #takePart(part: Json): void {
    const signature = typeof part.thoughtSignature === "string" ? part.thoughtSignature : undefined;
    const text = textOf(part.text);
    if (isObject(part.functionCall)) this.#takeCall(part.functionCall, signature);
    else if (part.thought === true) {
      this.#collector.thinking(text);
      if (signature !== undefined) this.#keep(signature, "thought");
    } else {
      this.#collector.text(text);
      if (signature !== undefined) this.#keep(signature, text === "" ? "alone" : "text");
    }
    if (text !== "" || isObject(part.functionCall)) this.#anything = true;
  }

  #keep(signature: string, on: GeminiReplay["on"]): void {
    const replay: GeminiReplay = { wire: "gemini", signature, on };
    this.#collector.thinkingReplay(replay);
  }

  #takeCall(given: Json, signature: string | undefined): void {
    const call = this.#collector.openCall();
    const replay: GeminiReplay | undefined = signature === undefined ? undefined : { wire: "gemini", signature, on: "call" };
    this.#collector.addToCall(call, {
      id: idOf(given.id),
      name: textOf(given.name),
      // A call is never spread over parts, so that arguments which are not there are none.
      json: isObject(given.args) ? JSON.stringify(given.args) : textOf(given.args) || "{}",
      ...(replay !== undefined && { replay }),
    });
  }

  #takeUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    const cached = count(usage.cachedContentTokenCount);
    const prompt = count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount);
    this.#collector.usage = {
      input_tokens: Math.max(0, prompt - cached),
      output_tokens: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
    };
  }
}

function stopReason(finish: string): StopReason {
  if (finish === "STOP") return "end_turn";
  if (finish === "MAX_TOKENS") return "max_tokens";
  // Safety, recitation, blocklist, prohibited content and whatever else Google adds: the model was stopped.
  return "refusal";
}
