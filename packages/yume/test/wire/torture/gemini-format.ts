// Hazards of Gemini.
import { frame } from "../encode-turn.ts";
import { a, four, hazardOf, type Json, read } from "./one-format.ts";
import { type Hazard, raw } from "./scenario.ts";

const parts = (...given: Json[]) => frame("gemini", { candidates: [{ content: { role: "model", parts: given } }] });
const finish = (finishReason: string, more: Json = {}) => frame("gemini", { candidates: [{ finishReason, ...more }] });
const fn = (path: string, more: Json = {}) => ({ functionCall: { name: "Read", args: { path } }, ...more });

export const geminiHazards: Hazard[] = [
  hazardOf(
    "gemini",
    "several calls over several chunks, without ids",
    [parts(fn("/a"), fn("/b")), parts(fn("/c")), finish("STOP")],
    [read("call_1_1", "/a"), read("call_1_2", "/b"), read("call_1_3", "/c")],
  ),
  hazardOf("gemini", "ids follow from the turn", [parts(fn("/a")), finish("STOP")], [read("call_3_1", "/a")], {
    request: {
      turns: [
        { role: "user", content: [{ type: "text", text: "1" }] },
        { role: "assistant", content: [{ type: "text", text: "2" }] },
        { role: "user", content: [{ type: "text", text: "3" }] },
        { role: "assistant", content: [{ type: "text", text: "4" }] },
        { role: "user", content: [{ type: "text", text: "5" }] },
      ],
    },
  }),
  hazardOf(
    "gemini",
    "numeric id",
    [parts({ functionCall: { id: 5, name: "Read", args: { path: "/a" } } }), finish("STOP")],
    [read("5", "/a")],
  ),
  hazardOf(
    "gemini",
    "empty-string arguments",
    [parts({ functionCall: { name: "LS", args: "" } }), finish("STOP")],
    [{ type: "tool_use", id: "call_1_1", name: "LS", input: {} }],
  ),
  hazardOf(
    "gemini",
    "no arguments",
    [parts({ functionCall: { name: "LS" } }), finish("STOP")],
    [{ type: "tool_use", id: "call_1_1", name: "LS", input: {} }],
  ),
  hazardOf(
    "gemini",
    "arguments as text",
    [parts({ functionCall: { name: "Read", args: a } }), finish("STOP")],
    [read("call_1_1", "/a")],
  ),
  hazardOf(
    "gemini",
    "`thoughtSignature` on a call",
    [parts(fn("/a", { thoughtSignature: "s" }), fn("/b")), finish("STOP")],
    [read("call_1_1", "/a", { replay: { wire: "gemini", signature: "s", on: "call" } }), read("call_1_2", "/b")],
  ),
  hazardOf(
    "gemini",
    "`thoughtSignature` on a text, and on an empty one",
    [parts({ text: "hi", thoughtSignature: "s" }), parts({ text: "", thoughtSignature: "t" }), finish("STOP")],
    [
      { type: "text", text: "hi" },
      { type: "thinking", thinking: "", replay: { wire: "gemini", signature: "s", on: "text" } },
      { type: "thinking", thinking: "", replay: { wire: "gemini", signature: "t", on: "alone" } },
    ],
  ),
  hazardOf(
    "gemini",
    "no role",
    [frame("gemini", { candidates: [{ content: { parts: [{ text: "hi" }] } }] }), finish("STOP")],
    [{ type: "text", text: "hi" }],
  ),
  hazardOf("gemini", "`MALFORMED_FUNCTION_CALL`, once", [], [{ type: "text", text: "hi" }], {
    answers: [
      raw([finish("MALFORMED_FUNCTION_CALL", { finishMessage: "bad call" })]),
      raw([parts({ text: "hi" }), finish("STOP")]),
    ],
    outcome: "turn at the second try",
  }),
  hazardOf("gemini", "`MALFORMED_FUNCTION_CALL`, every time", [], [], {
    answers: four([finish("MALFORMED_FUNCTION_CALL", { finishMessage: "bad call" })]),
    outcome: "error `bad_output` after 3 tries",
    tells: /bad call/,
  }),
  hazardOf("gemini", "an empty answer, every time", [], [], {
    answers: four([finish("STOP")]),
    outcome: "error `bad_output` after 3 tries",
    tells: /empty/,
  }),
  ...["SAFETY", "RECITATION", "PROHIBITED_CONTENT"].map((reason) =>
    hazardOf(
      "gemini",
      `stopped for \`${reason}\`, after a call`,
      [parts({ text: "hi" }), parts(fn("/a")), finish(reason)],
      [{ type: "text", text: "hi" }],
      { outcome: "refusal" },
    ),
  ),
  hazardOf("gemini", "the prompt was blocked", [frame("gemini", { promptFeedback: { blockReason: "SAFETY" } })], [], {
    outcome: "error `refused`",
    tells: /SAFETY/,
  }),
  hazardOf("gemini", "400 for a wrong key", [], [], {
    answers: [
      raw(
        [
          JSON.stringify({
            error: {
              code: 400,
              status: "INVALID_ARGUMENT",
              message: "API key not valid",
              details: [{ reason: "API_KEY_INVALID" }],
            },
          }),
        ],
        { status: 400, headers: { "content-type": "application/json" } },
      ),
    ],
    outcome: "error `auth`",
    tells: /GEMINI_API_KEY/,
  }),
  hazardOf("gemini", "429 with a short `retryDelay` in the body", [], [{ type: "text", text: "hi" }], {
    answers: [
      raw(
        [
          JSON.stringify([
            {
              error: {
                code: 429,
                status: "RESOURCE_EXHAUSTED",
                message: "You exceeded your current quota",
                details: [{ retryDelay: "0.01s" }],
              },
            },
          ]),
        ],
        { status: 429 },
      ),
      raw([parts({ text: "hi" }), finish("STOP")]),
    ],
    outcome: "turn at the second try",
  }),
  hazardOf("gemini", "429 with a very long `retryDelay` in the body", [], [], {
    answers: [
      raw(
        [
          JSON.stringify([
            {
              error: {
                code: 429,
                status: "RESOURCE_EXHAUSTED",
                message: "You exceeded your current quota",
                details: [{ retryDelay: "900s" }],
              },
            },
          ]),
        ],
        { status: 429 },
      ),
    ],
    outcome: "error `rate_limited`",
    tells: /900 s/,
  }),
  hazardOf("gemini", "a list instead of events", [], [{ type: "text", text: "hi" }], {
    answers: [
      raw(
        [
          JSON.stringify([
            { candidates: [{ content: { parts: [{ text: "hi" }] } }] },
            { candidates: [{ finishReason: "STOP" }] },
          ]),
        ],
        { headers: { "content-type": "application/json" } },
      ),
    ],
  }),
];
