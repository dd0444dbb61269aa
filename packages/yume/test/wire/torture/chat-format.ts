// Hazards of Chat Completions: nearly every server that imitates it has one of its own.
import type { AssistantTurn } from "../../../src/model/types.ts";
import { frame } from "../encode-turn.ts";
import { type Hazard, type Play, raw } from "./scenario.ts";

type Json = Record<string, unknown>;

const chunk = (delta: Json, finish: string | null = null) =>
  frame("chat", { choices: [{ index: 0, delta, finish_reason: finish }] });
const call = (more: Json) => chunk({ tool_calls: [more] });
const done = frame("chat", "[DONE]");
const finished = [chunk({}, "tool_calls"), done];

const read = (id: string, path: string): AssistantTurn["content"][number] => ({
  type: "tool_use",
  id,
  name: "Read",
  input: { path },
});
const one = [read("c1", "/a")];
const two = [read("c1", "/a"), read("c2", "/b")];

const hazard = (name: string, events: string[], parts: AssistantTurn["content"], more: Partial<Play> = {}): Hazard => ({
  hazard: name,
  plays: { chat: { answers: [raw(events)], outcome: "turn", parts, ...more } },
});

const a1 = '{"path"';
const a2 = ':"/a"}';
const b = '{"path":"/b"}';
const begin = (more: Json, name = "Read", json = "") => call({ ...more, function: { name, arguments: json } });
const go = (more: Json, json: string) => call({ ...more, function: { arguments: json } });

export const chatHazards: Hazard[] = [
  hazard(
    "all parallel calls labelled index 0",
    [
      begin({ index: 0, id: "c1" }),
      go({ index: 0 }, a1),
      go({ index: 0 }, a2),
      begin({ index: 0, id: "c2" }),
      go({ index: 0 }, b),
      ...finished,
    ],
    two,
  ),
  hazard(
    "all parallel calls labelled index 0, without ids",
    [begin({ index: 0 }), go({ index: 0 }, a1 + a2), begin({ index: 0 }, "Read", b), ...finished],
    [read("call_1_1", "/a"), read("call_1_2", "/b")],
  ),
  hazard(
    "all parallel calls labelled index 0, whole and in one delta",
    [
      chunk({
        tool_calls: [
          { index: 0, id: "c1", function: { name: "Read", arguments: a1 + a2 } },
          { index: 0, id: "c2", function: { name: "Read", arguments: b } },
        ],
      }),
      ...finished,
    ],
    two,
  ),
  hazard(
    "two calls without arguments, both index 0",
    [begin({ index: 0, id: "c1" }, "LS"), begin({ index: 0, id: "c2" }, "LS"), ...finished],
    [
      { type: "tool_use", id: "c1", name: "LS", input: {} },
      { type: "tool_use", id: "c2", name: "LS", input: {} },
    ],
  ),
  hazard("no index", [begin({ id: "c1" }), go({}, a1), go({}, a2), begin({ id: "c2" }), go({}, b), ...finished], two),
  hazard(
    "no index, but ids in each delta",
    [begin({ id: "c1" }), go({ id: "c1" }, a1), begin({ id: "c2" }), go({ id: "c2" }, b), go({ id: "c1" }, a2), ...finished],
    two,
  ),
  hazard(
    "no id",
    [begin({ index: 0 }), go({ index: 0 }, a1 + a2), begin({ index: 1 }), go({ index: 1 }, b), ...finished],
    [read("call_1_1", "/a"), read("call_1_2", "/b")],
  ),
  hazard(
    "the id comes after the name",
    [begin({ index: 0 }), go({ index: 0, id: "late" }, a1 + a2), ...finished],
    [read("call_1_1", "/a")],
  ),
  hazard("numeric id", [begin({ index: 0, id: 17 }), go({ index: 0, id: 17 }, a1 + a2), ...finished], [read("17", "/a")]),
  hazard(
    "index as text",
    [
      begin({ index: "0", id: "c1" }),
      begin({ index: "1", id: "c2" }),
      go({ index: "1" }, b),
      go({ index: "0" }, a1 + a2),
      ...finished,
    ],
    two,
  ),
  hazard(
    "the id changes in mid-call",
    [begin({ index: 0, id: "c1" }), go({ index: 0, id: "x" }, a1), go({ index: 0, id: "y" }, a2), ...finished],
    one,
  ),
  hazard(
    "the id changes in mid-call, with the name in each delta",
    [begin({ index: 0, id: "c1" }, "Read", a1), begin({ index: 0, id: "x" }, "Read", a2), ...finished],
    one,
  ),
  hazard(
    "the index changes in mid-call",
    [begin({ index: 0, id: "c1" }), go({ index: 1 }, a1), go({ index: 2 }, a2), ...finished],
    one,
  ),
  hazard(
    "the index changes in mid-call, the id stays",
    [begin({ index: 0, id: "c1" }), go({ index: 5, id: "c1" }, a1 + a2), ...finished],
    one,
  ),
  hazard(
    "two calls with the same id",
    [begin({ index: 0, id: "c" }, "Read", a1 + a2), begin({ index: 1, id: "c" }, "Read", b), ...finished],
    [read("c", "/a"), read("c_2", "/b")],
  ),
  hazard(
    "parallel calls, interleaved",
    [
      begin({ index: 0, id: "c1" }),
      begin({ index: 1, id: "c2" }),
      go({ index: 0 }, a1),
      go({ index: 1 }, b),
      go({ index: 0 }, a2),
      ...finished,
    ],
    two,
  ),
  hazard(
    "the name repeated in each delta",
    [
      begin({ index: 0, id: "c1" }),
      begin({ index: 0 }, "Read", a1),
      begin({ index: 0 }, "Read", a2),
      begin({ index: 0 }),
      ...finished,
    ],
    one,
  ),
  hazard(
    "arguments as an object",
    [call({ index: 0, id: "c1", function: { name: "Read", arguments: { path: "/a" } } }), ...finished],
    one,
  ),
  hazard("arguments encoded twice", [begin({ index: 0, id: "c1" }, "Read", JSON.stringify(a1 + a2)), ...finished], one),
  hazard(
    "empty-string arguments",
    [begin({ index: 0, id: "c1" }, "LS", ""), ...finished],
    [{ type: "tool_use", id: "c1", name: "LS", input: {} }],
  ),
  hazard(
    "arguments null",
    [call({ index: 0, id: "c1", function: { name: "LS", arguments: null } }), ...finished],
    [{ type: "tool_use", id: "c1", name: "LS", input: {} }],
  ),
  hazard(
    "arguments that are a list",
    Array.from({ length: 1 }, () => begin({ index: 0, id: "c1" }, "Read", "[1]")).concat(finished),
    [],
    {
      answers: Array.from({ length: 4 }, () => raw([begin({ index: 0, id: "c1" }, "Read", "[1]"), ...finished])),
      outcome: "error `bad_output` after 3 tries",
    },
  ),
  hazard("a call without a name", [], [], {
    answers: Array.from({ length: 4 }, () => raw([go({ index: 0, id: "c1" }, b), ...finished])),
    outcome: "error `bad_output` after 3 tries",
    tells: /without naming it/,
  }),
  hazard(
    "the old `function_call`",
    [
      chunk({ function_call: { name: "Read", arguments: a1 } }),
      chunk({ function_call: { arguments: a2 } }),
      chunk({}, "function_call"),
      done,
    ],
    [read("call_1_1", "/a")],
  ),
  hazard("no role", [chunk({ content: "hi" }), chunk({}, "stop"), done], [{ type: "text", text: "hi" }]),
  hazard("no finish reason, but `[DONE]`", [begin({ index: 0, id: "c1" }, "Read", a1 + a2), done], one),
  hazard("finish `stop` with tool calls", [begin({ index: 0, id: "c1" }, "Read", a1 + a2), chunk({}, "stop"), done], one),
  hazard("the finish reason comes with the last delta", [chunk({ content: "hi" }, "stop"), done], [{ type: "text", text: "hi" }]),
  hazard("`[DONE]` missing", [begin({ index: 0, id: "c1" }, "Read", a1 + a2), chunk({}, "tool_calls")], one),
  hazard("finish `error`", [], [{ type: "text", text: "hi" }], {
    answers: [raw([chunk({ content: "h" }), chunk({}, "error"), done]), raw([chunk({ content: "hi" }, "stop"), done])],
    outcome: "turn at the second try",
  }),
  ...["reasoning_content", "reasoning", "reasoning_text", "thinking"].map((field) =>
    hazard(
      `reasoning deltas under the name \`${field}\``,
      [chunk({ [field]: "hm" }), chunk({ [field]: "m", content: "hi" }), chunk({}, "stop"), done],
      [
        { type: "thinking", thinking: "hmm", replay: { wire: "chat", field } },
        { type: "text", text: "hi" },
      ],
    ),
  ),
  hazard(
    "content as a list of parts",
    [chunk({ content: [{ type: "text", text: "hi" }] }), chunk({}, "stop"), done],
    [{ type: "text", text: "hi" }],
  ),
  hazard("no stream, though one was asked for", [], [{ type: "text", text: "hi" }, ...one], {
    answers: [
      raw(
        [
          JSON.stringify({
            object: "chat.completion",
            choices: [
              {
                message: {
                  role: "assistant",
                  content: "hi",
                  tool_calls: [{ id: "c1", function: { name: "Read", arguments: a1 + a2 } }],
                },
                finish_reason: "tool_calls",
              },
            ],
          }),
        ],
        { headers: { "content-type": "application/json" } },
      ),
    ],
  }),
  hazard("an error as JSON with status 200", [], [], {
    answers: [
      raw([JSON.stringify({ error: { message: "bad key", code: "invalid_api_key" } })], {
        headers: { "content-type": "application/json" },
      }),
    ],
    outcome: "error `auth`",
    tells: /OPENAI_API_KEY/,
  }),
];
