// Every wire format, asked by a real client over a real socket: the same turn comes out, and goes back in the format's words.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssistantTurn, ModelEvent } from "../../src/model/types.ts";
import { createProvider } from "../../src/providers/index.ts";
import { ask, requestOf } from "./ask.ts";
import { wireNames } from "./encode-turn.ts";
import { providerOf, type ScriptedModel, startScriptedModel } from "./server.ts";
import { refusal } from "./torture/scenario.ts";

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel([]);
});
afterEach(() => model.close());

const readCall = { type: "tool_use", id: "c1", name: "Read", input: { file_path: "/ä" } } as const;
const lsCall = { type: "tool_use", id: "c2", name: "LS", input: {} } as const;
const spoken: AssistantTurn["content"] = [
  { type: "thinking", thinking: "first look" },
  { type: "text", text: "Grüß dich 👋" },
  readCall,
  lsCall,
];

const withoutReplay = (content: AssistantTurn["content"]) =>
  content.map((part) => {
    const { replay: _replay, ...rest } = part as typeof part & { replay?: unknown };
    return rest;
  });

const deltasOf = (events: ModelEvent[], type: "text_delta" | "thinking_delta") =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

describe.each(wireNames)("%s", (wire) => {
  const provider = () => createProvider({ provider: providerOf[wire], env: model.env(wire) });
  /** Gemini and Ollama give no ids. */
  const ids = wire === "gemini" || wire === "ollama" ? ["call_1_1", "call_1_2"] : ["c1", "c2"];

  it("[YUME-WIRE-1] gives a turn with thoughts, text and parallel calls, and the deltas before it", async () => {
    model.say({ content: spoken, model: "m-1", usage: { input_tokens: 100, output_tokens: 20 } });
    const heard = await ask(await provider());
    expect(heard.error).toBeNull();
    expect(deltasOf(heard.events, "text_delta")).toBe("Grüß dich 👋");
    expect(deltasOf(heard.events, "thinking_delta")).toBe("first look");
    expect(heard.events.filter(({ type }) => type === "tool_start")).toEqual([
      { type: "tool_start", id: ids[0], name: "Read" },
      { type: "tool_start", id: ids[1], name: "LS" },
    ]);
    const arguments_ = heard.events
      .map((event) => (event.type === "tool_delta" && event.id === ids[0] ? event.json : ""))
      .join("");
    expect(JSON.parse(arguments_)).toEqual(readCall.input);
    expect(heard.end).toMatchObject({ stop_reason: "tool_use", model: "m-1" });
    expect(heard.end?.usage).toEqual({
      input_tokens: 100,
      output_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
    expect(withoutReplay(heard.end?.parts ?? [])).toEqual(
      spoken.map((part) => (part.type === "tool_use" ? { ...part, id: part.id === "c1" ? ids[0] : ids[1] } : part)),
    );
    expect(heard.events.filter(({ type }) => type === "end")).toHaveLength(1);
  });

  it("[YUME-WIRE-2] sends system, tools, results and pictures in the words of the format", async () => {
    model.say({ content: spoken }, { content: [{ type: "text", text: "done" }] });
    const asked = await provider();
    const first = await ask(asked);
    const second = await ask(
      asked,
      requestOf({
        model: "m-1",
        tools: [{ name: "Read", description: "Reads a file", input_schema: { type: "object", properties: {} } }],
        max_output_tokens: 99,
        turns: [
          {
            role: "user",
            content: [
              { type: "text", text: "look" },
              { type: "image", media_type: "image/png", data: "aGk=" },
            ],
          },
          { role: "assistant", content: first.end?.parts ?? [] },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: ids[0] ?? "", content: [{ type: "text", text: "content" }], is_error: false },
              {
                type: "tool_result",
                tool_use_id: ids[1] ?? "",
                content: [{ type: "text", text: "no such folder" }],
                is_error: true,
              },
              { type: "text", text: "go on" },
            ],
          },
        ],
      }),
    );
    expect(second.end?.parts).toEqual([{ type: "text", text: "done" }]);
    expect(second.end?.stop_reason).toBe("end_turn");
    const { body, headers = {}, path } = model.requests[1] ?? {};
    const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = headers as Record<string, unknown>;
    await expect(`${JSON.stringify({ path, authorization, key, googleKey, body }, null, 2)}\n`).toMatchFileSnapshot(
      `golden/request-${wire}.txt`,
    );
  });

  it("[YUME-WIRE-1] asks for an answer that fits a schema in the format's own way", async () => {
    model.say({ content: [{ type: "text", text: "{}" }] });
    const schema = { type: "object", properties: { answer: { type: "number" } } };
    await ask(await provider(), requestOf({ json_schema: schema }));
    const body = model.requests[0]?.body ?? {};
    const found = {
      chat: (body.response_format as { json_schema?: { schema?: unknown } } | undefined)?.json_schema?.schema,
      responses: (body.text as { format?: { schema?: unknown } } | undefined)?.format?.schema,
      anthropic: (body.output_config as { format?: { schema?: unknown } } | undefined)?.format?.schema,
      gemini: (body.generationConfig as { responseJsonSchema?: unknown } | undefined)?.responseJsonSchema,
      ollama: body.format,
    }[wire];
    expect(found).toEqual(schema);
  });

  it("[YUME-WIRE-3] counts what came out of a cache apart", async () => {
    model.say({
      content: [{ type: "text", text: "hi" }],
      usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 90 },
    });
    const { end } = await ask(await provider());
    // Ollama does not tell.
    const read = wire === "ollama" ? 0 : 90;
    expect(end?.usage).toEqual({
      input_tokens: 10,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: read,
    });
  });

  it("[YUME-RETRY-1] tells of each new try: which it was, why, and how long it waits", async () => {
    model.say(refusal(wire, 503, "down"), refusal(wire, 500, "down again"), { content: [{ type: "text", text: "up" }] });
    const { events, end } = await ask(await provider());
    expect(events.filter(({ type }) => type === "retry")).toEqual([
      {
        type: "retry",
        attempt: 1,
        max_retries: 3,
        delay_ms: expect.any(Number),
        error: expect.stringContaining("(503): down"),
        status: 503,
      },
      {
        type: "retry",
        attempt: 2,
        max_retries: 3,
        delay_ms: expect.any(Number),
        error: expect.stringContaining("(500): down again"),
        status: 500,
      },
    ]);
    expect(end?.parts).toEqual([{ type: "text", text: "up" }]);
  });

  it("[YUME-WIRE-1] reuses its connection from turn to turn", async () => {
    const ports = new Set<unknown>();
    await model.close();
    model = await startScriptedModel((request) => {
      ports.add(request.port);
      return { content: [{ type: "text", text: "hi" }] };
    });
    const asked = await provider();
    for (let turn = 0; turn < 3; turn++) {
      await ask(asked);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(model.requests).toHaveLength(3);
    expect(ports.size).toBe(1);
  });
});
