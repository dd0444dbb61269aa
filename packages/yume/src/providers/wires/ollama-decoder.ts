// The stream of Ollama's own API: one JSON object a line, calls whole in one line, `done` in the last.
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { TurnCollector } from "../turn-collector.ts";
import type { WireDecoder } from "../wire.ts";
import { count, idOf, textOf } from "./read-fields.ts";

export class OllamaDecoder implements WireDecoder {
  state: "open" | "complete" | "over" = "open";
  readonly #collector: TurnCollector;
  #stop: StopReason = "end_turn";

  constructor(request: ModelRequest) {
    this.#collector = new TurnCollector(request);
  }

  drain(): ModelEvent[] {
    return this.#collector.drain();
  }

  take(data: unknown): void {
    if (!isObject(data)) throw new ModelError("broken_stream", "the provider sent a line that is no JSON object");
    if (typeof data.model === "string" && data.model !== "") this.#collector.model = data.model;
    if (isObject(data.message)) {
      this.#collector.thinking(textOf(data.message.thinking));
      this.#collector.text(textOf(data.message.content));
      if (Array.isArray(data.message.tool_calls))
        for (const call of data.message.tool_calls) if (isObject(call)) this.#takeCall(call);
    }
    if (data.done === true) {
      // `load` and `unload` answer a request without messages: nothing was said.
      if (data.done_reason === "length") this.#stop = "max_tokens";
      this.#collector.usage = {
        input_tokens: count(data.prompt_eval_count),
        output_tokens: count(data.eval_count),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      };
      this.state = "over";
    }
  }

  end(): ModelEvent {
    return this.#collector.end(this.#stop);
  }

  #takeCall(given: Record<string, unknown>): void {
    const fn = isObject(given.function) ? given.function : given;
    const call = this.#collector.openCall();
    this.#collector.addToCall(call, {
      id: idOf(given.id),
      name: textOf(fn.name),
      // Unlike with other formats nothing can follow, so that arguments which are not there are none.
      json: isObject(fn.arguments) ? JSON.stringify(fn.arguments) : textOf(fn.arguments) || "{}",
    });
  }
}
