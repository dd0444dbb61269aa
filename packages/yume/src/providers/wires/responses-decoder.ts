// The stream of OpenAI's Responses: items that are added, grow and are done; then the response with its status and usage.
// An item is known by its place in the output: gateways send another item id with each event, and `call_id` is not it.
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { type Answerer, errorFromEvent } from "../transport/http-error.ts";
import { type OpenCall, TurnCollector } from "../turn-collector.ts";
import type { WireDecoder } from "../wire.ts";
import { count, idOf, textOf } from "./read-fields.ts";
import type { ResponsesPhase, ResponsesThought } from "./responses-request.ts";

type Json = Record<string, unknown>;
type Item = { kind: "text" | "thinking" | "other"; text: string } | { kind: "call"; call: OpenCall };

export class ResponsesDecoder implements WireDecoder {
  state: "open" | "complete" | "over" = "open";
  readonly #collector: TurnCollector;
  readonly #from: Answerer;
  readonly #byPlace = new Map<number, Item>();
  readonly #byId = new Map<string, Item>();
  #last: Item | null = null;
  #stop: StopReason = "end_turn";

  constructor(request: ModelRequest, from: Answerer) {
    this.#collector = new TurnCollector(request);
    this.#from = from;
  }

  drain(): ModelEvent[] {
    return this.#collector.drain();
  }

  take(data: unknown): void {
    if (data === "[DONE]") return;
    if (!isObject(data)) throw new ModelError("broken_stream", "the provider sent an event that is no JSON object");
    // A server that does not stream sends the response itself.
    const type = data.object === "response" ? `response.${textOf(data.status)}` : data.type;
    const response = data.object === "response" ? data : isObject(data.response) ? data.response : {};
    switch (type) {
      case "response.created":
      case "response.in_progress":
        if (typeof response.model === "string") this.#collector.model = response.model;
        return;
      case "response.output_item.added":
        if (isObject(data.item)) this.#add(data.output_index, data.item);
        return;
      case "response.refusal.delta":
        this.#stop = "refusal";
        this.#text(this.#itemOf(data, "text"), textOf(data.delta));
        return;
      case "response.output_text.delta":
        this.#text(this.#itemOf(data, "text"), textOf(data.delta));
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#text(this.#itemOf(data, "thinking"), textOf(data.delta));
        return;
      case "response.reasoning_summary_part.added":
        // A blank line between the parts of a summary.
        if (count(data.summary_index) > 0) this.#text(this.#itemOf(data, "thinking"), "\n\n");
        return;
      case "response.function_call_arguments.delta":
        this.#arguments(this.#itemOf(data, "call"), data.delta);
        return;
      case "response.function_call_arguments.done":
        this.#wholeArguments(this.#itemOf(data, "call"), data.arguments);
        return;
      case "response.output_item.done":
        if (isObject(data.item)) this.#finish(data.output_index, data.item);
        return;
      case "response.completed":
      case "response.incomplete":
        this.#end(response);
        return;
      case "response.failed":
      case "response.cancelled":
        throw (
          errorFromEvent(response, this.#from) ??
          new ModelError("broken_stream", `${this.#from.label}: the response ${type.slice(9)}`)
        );
      default:
        return;
    }
  }

  end(): ModelEvent {
    return this.#collector.end(this.#stop);
  }

  #add(place: unknown, item: Json): Item {
    const added = this.#open(item);
    if (typeof place === "number") this.#byPlace.set(place, added);
    if (typeof item.id === "string") this.#byId.set(item.id, added);
    this.#last = added;
    return added;
  }

  #open(item: Json): Item {
    if (item.type !== "function_call")
      return { kind: item.type === "reasoning" ? "thinking" : item.type === "message" ? "text" : "other", text: "" };
    const call = this.#collector.openCall();
    this.#collector.addToCall(call, { id: idOf(item.call_id) ?? idOf(item.id), name: textOf(item.name) });
    this.#arguments({ kind: "call", call }, item.arguments);
    return { kind: "call", call };
  }

  /** The item that an event is about: by its place, then by its id, then the last one of that kind. */
  #itemOf(data: Json, kind: Item["kind"]): Item {
    const byPlace = typeof data.output_index === "number" ? this.#byPlace.get(data.output_index) : undefined;
    const byId = typeof data.item_id === "string" ? this.#byId.get(data.item_id) : undefined;
    const found = [byPlace, byId, this.#last ?? undefined].find((item) => item?.kind === kind);
    if (found !== undefined) return found;
    if (kind === "call") throw new ModelError("broken_stream", "arguments came for a call that was never begun");
    return this.#add(data.output_index, { type: kind === "thinking" ? "reasoning" : "message" });
  }

  #text(item: Item, text: string): void {
    if (item.kind === "call") return;
    item.text += text;
    if (item.kind === "thinking") this.#collector.thinking(text);
    else this.#collector.text(text);
  }

  #arguments(item: Item, json: unknown): void {
    if (item.kind !== "call") return;
    this.#collector.addToCall(item.call, { json: isObject(json) ? JSON.stringify(json) : textOf(json) });
  }

  /** What the deltas left out, in case they were cut or never came. */
  #wholeArguments(item: Item, whole: unknown): void {
    const json = isObject(whole) ? JSON.stringify(whole) : textOf(whole);
    if (item.kind === "call" && json.startsWith(item.call.json)) this.#arguments(item, json.slice(item.call.json.length));
  }

  #finish(place: unknown, item: Json): void {
    const known = typeof place === "number" ? this.#byPlace.get(place) : this.#byId.get(textOf(item.id));
    const open = known ?? this.#add(place, { ...item, arguments: "" });
    if (open.kind === "call") this.#wholeArguments(open, item.arguments);
    else if (open.kind === "text") {
      this.#text(open, rest(open.text, textOf(item.content)));
      if (typeof item.phase === "string")
        this.#collector.textReplay({ wire: "responses", phase: item.phase } satisfies ResponsesPhase);
    } else if (open.kind === "thinking") {
      if (open.text === "") this.#text(open, textOf(item.summary));
      const { id: _, ...plain } = item;
      // One that is not encrypted is known to nobody by its id: it goes back by what it says.
      if (typeof item.encrypted_content === "string")
        this.#collector.thinkingReplay({ wire: "responses", item } satisfies ResponsesThought);
      else if (Array.isArray(item.content) && item.content.length > 0)
        this.#collector.thinkingReplay({ wire: "responses", item: plain } satisfies ResponsesThought);
    }
  }

  #end(response: Json): void {
    if (typeof response.model === "string") this.#collector.model = response.model;
    this.#takeUsage(response.usage);
    const output = Array.isArray(response.output) ? response.output.filter(isObject) : [];
    for (const [place, item] of output.entries())
      if (!this.#byPlace.has(place) && !this.#byId.has(textOf(item.id))) this.#finish(place, item);
    const cut = isObject(response.incomplete_details) ? response.incomplete_details.reason : null;
    if (cut === "content_filter") this.#stop = "refusal";
    else if (cut !== null || response.status === "incomplete") this.#stop = "max_tokens";
    this.state = "over";
  }

  #takeUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
    const read = count(details.cached_tokens);
    const written = count(details.cache_write_tokens);
    this.#collector.usage = {
      input_tokens: Math.max(0, count(usage.input_tokens) - read - written),
      output_tokens: count(usage.output_tokens),
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
    };
  }
}

/** What of the whole text was not streamed. */
const rest = (streamed: string, whole: string) => (whole.startsWith(streamed) ? whole.slice(streamed.length) : "");
