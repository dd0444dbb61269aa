// Hazards of Ollama's own API.
import { frame } from "../encode-turn.ts";
import { a, four, hazardOf, type Json, read } from "./one-format.ts";
import { type Hazard, raw } from "./scenario.ts";

const line = (message: Json, more: Json = { done: false }) =>
  frame("ollama", { model: "m", message: { role: "assistant", content: "", ...message }, ...more });
const last = (more: Json = { done_reason: "stop" }) => line({}, { done: true, ...more });
const tool = (given: Json) => line({ tool_calls: [{ function: { name: "Read", ...given } }] });

export const ollamaHazards: Hazard[] = [
  hazardOf(
    "ollama",
    "several calls over several lines, all index 0",
    [tool({ index: 0, arguments: { path: "/a" } }), tool({ index: 0, arguments: { path: "/b" } }), last()],
    [read("call_1_1", "/a"), read("call_1_2", "/b")],
  ),
  hazardOf("ollama", "arguments as text", [tool({ arguments: a }), last()], [read("call_1_1", "/a")]),
  hazardOf(
    "ollama",
    "numeric id",
    [line({ tool_calls: [{ id: 5, function: { name: "Read", arguments: { path: "/a" } } }] }), last()],
    [read("5", "/a")],
  ),
  hazardOf(
    "ollama",
    "empty-string arguments",
    [tool({ arguments: "" }), last()],
    [{ type: "tool_use", id: "call_1_1", name: "Read", input: {} }],
  ),
  hazardOf("ollama", "no arguments", [tool({}), last()], [{ type: "tool_use", id: "call_1_1", name: "Read", input: {} }]),
  hazardOf(
    "ollama",
    "an id of its own",
    [line({ tool_calls: [{ id: "o1", function: { name: "Read", arguments: { path: "/a" } } }] }), last()],
    [read("o1", "/a")],
  ),
  hazardOf(
    "ollama",
    "a call in the last line",
    [line({ tool_calls: [{ function: { name: "Read", arguments: { path: "/a" } } }] }, { done: true, done_reason: "stop" })],
    [read("call_1_1", "/a")],
  ),
  hazardOf("ollama", "no finish reason, but `done`", [line({ content: "hi" }), last({})], [{ type: "text", text: "hi" }]),
  hazardOf(
    "ollama",
    "no role",
    [frame("ollama", { message: { content: "hi" }, done: false }), last()],
    [{ type: "text", text: "hi" }],
  ),
  hazardOf("ollama", "truncated arguments as text, every time", [], [], {
    answers: four([tool({ arguments: '{"pa' }), last()]),
    outcome: "error `bad_output` after 3 tries",
  }),
  hazardOf("ollama", "a model that takes no tools", [], [], {
    answers: [raw([JSON.stringify({ error: "registry/tiny does not support tools" })], { status: 400 })],
    outcome: "error `bad_request`",
    tells: /does not support tools/,
  }),
];
