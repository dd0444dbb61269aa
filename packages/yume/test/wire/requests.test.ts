// What goes back to a provider: its own signatures on the parts where they came, and nothing of anybody else's.
import { describe, expect, it } from "vitest";
import type { AssistantTurn, ModelRequest } from "../../src/model/types.ts";
import { createProvider } from "../../src/providers/index.ts";
import { ask, requestOf } from "./ask.ts";
import { frame, type WireName, wireNames } from "./encode-turn.ts";
import { providerOf, startScriptedModel } from "./server.ts";
import { raw, refusal } from "./torture/scenario.ts";

const followUp = (content: AssistantTurn["content"], more: Partial<ModelRequest> = {}): ModelRequest => {
  const results = content.flatMap((part) => (part.type === "tool_use" ? [part.id] : []));
  return requestOf({
    turns: [
      { role: "user", content: [{ type: "text", text: "go" }] },
      { role: "assistant", content },
      {
        role: "user",
        content: results.map((tool_use_id) => ({
          type: "tool_result",
          tool_use_id,
          content: [{ type: "text", text: "ok" }],
          is_error: false,
        })),
      },
    ],
    ...more,
  });
};

/** The body that is sent for a request. */
async function bodyOf(wire: WireName, request: ModelRequest): Promise<Record<string, unknown>> {
  await using model = await startScriptedModel([{ content: [{ type: "text", text: "ok" }] }]);
  const heard = await ask(await createProvider({ provider: providerOf[wire], env: model.env(wire) }), request);
  expect(heard.error).toBeNull();
  return model.requests[0]?.body ?? {};
}

describe("Gemini's thought signatures", () => {
  it("[YUME-REPLAY-1] go back on the very parts on which they came", async () => {
    const part = (given: Record<string, unknown>) => frame("gemini", { candidates: [{ content: { parts: [given] } }] });
    await using model = await startScriptedModel([
      raw([
        part({ text: "let me see", thought: true }),
        part({ text: "Sure." }),
        part({ text: " Now.", thoughtSignature: "on-text" }),
        part({ functionCall: { name: "Read", args: { path: "/a" } }, thoughtSignature: "on-call" }),
        part({ functionCall: { name: "Read", args: { path: "/b" } } }),
        part({ text: "", thoughtSignature: "alone" }),
        frame("gemini", { candidates: [{ finishReason: "STOP" }] }),
      ]),
      { content: [{ type: "text", text: "done" }] },
    ]);
    const provider = await createProvider({ provider: "gemini", env: model.env("gemini") });
    const first = await ask(provider);
    await ask(provider, followUp(first.end?.parts ?? [], { model: "gemini-3.1-pro-preview" }));
    const { contents } = (model.requests[1]?.body ?? {}) as { contents?: unknown[] };
    expect(contents?.[1]).toEqual({
      role: "model",
      parts: [
        { text: "Sure. Now.", thoughtSignature: "on-text" },
        { functionCall: { name: "Read", args: { path: "/a" } }, thoughtSignature: "on-call" },
        { functionCall: { name: "Read", args: { path: "/b" } } },
        { text: "", thoughtSignature: "alone" },
      ],
    });
  });

  it("[YUME-REPLAY-2] are declared absent for calls of another model, from Gemini 3 on", async () => {
    const calls: AssistantTurn["content"] = [
      { type: "tool_use", id: "a", name: "Read", input: {} },
      { type: "tool_use", id: "b", name: "Read", input: {} },
    ];
    const partsFor = async (model: string) =>
      ((await bodyOf("gemini", followUp(calls, { model }))).contents as { parts: Record<string, unknown>[] }[])[1]?.parts.map(
        ({ thoughtSignature }) => thoughtSignature,
      );
    expect(await partsFor("gemini-3.6-flash")).toEqual(["skip_thought_signature_validator", undefined]);
    expect(await partsFor("gemini-2.5-pro")).toEqual([undefined, undefined]);
  });
});

describe("thoughts", () => {
  const foreign: AssistantTurn["content"] = [
    { type: "thinking", thinking: "private", replay: { wire: "somebody else", signature: "s" } },
    { type: "thinking", thinking: "bare" },
    { type: "text", text: "hi" },
    { type: "tool_use", id: "functions.Read:0", name: "Read", input: {} },
  ];

  it.each(wireNames.filter((wire) => wire !== "ollama"))("[YUME-REPLAY-2] of another provider are not sent: %s", async (wire) => {
    const body = JSON.stringify(await bodyOf(wire, followUp(foreign)));
    expect(body).toContain('"hi"');
    expect(body).not.toMatch(/private|bare|somebody else/);
  });

  it("[YUME-REPLAY-2] ids of another provider become ones that Anthropic takes, the same in call and result", async () => {
    const body = JSON.stringify(await bodyOf("anthropic", followUp(foreign)));
    expect(body).toContain('"id":"functions_Read_0"');
    expect(body).toContain('"tool_use_id":"functions_Read_0"');
  });

  it("[YUME-REPLAY-1] that Anthropic signed or redacted go back as they came", async () => {
    const body = await bodyOf(
      "anthropic",
      followUp([
        { type: "thinking", thinking: "hm", replay: { wire: "anthropic", signature: "s" } },
        { type: "thinking", thinking: "", replay: { wire: "anthropic", redacted: "sealed" } },
        { type: "tool_use", id: "c1", name: "Read", input: {} },
      ]),
    );
    expect((body.messages as { content: unknown[] }[])[1]?.content.slice(0, 2)).toEqual([
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "redacted_thinking", data: "sealed" },
    ]);
  });

  it.each([
    ["claude-sonnet-4-5-20250929", { type: "enabled", budget_tokens: 2048 }],
    ["claude-haiku-4-5", { type: "enabled", budget_tokens: 2048 }],
    ["claude-opus-5", { type: "adaptive", display: "summarized" }],
  ])("[YUME-WIRE-2] are asked for in the way of the model: %s", async (model, thinking) => {
    expect((await bodyOf("anthropic", requestOf({ model, max_thinking_tokens: 2048 }))).thinking).toEqual(thinking);
  });

  it("[YUME-WIRE-2] are asked of OpenAI's models that think, and of no others", async () => {
    const { reasoning, include } = await bodyOf("responses", requestOf({ model: "gpt-5.6-terra", max_thinking_tokens: 30_000 }));
    expect({ reasoning, include }).toEqual({
      reasoning: { summary: "auto", effort: "high" },
      include: ["reasoning.encrypted_content"],
    });
    expect((await bodyOf("responses", requestOf({ model: "gpt-4.1", max_thinking_tokens: 30_000 }))).reasoning).toBeUndefined();
  });
});

describe("names of tools", () => {
  const name = "mcp__my.server__do it, please";

  it.each(wireNames)(
    "[YUME-WIRE-5] that a provider would refuse are sent under a safe one and come back as they were: %s",
    async (wire) => {
      await using model = await startScriptedModel(({ body }) => {
        const sent = /"name":"(mcp__[^"]*)"/.exec(JSON.stringify(body))?.[1] ?? "";
        return { content: [{ type: "tool_use", id: "c1", name: sent, input: {} }] };
      });
      const provider = await createProvider({ provider: providerOf[wire], env: model.env(wire) });
      const tools = [{ name, description: "d", input_schema: { type: "object" } }];
      const first = await ask(provider, requestOf({ tools }));
      expect(first.events).toContainEqual(expect.objectContaining({ type: "tool_start", name }));
      expect(first.end?.parts[0]).toMatchObject({ type: "tool_use", name });
      await ask(provider, followUp(first.end?.parts ?? [], { tools }));
      for (const { body } of model.requests)
        for (const [, sent = ""] of JSON.stringify(body).matchAll(/"name":"([^"]*)"/g))
          expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    },
  );
});

describe("pictures in results", () => {
  it.each(wireNames)("[YUME-WIRE-2] reach the model: %s", async (wire) => {
    const request = requestOf({
      turns: [
        { role: "user", content: [{ type: "text", text: "go" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "Read", input: {} }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "c1",
              content: [
                { type: "text", text: "a picture" },
                { type: "image", media_type: "image/png", data: "UElDVFVSRQ==" },
              ],
              is_error: false,
            },
          ],
        },
      ],
    });
    const body = JSON.stringify(await bodyOf(wire, request));
    expect(body).toContain("UElDVFVSRQ==");
    expect(body).toContain("a picture");
  });
});

describe("a server that does not know a field", () => {
  it.each([
    ["Unrecognized request argument supplied: stream_options", "stream_options", undefined],
    ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens", undefined],
    ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_completion_tokens", 50],
  ])("[YUME-WIRE-6] is asked without it at once: %s (%s)", async (message, field, value) => {
    await using model = await startScriptedModel([
      refusal("chat", 400, message),
      { content: [{ type: "text", text: "ok" }] },
      { content: [{ type: "text", text: "ok" }] },
    ]);
    const provider = await createProvider({ provider: "openai", env: model.env("chat") });
    const heard = await ask(provider, requestOf({ max_output_tokens: 50 }));
    expect(heard.text).toBe("ok");
    expect(model.requests[1]?.body[field]).toBe(value);
    // It remembers.
    await ask(provider, requestOf({ max_output_tokens: 50 }));
    expect(model.requests).toHaveLength(3);
  });

  it("[YUME-WIRE-6] and refuses for ever is given up", async () => {
    await using model = await startScriptedModel(() => refusal("chat", 400, "stream_options, max_completion_tokens"));
    const heard = await ask(await createProvider({ provider: "openai", env: model.env("chat") }));
    expect(heard.error).toMatchObject({ kind: "bad_request" });
    expect(model.requests.length).toBeLessThanOrEqual(4);
  });
});
