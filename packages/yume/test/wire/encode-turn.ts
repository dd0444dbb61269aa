// A turn of a model as each wire format streams it: what a well-behaved server sends. Independent of the code under test.
import type { AssistantTurn, StopReason, Usage } from "../../src/model/types.ts";

export const wireNames = ["chat", "responses", "anthropic", "gemini", "ollama"] as const;
export type WireName = (typeof wireNames)[number];

/** What the model says next. Without a reason it follows from the parts. */
export type ScriptedTurn = {
  content: AssistantTurn["content"];
  stop_reason?: StopReason;
  usage?: Partial<Usage>;
  model?: string;
};

type Json = Record<string, unknown>;
type Facts = Required<Pick<ScriptedTurn, "content" | "stop_reason">> & { usage: Usage; model: string };

const factsOf = ({ content, stop_reason, usage, model = "scripted" }: ScriptedTurn): Facts => ({
  content,
  model,
  stop_reason: stop_reason ?? (content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"),
  usage: {
    input_tokens: 11,
    output_tokens: 7,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...usage,
  },
});

/** The events of a turn, each as the bytes of one event of its stream. */
export function encodeTurn(wire: WireName, turn: ScriptedTurn): string[] {
  return encoders[wire](factsOf(turn));
}

export const contentTypeOf = (wire: WireName) => (wire === "ollama" ? "application/x-ndjson" : "text/event-stream");

/** One event in the framing of a wire. */
export function frame(wire: WireName, data: Json | string): string {
  const json = typeof data === "string" ? data : JSON.stringify(data);
  if (wire === "ollama") return `${json}\n`;
  const name = (wire === "anthropic" || wire === "responses") && typeof data !== "string" ? `event: ${String(data.type)}\n` : "";
  return `${name}data: ${json}\n\n`;
}

/** Texts and arguments come in two pieces. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

const encoders: Record<WireName, (facts: Facts) => string[]> = {
  chat({ content, stop_reason, usage, model }) {
    const chunk = (delta: Json, finish: string | null = null) =>
      frame("chat", {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const events = [chunk({ role: "assistant", content: "" })];
    let index = 0;
    for (const part of content) {
      if (part.type === "text") events.push(...halves(part.text).map((text) => chunk({ content: text })));
      else if (part.type === "thinking") events.push(...halves(part.thinking).map((text) => chunk({ reasoning_content: text })));
      else {
        const call = (more: Json) => chunk({ tool_calls: [{ index, ...more }] });
        events.push(call({ id: part.id, type: "function", function: { name: part.name, arguments: "" } }));
        events.push(...halves(JSON.stringify(part.input)).map((json) => call({ function: { arguments: json } })));
        index++;
      }
    }
    const finish = {
      end_turn: "stop",
      tool_use: "tool_calls",
      max_tokens: "length",
      refusal: "content_filter",
      stop_sequence: "stop",
    };
    events.push(chunk({}, finish[stop_reason]));
    const prompt = usage.input_tokens + usage.cache_read_input_tokens;
    events.push(
      frame("chat", {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        model,
        choices: [],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: usage.output_tokens,
          total_tokens: prompt + usage.output_tokens,
          prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
        },
      }),
      frame("chat", "[DONE]"),
    );
    return events;
  },

  responses({ content, stop_reason, usage, model }) {
    let sequence_number = 0;
    const event = (type: string, more: Json) => frame("responses", { type, sequence_number: sequence_number++, ...more });
    const events = [event("response.created", { response: { id: "resp_1", model, status: "in_progress", output: [] } })];
    const output: Json[] = [];
    for (const [output_index, part] of content.entries()) {
      const item_id = `item_${output_index}`;
      const at = { item_id, output_index };
      if (part.type === "text") {
        const whole = { type: "output_text", text: part.text, annotations: [] };
        const item = { id: item_id, type: "message", role: "assistant", status: "completed", content: [whole] };
        const place = { ...at, content_index: 0 };
        events.push(event("response.output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } }));
        events.push(event("response.content_part.added", { ...place, part: { ...whole, text: "" } }));
        for (const delta of halves(part.text)) events.push(event("response.output_text.delta", { ...place, delta }));
        events.push(event("response.output_text.done", { ...place, text: part.text }));
        events.push(event("response.content_part.done", { ...place, part: whole }));
        events.push(event("response.output_item.done", { output_index, item }));
        output.push(item);
      } else if (part.type === "thinking") {
        const whole = { type: "summary_text", text: part.thinking };
        const item = { id: item_id, type: "reasoning", summary: [whole], encrypted_content: "sealed" };
        const place = { ...at, summary_index: 0 };
        events.push(event("response.output_item.added", { output_index, item: { id: item_id, type: "reasoning", summary: [] } }));
        events.push(event("response.reasoning_summary_part.added", { ...place, part: { ...whole, text: "" } }));
        for (const delta of halves(part.thinking))
          events.push(event("response.reasoning_summary_text.delta", { ...place, delta }));
        events.push(event("response.reasoning_summary_text.done", { ...place, text: part.thinking }));
        events.push(event("response.reasoning_summary_part.done", { ...place, part: whole }));
        events.push(event("response.output_item.done", { output_index, item }));
        output.push(item);
      } else {
        const json = JSON.stringify(part.input);
        const item = {
          id: item_id,
          type: "function_call",
          call_id: part.id,
          name: part.name,
          arguments: json,
          status: "completed",
        };
        events.push(
          event("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } }),
        );
        for (const delta of halves(json)) events.push(event("response.function_call_arguments.delta", { ...at, delta }));
        events.push(event("response.function_call_arguments.done", { ...at, arguments: json }));
        events.push(event("response.output_item.done", { output_index, item }));
        output.push(item);
      }
    }
    const prompt = usage.input_tokens + usage.cache_read_input_tokens;
    const response = {
      id: "resp_1",
      model,
      output,
      usage: {
        input_tokens: prompt,
        input_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
        output_tokens: usage.output_tokens,
        total_tokens: prompt + usage.output_tokens,
      },
    };
    const cut = { max_tokens: "max_output_tokens", refusal: "content_filter" }[stop_reason as string];
    events.push(
      cut === undefined
        ? event("response.completed", { response: { ...response, status: "completed" } })
        : event("response.incomplete", { response: { ...response, status: "incomplete", incomplete_details: { reason: cut } } }),
    );
    return events;
  },

  anthropic({ content, stop_reason, usage, model }) {
    const event = (type: string, more: Json = {}) => frame("anthropic", { type, ...more });
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    const events = [event("message_start", { message: { ...message, usage: { ...usage, output_tokens: 1 } } }), event("ping")];
    for (const [index, part] of content.entries()) {
      const delta = (more: Json) => events.push(event("content_block_delta", { index, delta: more }));
      if (part.type === "text") {
        events.push(event("content_block_start", { index, content_block: { type: "text", text: "" } }));
        for (const text of halves(part.text)) delta({ type: "text_delta", text });
      } else if (part.type === "thinking") {
        events.push(event("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } }));
        for (const thinking of halves(part.thinking)) delta({ type: "thinking_delta", thinking });
        delta({ type: "signature_delta", signature: "signed" });
      } else {
        const content_block = { type: "tool_use", id: part.id, name: part.name, input: {} };
        events.push(event("content_block_start", { index, content_block }));
        for (const partial_json of halves(JSON.stringify(part.input))) delta({ type: "input_json_delta", partial_json });
      }
      events.push(event("content_block_stop", { index }));
    }
    events.push(
      event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } }),
    );
    events.push(event("message_stop"));
    return events;
  },

  gemini({ content, stop_reason, usage, model }) {
    const chunk = (parts: Json[], more: Json = {}) =>
      frame("gemini", { candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: model });
    const events: string[] = [];
    for (const part of content) {
      if (part.type === "text") events.push(...halves(part.text).map((text) => chunk([{ text }])));
      else if (part.type === "thinking") events.push(...halves(part.thinking).map((text) => chunk([{ text, thought: true }])));
      else {
        const signature = part.replay === undefined ? {} : { thoughtSignature: "signed" };
        events.push(chunk([{ functionCall: { name: part.name, args: part.input }, ...signature }]));
      }
    }
    const finishReason = {
      end_turn: "STOP",
      tool_use: "STOP",
      stop_sequence: "STOP",
      max_tokens: "MAX_TOKENS",
      refusal: "SAFETY",
    }[stop_reason];
    const prompt = usage.input_tokens + usage.cache_read_input_tokens;
    events.push(
      frame("gemini", {
        candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason, index: 0 }],
        usageMetadata: {
          promptTokenCount: prompt,
          cachedContentTokenCount: usage.cache_read_input_tokens,
          candidatesTokenCount: usage.output_tokens,
          totalTokenCount: prompt + usage.output_tokens,
        },
        modelVersion: model,
      }),
    );
    return events;
  },

  ollama({ content, stop_reason, usage, model }) {
    const line = (message: Json, more: Json = { done: false }) =>
      frame("ollama", {
        model,
        created_at: "2026-11-01T00:00:00Z",
        message: { role: "assistant", content: "", ...message },
        ...more,
      });
    const events: string[] = [];
    for (const part of content) {
      if (part.type === "text") events.push(...halves(part.text).map((text) => line({ content: text })));
      else if (part.type === "thinking") events.push(...halves(part.thinking).map((text) => line({ thinking: text })));
      else events.push(line({ tool_calls: [{ function: { name: part.name, arguments: part.input } }] }));
    }
    const done_reason = stop_reason === "max_tokens" ? "length" : "stop";
    const counts = { prompt_eval_count: usage.input_tokens, eval_count: usage.output_tokens };
    events.push(line({}, { done: true, done_reason, ...counts }));
    return events;
  },
};
