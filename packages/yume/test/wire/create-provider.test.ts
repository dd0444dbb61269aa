// Choosing a provider: names, wires, variables; and what is known about models and their prices.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/model/types.ts";
import { capabilitiesOf } from "../../src/providers/capabilities.ts";
import { costOf, createProvider, parsePrices, providerNames } from "../../src/providers/index.ts";
import { PermanentModelError } from "../../src/providers/permanent-error.ts";
import { longestBackOffMs, longestRetryMs, mostTries, planRetry } from "../../src/providers/retry-plan.ts";
import { readSettings } from "../../src/providers/settings.ts";
import { retryAfterOf } from "../../src/providers/transport/http-error.ts";
import { ollamaHost } from "../../src/providers/wires/ollama.ts";
import { openAiAccess, openAiFormat } from "../../src/providers/wires/openai-access.ts";
import { ask } from "./ask.ts";
import { startScriptedModel } from "./server.ts";

describe("createProvider", () => {
  it("[YUME-PROVIDER-1] knows eight providers, each with a model of its own", async () => {
    expect(providerNames.toSorted()).toEqual(
      ["gemini", "openai", "codex", "anthropic", "ollama", "openrouter", "copilot", "codex-cli"].toSorted(),
    );
    for (const provider of providerNames) {
      const made = await createProvider({ provider, env: {} });
      expect(made.name).toBe(provider);
      expect(made.default_model).not.toBe("");
      expect((await createProvider({ provider, model: "mine", env: {} })).default_model).toBe("mine");
    }
  });

  it("[YUME-PROVIDER-1] refuses what it does not know, and names what there is", async () => {
    await expect(createProvider({ provider: "grok", env: {} })).rejects.toMatchObject({
      kind: "bad_request",
      message: expect.stringContaining("anthropic, openai, gemini"),
    });
    await expect(createProvider({ provider: "anthropic", wire: "chat", env: {} })).rejects.toMatchObject({ kind: "bad_request" });
    await expect(createProvider({ provider: "copilot", apiBase: "http://x", env: {} })).rejects.toMatchObject({
      kind: "bad_request",
    });
  });

  it.each([
    [{ provider: "openai" }, "/chat/completions"],
    [{ provider: "openai", wire: "responses" }, "/responses"],
    [{ provider: "codex" }, "/responses"],
    [{ provider: "codex", wire: "chat" }, "/chat/completions"],
  ] as const)("[YUME-PROVIDER-2] %j with a base of one's own asks at %s", async (options, path) => {
    await using model = await startScriptedModel([{ content: [{ type: "text", text: "hi" }] }]);
    const heard = await ask(await createProvider({ ...options, apiBase: `${model.url}/v1/`, env: {} }));
    expect(heard.text).toBe("hi");
    expect(model.requests[0]?.path).toBe(`/v1${path}`);
    // A server of one's own often needs no key.
    expect(model.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("[YUME-PROVIDER-2] with OpenAI's own base the wire is Responses, unless chat is wanted", () => {
    for (const access of [
      openAiAccess({}, undefined),
      openAiAccess({ OPENAI_BASE_URL: "https://api.openai.com/v1/" }, undefined),
    ]) {
      expect(access).toMatchObject({ base: "https://api.openai.com/v1", official: true, label: "OpenAI" });
      expect([openAiFormat("openai", access, undefined), openAiFormat("openai", access, "chat")]).toEqual(["responses", "chat"]);
    }
  });

  it("[YUME-PROVIDER-3] OpenAI's variables become its headers", async () => {
    const env = { OPENAI_API_KEY: "sk-1", OPENAI_ORG_ID: "org", OPENAI_PROJECT_ID: "proj" };
    await using model = await startScriptedModel([{ content: [{ type: "text", text: "hi" }] }]);
    await ask(await createProvider({ provider: "openai", env: { ...env, OPENAI_BASE_URL: `${model.url}/v1` } }));
    expect(model.requests[0]?.headers).toMatchObject({
      authorization: "Bearer sk-1",
      "openai-organization": "org",
      "openai-project": "proj",
    });
  });

  it("[YUME-PROVIDER-3] Anthropic takes a key or a bearer token, and a base with or without its version", async () => {
    await using model = await startScriptedModel(() => ({ content: [{ type: "text", text: "hi" }] }));
    await ask(
      await createProvider({
        provider: "anthropic",
        env: { ANTHROPIC_BASE_URL: `${model.url}/v1/`, ANTHROPIC_AUTH_TOKEN: "tok" },
      }),
    );
    expect(model.requests[0]).toMatchObject({
      path: "/v1/messages",
      headers: { authorization: "Bearer tok", "anthropic-version": "2023-06-01" },
    });
    expect(model.requests[0]?.headers["x-api-key"]).toBeUndefined();
    await ask(await createProvider({ provider: "anthropic", env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key" } }));
    expect(model.requests[1]?.headers["x-api-key"]).toBe("key");
  });

  it.each([
    [undefined, "http://127.0.0.1:11434"],
    ["", "http://127.0.0.1:11434"],
    ["box", "http://box:11434"],
    ["box:99", "http://box:99"],
    [":99", "http://127.0.0.1:99"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["[::]:99", "http://127.0.0.1:99"],
    ["http://box", "http://box"],
    ["https://ollama.com/", "https://ollama.com"],
    ["https://box:99/prefix", "https://box:99/prefix"],
  ])("[YUME-PROVIDER-3] OLLAMA_HOST %j is %s", (given, url) => {
    expect(ollamaHost(given)).toBe(url);
  });

  it("[YUME-PROVIDER-3] an OLLAMA_HOST that is no host is refused by name", () => {
    expect(() => ollamaHost("http://")).toThrow(/OLLAMA_HOST/);
  });
});

describe("settings", () => {
  it("[YUME-RETRY-3] come from the caller, then from the environment, then have defaults", () => {
    expect(readSettings({})).toEqual({ idleTimeoutMs: 180_000, retryBaseMs: 500, retryMs: 600_000, usageGraceMs: 3_000 });
    expect(readSettings({ YUME_IDLE_TIMEOUT_MS: "5", YUME_RETRY_BASE_MS: "nonsense" })).toMatchObject({
      idleTimeoutMs: 5,
      retryBaseMs: 500,
    });
    expect(readSettings({ YUME_RETRY_SECONDS: "0" }).retryMs).toBe(0);
    expect(readSettings({ YUME_RETRY_SECONDS: "" }).retryMs).toBe(600_000);
    expect(readSettings({ YUME_IDLE_TIMEOUT_MS: "5" }, { idleTimeoutMs: 7 }).idleTimeoutMs).toBe(7);
    expect(readSettings({ YUME_IDLE_TIMEOUT_MS: "99999999999" }).idleTimeoutMs).toBe(86_400_000);
  });
});

describe("tries", () => {
  const at = { attempt: 1, sinceFirstFailureMs: 0, baseMs: 500, patienceMs: 0, answeredBefore: false, random: 0.5 };
  const kinds = [
    "auth",
    "not_found",
    "rate_limited",
    "overloaded",
    "bad_request",
    "context_too_long",
    "network",
    "broken_stream",
    "bad_output",
    "refused",
    "aborted",
  ] as const;

  it("[YUME-RETRY-1] are at most three, and none begins later than 20 s after the first failure", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.option(fc.nat({ max: 100_000 })),
        fc.record({
          attempt: fc.integer({ min: 1, max: 5 }),
          sinceFirstFailureMs: fc.nat({ max: 40_000 }),
          baseMs: fc.nat({ max: 20_000 }),
          patienceMs: fc.constant(0),
          answeredBefore: fc.boolean(),
          random: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        (kind, retryAfterMs, where) => {
          const plan = planRetry(new ModelError(kind, "no", { retryAfterMs }), where);
          if (!plan.again) return;
          expect(where.attempt).toBeLessThan(mostTries);
          expect(where.sinceFirstFailureMs + plan.delayMs).toBeLessThanOrEqual(longestRetryMs + 1);
          expect(["rate_limited", "overloaded", "network", "broken_stream", "bad_output"]).toContain(kind);
          if (retryAfterMs !== null) expect(plan.delayMs).toBe(retryAfterMs);
        },
      ),
    );
  });

  it("[YUME-RETRY-1] wait longer each time", () => {
    const first = planRetry(new ModelError("overloaded", "no"), at);
    const second = planRetry(new ModelError("overloaded", "no"), { ...at, attempt: 2 });
    expect([first, second]).toEqual([
      { again: true, delayMs: 500, mostTries },
      { again: true, delayMs: 1000, mostTries },
    ]);
  });

  it("[YUME-RETRY-2] a server that asks for too long ends them with an error that says so", () => {
    const plan = planRetry(new ModelError("rate_limited", "slow down", { status: 429, retryAfterMs: 21_000 }), at);
    expect(plan).toMatchObject({ again: false, error: { kind: "rate_limited", status: 429, retryAfterMs: 21_000 } });
    expect(plan.again ? "" : plan.error.message).toMatch(/wait 21 s, longer than the 20 s/);
  });

  it("[YUME-RETRY-4] of overload go on for as long as they may, with waits of at most a minute", () => {
    const patient = { ...at, patienceMs: 600_000 };
    const later = planRetry(new ModelError("overloaded", "no"), { ...patient, attempt: 12, sinceFirstFailureMs: 500_000 });
    expect(later).toMatchObject({ again: true, delayMs: longestBackOffMs });
    expect(planRetry(new ModelError("overloaded", "no"), { ...patient, attempt: 14, sinceFirstFailureMs: 599_000 }).again).toBe(
      false,
    );
    const asks = new ModelError("rate_limited", "no", { retryAfterMs: 300_000 });
    expect(planRetry(asks, patient)).toMatchObject({ again: true, delayMs: 300_000 });
    expect(planRetry(asks, { ...patient, sinceFirstFailureMs: 400_000 }).again).toBe(false);
    // A server that never answered may be a wrong address; one that did is waited for.
    const gone = new ModelError("network", "refused");
    expect(planRetry(gone, { ...patient, attempt: 3 }).again).toBe(false);
    expect(planRetry(gone, { ...patient, attempt: 3, answeredBefore: true }).again).toBe(true);
    expect(planRetry(new ModelError("bad_output", "no"), { ...patient, attempt: 3 }).again).toBe(false);
  });

  it("[YUME-RETRY-1] never follow what would fail again", () => {
    const error = new PermanentModelError("network", "no certificate");
    expect(planRetry(error, at)).toEqual({ again: false, error });
  });

  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Mon, 16 Nov 2026 00:00:10 GMT" }, 10_000],
    [{ "retry-after": "Sun, 15 Nov 2026 00:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("[YUME-RETRY-2] %j means %s ms", (headers, ms) => {
    expect(retryAfterOf(headers, Date.parse("2026-11-16T00:00:00Z"))).toBe(ms);
  });
});

describe("models", () => {
  it.each([
    ["claude-sonnet-4-5-20250929", 200_000, 64_000],
    ["claude-opus-4-1-20250805", 200_000, 32_000],
    ["claude-opus-4-6", 1_000_000, 128_000],
    ["anthropic/claude-opus-5", 1_000_000, 128_000],
    ["claude-3-5-haiku-latest", 200_000, 8_192],
    ["gpt-5.3-codex", 400_000, 128_000],
    ["gpt-5.6-terra", 1_000_000, 128_000],
    ["models/gemini-3.6-flash", 1_048_576, 65_536],
    ["nobody-knows-it", 128_000, 8_192],
  ])("[YUME-MODEL-1] %s takes %d tokens and gives %d", (model, context_window, max_output_tokens) => {
    expect(capabilitiesOf(model)).toMatchObject({ context_window, max_output_tokens, tools: true });
  });

  it("[YUME-MODEL-1] pictures are for models that see", () => {
    expect(["gpt-4.1", "claude-opus-5", "qwen2.5-vl:7b", "llava"].map((model) => capabilitiesOf(model).images)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["qwen3-coder", "gpt-oss:20b"].map((model) => capabilitiesOf(model).images)).toEqual([false, false]);
    expect(capabilitiesOf("unknown").images).toBe(true);
  });
});

describe("costOf", () => {
  const million = {
    input_tokens: 1_000_000,
    output_tokens: 1_000_000,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const small = { input_tokens: 1000, output_tokens: 100, cache_creation_input_tokens: 500, cache_read_input_tokens: 2000 };

  it("[YUME-COST-1] counts input, output and both halves of the cache", () => {
    expect(costOf("claude-opus-5", small)).toBeCloseTo((1000 * 5 + 100 * 25 + 500 * 6.25 + 2000 * 0.5) / 1e6, 12);
    expect(costOf("gpt-4.1", small)).toBeCloseTo((1000 * 2 + 100 * 8 + 500 * 2 + 2000 * 0.5) / 1e6, 12);
  });

  it("[YUME-COST-1] finds dated and prefixed names, and the longest name that fits", () => {
    expect(costOf("openai/gpt-5-2025-08-07", small)).toBe(costOf("gpt-5", small));
    expect(costOf("gpt-5-mini", small)).not.toBe(costOf("gpt-5", small));
    expect(costOf("claude-opus-5-5", million)).toBe(24);
    expect(costOf("claude-opus-5-20260901", million)).toBe(30);
  });

  it("[YUME-COST-1] takes the prices of long prompts where there are some", () => {
    expect(costOf("gpt-5.4", { ...small, input_tokens: 272_000 })).toBeGreaterThan(
      (costOf("gpt-5.4", { ...small, input_tokens: 269_000 }) ?? 0) * 1.9,
    );
  });

  it("[YUME-COST-2] overrides win, and a model without a price costs nobody knows what", () => {
    expect(costOf("my-model", small)).toBeNull();
    expect(costOf("my-model:8b", million, { "my-model": { input: 1, output: 2 } })).toBe(3);
    expect(costOf("gpt-4.1", million, { "gpt-4.1": { input: 0, output: 0 } })).toBe(0);
    expect(costOf("gpt-5.9", small)).toBeNull();
  });

  it("[YUME-COST-2] a price table is read, or refused with the entry that is wrong", () => {
    expect(parsePrices('{"m": {"input": 1, "output": 2, "cache_read": 0.1}}')).toEqual({
      m: { input: 1, output: 2, cache_read: 0.1 },
    });
    expect(() => parsePrices('{"m": {"input": 1}}')).toThrow(/price of m/);
    expect(() => parsePrices('{"m": {"input": -1, "output": 2}}')).toThrow(/price of m/);
    expect(() => parsePrices("[]")).toThrow(/JSON object/);
  });
});
