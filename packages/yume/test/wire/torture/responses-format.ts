// Hazards of OpenAI's Responses.
import { frame } from "../encode-turn.ts";
import { a, b, four, hazardOf, type Json, read } from "./one-format.ts";
import { type Hazard, raw } from "./scenario.ts";

const event = (type: string, more: Json = {}) => frame("responses", { type, ...more });
const item = (id: string, call_id: unknown, json: unknown) => ({
  type: "function_call",
  id,
  call_id,
  name: "Read",
  arguments: json,
});
const added = (output_index: number, given: Json) =>
  event("response.output_item.added", { output_index, item: { ...given, arguments: "" } });
const json = (item_id: string, output_index: number | undefined, delta: string) =>
  event("response.function_call_arguments.delta", { item_id, output_index, delta });
const completed = event("response.completed", { response: { status: "completed" } });

export const responsesHazards: Hazard[] = [
  hazardOf(
    "responses",
    "`call_id` differs from the item id",
    [added(0, item("fc_1", "call_9", "")), json("fc_1", 0, a), completed],
    [read("call_9", "/a")],
  ),
  hazardOf(
    "responses",
    "another item id in each event",
    [added(0, item("x1", "c1", "")), json("x2", 0, '{"path"'), json("x3", 0, ':"/a"}'), completed],
    [read("c1", "/a")],
  ),
  hazardOf(
    "responses",
    "all items labelled index 0",
    [
      added(0, item("f1", "c1", "")),
      json("f1", 0, a),
      event("response.output_item.done", { output_index: 0, item: item("f1", "c1", a) }),
      added(0, item("f2", "c2", "")),
      json("f2", 0, b),
      event("response.output_item.done", { output_index: 0, item: item("f2", "c2", b) }),
      event("response.completed", { response: { status: "completed", output: [item("f1", "c1", a), item("f2", "c2", b)] } }),
    ],
    [read("c1", "/a"), read("c2", "/b")],
  ),
  hazardOf(
    "responses",
    "no output index",
    [
      event("response.output_item.added", { item: item("f1", "c1", "") }),
      event("response.output_item.added", { item: item("f2", "c2", "") }),
      json("f1", undefined, a),
      json("f2", undefined, b),
      completed,
    ],
    [read("c1", "/a"), read("c2", "/b")],
  ),
  hazardOf(
    "responses",
    "no `call_id`",
    [added(0, { type: "function_call", id: "fc_1", name: "Read" }), json("fc_1", 0, a), completed],
    [read("fc_1", "/a")],
  ),
  hazardOf("responses", "numeric `call_id`", [added(0, item("fc_1", 7, "")), json("fc_1", 0, a), completed], [read("7", "/a")]),
  hazardOf(
    "responses",
    "arguments as an object",
    [event("response.output_item.done", { output_index: 0, item: item("f1", "c1", { path: "/a" }) }), completed],
    [read("c1", "/a")],
  ),
  hazardOf(
    "responses",
    "empty-string arguments",
    [
      added(0, item("f1", "c1", "")),
      event("response.output_item.done", { output_index: 0, item: item("f1", "c1", "") }),
      completed,
    ],
    [{ type: "tool_use", id: "c1", name: "Read", input: {} }],
  ),
  hazardOf(
    "responses",
    "items without deltas",
    [
      event("response.output_item.done", {
        output_index: 0,
        item: { type: "message", id: "m1", content: [{ type: "output_text", text: "hi" }] },
      }),
      event("response.output_item.done", { output_index: 1, item: item("f1", "c1", a) }),
      completed,
    ],
    [{ type: "text", text: "hi" }, read("c1", "/a")],
  ),
  hazardOf(
    "responses",
    "nothing but the completed response",
    [event("response.completed", { response: { status: "completed", output: [item("f1", "c1", a)] } })],
    [read("c1", "/a")],
  ),
  hazardOf(
    "responses",
    "the rest of the arguments comes with `done`",
    [
      added(0, item("f1", "c1", "")),
      json("f1", 0, '{"pa'),
      event("response.function_call_arguments.done", { output_index: 0, arguments: a }),
      completed,
    ],
    [read("c1", "/a")],
  ),
  hazardOf(
    "responses",
    "a reasoning item",
    [
      event("response.output_item.added", { output_index: 0, item: { type: "reasoning", id: "rs" } }),
      event("response.reasoning_text.delta", { output_index: 0, delta: "hm" }),
      event("response.output_item.done", { output_index: 0, item: { type: "reasoning", id: "rs", encrypted_content: "e" } }),
      event("response.output_text.delta", { output_index: 1, delta: "hi" }),
      completed,
    ],
    [
      {
        type: "thinking",
        thinking: "hm",
        replay: { wire: "responses", item: { type: "reasoning", id: "rs", encrypted_content: "e" } },
      },
      { type: "text", text: "hi" },
    ],
  ),
  hazardOf("responses", "no stream, though one was asked for", [], [read("c1", "/a")], {
    answers: [
      raw([JSON.stringify({ object: "response", status: "completed", error: null, output: [item("f1", "c1", a)] })], {
        headers: { "content-type": "application/json" },
      }),
    ],
  }),
  hazardOf("responses", "arguments for a call that was never begun", [], [], {
    answers: four([json("f1", 0, a), completed]),
    outcome: "error `broken_stream` after 3 tries",
  }),
  hazardOf(
    "responses",
    "`response.failed` for a full context",
    [event("response.failed", { response: { error: { code: "context_length_exceeded", message: "too long" } } })],
    [],
    { outcome: "error `context_too_long`" },
  ),
];
