// Builds one assistant turn out of deltas, whatever the wire. A call enters the turn only when its arguments are whole.
import {
  type AssistantTurn,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type Usage,
} from "../model/types.ts";
import { parseArguments } from "./call-arguments.ts";

/** A call while it is received. */
export type OpenCall = { kind: "call"; id: string | null; name: string | null; json: string; replay?: unknown; started: boolean };
type OpenText = { kind: "text"; text: string; replay?: unknown };
type OpenThinking = { kind: "thinking"; text: string; replay?: unknown };

const nothingUsed: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Takes what a decoder understood; gives the deltas to show and, at the end, the turn that counts. */
export class TurnCollector {
  usage: Usage = nothingUsed;
  model: string;
  readonly #parts: (OpenText | OpenThinking | OpenCall)[] = [];
  readonly #idsInUse = new Set<string>();
  readonly #turn: number;
  #events: ModelEvent[] = [];

  constructor(request: ModelRequest) {
    this.model = request.model;
    this.#turn = request.turns.filter(({ role }) => role === "assistant").length + 1;
    for (const turn of request.turns) for (const part of turn.content) if (part.type === "tool_use") this.#idsInUse.add(part.id);
  }

  /** The deltas since the last time. */
  drain(): ModelEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  text(text: string): void {
    if (text === "") return;
    const last = this.#parts.at(-1);
    if (last?.kind === "text" && last.replay === undefined) last.text += text;
    else this.#parts.push({ kind: "text", text });
    this.#events.push({ type: "text_delta", text });
  }

  thinking(text: string): void {
    const last = this.#parts.at(-1);
    // What carries a replay is closed: its signature is for the text before it alone.
    if (last?.kind === "thinking" && last.replay === undefined) last.text += text;
    else if (text !== "") this.#parts.push({ kind: "thinking", text });
    if (text !== "") this.#events.push({ type: "thinking_delta", text });
  }

  /** What the provider wants back with the text that was just received; what follows is another text. */
  textReplay(replay: unknown): void {
    const last = this.#parts.at(-1);
    if (last?.kind === "text" && last.replay === undefined) last.replay = replay;
  }

  /** What the provider wants back with the thought that was just received, or in its place. */
  thinkingReplay(replay: unknown): void {
    const last = this.#parts.at(-1);
    if (last?.kind === "thinking" && last.replay === undefined) last.replay = replay;
    else this.#parts.push({ kind: "thinking", text: "", replay });
  }

  openCall(): OpenCall {
    const call: OpenCall = { kind: "call", id: null, name: null, json: "", started: false };
    this.#parts.push(call);
    return call;
  }

  /** Adds to a call; an id or a name that is there already stays as it is. */
  addToCall(call: OpenCall, more: { id?: string | null; name?: string | null; json?: string; replay?: unknown }): void {
    if (more.replay !== undefined) call.replay = more.replay;
    if (call.name === null && more.name) call.name = more.name;
    if (call.id === null && more.id) call.id = this.#unused(more.id);
    if (call.name !== null && !call.started) {
      call.started = true;
      call.id ??= this.#unused(`call_${this.#turn}_${this.#positionOf(call)}`);
      this.#events.push({ type: "tool_start", id: call.id, name: call.name });
      if (call.json !== "") this.#events.push({ type: "tool_delta", id: call.id, json: call.json });
    }
    const json = more.json ?? "";
    if (json === "") return;
    call.json += json;
    if (call.started && call.id !== null) this.#events.push({ type: "tool_delta", id: call.id, json });
  }

  get hasCalls(): boolean {
    return this.#parts.some(({ kind }) => kind === "call");
  }

  /**
   * The turn. Cut off by a limit, a half call is left out; in any other case a half call makes the whole turn unusable.
   */
  end(reason: StopReason): ModelEvent {
    const cutOff = reason === "max_tokens" || reason === "refusal";
    const parts: AssistantTurn["content"] = [];
    for (const part of this.#parts) {
      if (part.kind === "text") parts.push({ type: "text", text: part.text, ...replayOf(part) });
      else if (part.kind === "thinking") parts.push({ type: "thinking", thinking: part.text, ...replayOf(part) });
      else {
        // With nothing of its arguments there, a call that was cut off may still have had some.
        const input = cutOff && part.json.trim() === "" ? null : parseArguments(part.json);
        if (reason === "refusal") continue;
        if (part.name !== null && part.id !== null && input !== null)
          parts.push({ type: "tool_use", id: part.id, name: part.name, input, ...replayOf(part) });
        else if (!cutOff) throw new ModelError("bad_output", whyUnusable(part));
      }
    }
    const called = parts.some(({ type }) => type === "tool_use");
    const stop = cutOff ? reason : called ? "tool_use" : reason === "tool_use" ? "end_turn" : reason;
    return { type: "end", stop_reason: stop, parts, usage: this.usage, model: this.model };
  }

  #positionOf(call: OpenCall): number {
    return this.#parts.filter(({ kind }) => kind === "call").indexOf(call) + 1;
  }

  #unused(wanted: string): string {
    let id = wanted;
    for (let copy = 2; this.#idsInUse.has(id); copy++) id = `${wanted}_${copy}`;
    this.#idsInUse.add(id);
    return id;
  }
}

const replayOf = ({ replay }: { replay?: unknown }) => (replay === undefined ? {} : { replay });

function whyUnusable({ name, json }: OpenCall): string {
  if (name === null) return "the model called a tool without naming it";
  return `the model called ${name} with arguments that are no whole JSON object (${json.length} characters)`;
}
