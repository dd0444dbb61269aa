// What a server answers instead of a turn.
import type { WireName } from "../encode-turn.ts";
import { again, errorEvent, everywhere, type Hazard, raw, refusal, sse, standard, untilMidArguments } from "./scenario.ts";

const keyNames: Record<WireName, RegExp> = {
  chat: /OPENAI_API_KEY/,
  responses: /OPENAI_API_KEY/,
  anthropic: /ANTHROPIC_API_KEY/,
  gemini: /GEMINI_API_KEY/,
  ollama: /OLLAMA_API_KEY/,
};

const overloaded = { code: 503, type: "overloaded_error", message: "Overloaded" };

export const refusedHazards: Hazard[] = [
  everywhere("an error inside a 200 stream, once", (wire) => ({
    answers: [raw([...untilMidArguments(wire).slice(0, -1), errorEvent(wire, overloaded)]), standard],
    outcome: again,
  })),
  everywhere("an error inside a 200 stream, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () => raw([errorEvent(wire, overloaded)])),
    outcome: `error \`${wire === "ollama" ? "broken_stream" : "overloaded"}\` after 3 tries`,
    tells: /Overloaded/,
  })),
  everywhere(
    "an error inside a 200 stream that will not go away",
    (wire) => ({
      answers: [
        raw([
          errorEvent(wire, {
            code: 400,
            type: wire === "gemini" ? "invalid_argument" : "invalid_request_error",
            message: "no such parameter",
          }),
        ]),
      ],
      outcome: "error `bad_request`",
      tells: /no such parameter/,
    }),
    sse,
  ),
  everywhere("401", (wire) => ({
    answers: [refusal(wire, 401, "who are you?")],
    outcome: "error `auth`",
    tells: keyNames[wire],
  })),
  everywhere("403", (wire) => ({ answers: [refusal(wire, 403, "not you")], outcome: "error `auth`", tells: keyNames[wire] })),
  everywhere("404", (wire) => ({
    answers: [refusal(wire, 404, "no model scripted")],
    outcome: "error `not_found`",
    tells: /no model scripted/,
  })),
  everywhere("429 with a short Retry-After", (wire) => ({
    answers: [refusal(wire, 429, "slow down", { headers: { "retry-after": "0" } }), standard],
    outcome: again,
  })),
  everywhere("429 with a very long Retry-After", (wire) => ({
    answers: [refusal(wire, 429, "slow down", { headers: { "retry-after": "3600" } }), standard],
    outcome: "error `rate_limited`",
    tells: /wait 3600 s/,
  })),
  everywhere("429, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () => refusal(wire, 429, "slow down")),
    outcome: "error `rate_limited` after 3 tries",
  })),
  everywhere("429 with a Retry-After that fits into the time for retries", (wire) => ({
    answers: [refusal(wire, 429, "slow down", { headers: { "retry-after-ms": "30", "retry-after": "1" } }), standard],
    outcome: again,
    settings: { retryMs: 600_000 },
  })),
  everywhere("503 five times, with time for retries", (wire) => ({
    answers: [...Array.from({ length: 5 }, () => refusal(wire, 503, "down")), standard],
    outcome: "turn at the sixth try",
    settings: { retryMs: 600_000 },
  })),
  everywhere("429 because the money is gone", (wire) => ({
    answers: [refusal(wire, 429, "You exceeded your current quota, check billing", { type: "insufficient_quota" }), standard],
    outcome: "error `rate_limited`",
    tells: /no credit/,
  })),
  everywhere("429 that only mentions billing", (wire) => ({
    answers: [refusal(wire, 429, "Rate limit reached. Raise it at example.com/account/billing"), standard],
    outcome: again,
  })),
  everywhere("500, once", (wire) => ({ answers: [refusal(wire, 500, "oops"), standard], outcome: again })),
  everywhere("503, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () => refusal(wire, 503, "down")),
    outcome: "error `overloaded` after 3 tries",
  })),
  everywhere("400", (wire) => ({
    answers: [refusal(wire, 400, "tools: wrong"), standard],
    outcome: "error `bad_request`",
    tells: /tools: wrong/,
  })),
  everywhere("400 because the context is full", (wire) => ({
    answers: [refusal(wire, 400, "this model's maximum context length is 8192 tokens"), standard],
    outcome: "error `context_too_long`",
  })),
  everywhere("413", (wire) => ({ answers: [refusal(wire, 413, "too large"), standard], outcome: "error `context_too_long`" })),
  everywhere("a redirection", () => ({
    answers: [raw([], { status: 307, headers: { location: "https://elsewhere.example/v1" } })],
    outcome: "error `network`",
    tells: /elsewhere\.example/,
  })),
  everywhere("a page instead of a stream", () => ({
    answers: Array.from({ length: 4 }, () => raw(["<html>Please sign in</html>"], { headers: { "content-type": "text/html" } })),
    outcome: "error `broken_stream` after 3 tries",
    tells: /./,
  })),
  everywhere("502 with a page of HTML, once", () => ({
    answers: [raw(["<html><h1>Bad gateway</h1></html>"], { status: 502, headers: { "content-type": "text/html" } }), standard],
    outcome: again,
  })),
];
