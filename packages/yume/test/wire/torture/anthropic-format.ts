// Hazards of Anthropic's Messages.
import { frame } from "../encode-turn.ts";
import { a, b, four, hazardOf, type Json, read } from "./one-format.ts";
import type { Hazard } from "./scenario.ts";

const block = (index: number | undefined, content_block: Json) =>
  frame("anthropic", { type: "content_block_start", index, content_block });
const delta = (index: number | undefined, given: Json) =>
  frame("anthropic", { type: "content_block_delta", index, delta: given });
const partial = (index: number | undefined, partial_json: unknown) => delta(index, { type: "input_json_delta", partial_json });
const closed = (index: number) => frame("anthropic", { type: "content_block_stop", index });
const stopped = (stop_reason: string) => [
  frame("anthropic", { type: "message_delta", delta: { stop_reason } }),
  frame("anthropic", { type: "message_stop" }),
];
const use = (id: unknown, given: Json = {}) => ({ type: "tool_use", id, name: "Read", input: given });

export const anthropicHazards: Hazard[] = [
  hazardOf(
    "anthropic",
    "no index",
    [
      block(undefined, use("c1")),
      partial(undefined, a),
      block(undefined, use("c2")),
      partial(undefined, b),
      ...stopped("tool_use"),
    ],
    [read("c1", "/a"), read("c2", "/b")],
  ),
  hazardOf(
    "anthropic",
    "blocks interleaved",
    [block(0, use("c1")), block(1, use("c2")), partial(1, b), partial(0, a), ...stopped("tool_use")],
    [read("c1", "/a"), read("c2", "/b")],
  ),
  hazardOf(
    "anthropic",
    "all blocks labelled index 0",
    [block(0, use("c1")), partial(0, a), closed(0), block(0, use("c2")), partial(0, b), closed(0), ...stopped("tool_use")],
    [read("c1", "/a"), read("c2", "/b")],
  ),
  hazardOf(
    "anthropic",
    "the index changes in mid-call",
    [block(0, use("c1")), partial(0, '{"path"'), partial(3, ':"/a"}'), ...stopped("tool_use")],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "no id",
    [block(0, { type: "tool_use", name: "Read", input: {} }), partial(0, a), ...stopped("tool_use")],
    [read("call_1_1", "/a")],
  ),
  hazardOf("anthropic", "numeric id", [block(0, use(4)), partial(0, a), ...stopped("tool_use")], [read("4", "/a")]),
  hazardOf(
    "anthropic",
    "the whole input in the first event",
    [block(0, use("c1", { path: "/a" })), closed(0), ...stopped("tool_use")],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "arguments as an object",
    [block(0, use("c1")), partial(0, { path: "/a" }), ...stopped("tool_use")],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "empty-string arguments",
    [block(0, use("c1")), partial(0, ""), closed(0), ...stopped("tool_use")],
    [{ type: "tool_use", id: "c1", name: "Read", input: {} }],
  ),
  hazardOf(
    "anthropic",
    "no finish reason, but `message_stop`",
    [block(0, use("c1")), partial(0, a), closed(0), frame("anthropic", { type: "message_stop" })],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "finish `end_turn` with tool calls",
    [block(0, use("c1")), partial(0, a), ...stopped("end_turn")],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "`message_stop` missing",
    [block(0, use("c1")), partial(0, a), stopped("tool_use")[0] ?? ""],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "`[DONE]` after the end of another format",
    [block(0, use("c1")), partial(0, a), stopped("tool_use")[0] ?? "", frame("anthropic", "[DONE]")],
    [read("c1", "/a")],
  ),
  hazardOf(
    "anthropic",
    "a signed and a redacted thought",
    [
      block(0, { type: "thinking", thinking: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "s1" }),
      closed(0),
      block(1, { type: "redacted_thinking", data: "sealed" }),
      closed(1),
      block(2, { type: "text", text: "hi" }),
      ...stopped("end_turn"),
    ],
    [
      { type: "thinking", thinking: "hm", replay: { wire: "anthropic", signature: "s1" } },
      { type: "thinking", thinking: "", replay: { wire: "anthropic", redacted: "sealed" } },
      { type: "text", text: "hi" },
    ],
  ),
  hazardOf("anthropic", "arguments for a call that was never begun", [], [], {
    answers: four([partial(0, a), ...stopped("tool_use")]),
    outcome: "error `broken_stream` after 3 tries",
  }),
];
