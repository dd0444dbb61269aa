// human.question envelopes and their replies (D27), in both dialects.
import { readQuestion, writeResponse } from "@hap/door-envelope";
import { type Answer, type Json, parseAnswer, type Question } from "@hap/protocol";
import { invalid, type Suite, valid } from "../vector.ts";

const options: Json = [
  { key: "A", label: "Proactively build a new part of the world (World Genesis)" },
  { key: "B", label: "Fleshen out an existing idea (Lore Deepening)" },
];
const data: Record<string, Json> = { question_text: "I see you want to work on 'worldbuilding.' Which did you mean?", options };
const plain: Record<string, Json> = {
  protocol: "questfoundry/1.0.0",
  id: "msg-20251112-093000-sr123",
  time: "2025-11-12T09:30:00Z",
  sender: "SR",
  receiver: "human",
  intent: "human.question",
  context: { tu_id: "TU-20251112-SR01" },
  safety: { player_safe: false, sot: "hot" },
  payload: { type: "question", data },
};
const suggested: Record<string, Json> = { question: "What tone should the opening have?", suggestions: ["Gritty", "Hopeful"] };
const normative: Record<string, Json> = {
  protocol: { name: "qf-protocol", version: "1.0.0" },
  id: "urn:uuid:550e8400-e29b-41d4-a716-446655440000",
  time: "2025-11-07T10:15:00+01:00",
  sender: { role: "PW", agent: "human:writer" },
  receiver: { role: "SR" },
  intent: "human.question",
  correlation_id: "corr-20251107-1",
  context: { hot_cold: "hot", tu: "TU-2025-11-07-PW01" },
  safety: { player_safe: false, spoilers: "allowed" },
  payload: { type: "none", data: suggested },
};
const without = (envelope: Record<string, Json>, field: string): Json =>
  Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== field));
const asks = (envelope: Record<string, Json>, type: string, content: Record<string, Json>): Json => ({
  ...envelope,
  payload: { type, data: content },
});

export const humanQuestion: Suite = {
  name: "human-question",
  description:
    "output.reply is the envelope that answers input.envelope with input.answer, given by human:alex with input.notes, with the id msg-reply and the time 2026-01-31T10:00:00Z. output.ask is the question as a ticket has it, without its full form's defaults.",
  flags: {
    Plain: "the dialect with strings",
    Normative: "the dialect with roles",
    Choice: "an option is chosen",
    Words: "words of the person's own",
    Default: "a default is preselected",
    Shape: "the envelope is malformed",
    Answer: "the answer does not fit",
  },
  cases: [
    valid("the example of the plain dialect", { envelope: plain, answer: "B", notes: null }, "Plain", "Choice"),
    valid(
      "an option by its label, with notes",
      { envelope: plain, answer: "Fleshen out an existing idea (Lore Deepening)", notes: "soon" },
      "Plain",
      "Choice",
    ),
    valid("words that fit no option", { envelope: plain, answer: "Neither", notes: null }, "Plain", "Words"),
    valid(
      "an open question",
      { envelope: asks(plain, "question", { ...data, options: [] }), answer: "Both", notes: null },
      "Plain",
      "Words",
    ),
    valid(
      "a default by key",
      { envelope: asks(plain, "question", { ...data, default: "A" }), answer: "B", notes: null },
      "Plain",
      "Default",
    ),
    valid(
      "a correlation of its own and unknown fields",
      { envelope: { ...plain, correlation_id: "c-1", extra: [1] }, answer: "A", notes: null },
      "Plain",
      "Choice",
    ),
    valid("the normative dialect", { envelope: normative, answer: "Hopeful", notes: null }, "Normative", "Choice"),
    valid("a suggestion by its number", { envelope: normative, answer: "1", notes: "or so" }, "Normative", "Choice"),
    valid("words beside suggestions", { envelope: normative, answer: "Bittersweet", notes: null }, "Normative", "Words"),
    valid(
      "no suggestions",
      { envelope: asks(normative, "none", { question: "Why?" }), answer: "Because", notes: null },
      "Normative",
      "Words",
    ),
    ...["protocol", "id", "time", "sender", "receiver", "context", "safety", "payload"].flatMap((field) => [
      invalid(`plain, without ${field}`, { envelope: without(plain, field), answer: "A", notes: null }, "Plain", "Shape"),
      ...(field === "protocol"
        ? []
        : [
            invalid(
              `normative, without ${field}`,
              { envelope: without(normative, field), answer: "1", notes: null },
              "Normative",
              "Shape",
            ),
          ]),
    ]),
    invalid("another intent", { envelope: { ...plain, intent: "tu.open" }, answer: "A", notes: null }, "Plain", "Shape"),
    invalid(
      "an empty question",
      { envelope: asks(plain, "question", { question_text: " " }), answer: "A", notes: null },
      "Plain",
      "Shape",
    ),
    invalid(
      "an option without a label",
      { envelope: asks(plain, "question", { ...data, options: [{ key: "A" }] }), answer: "A", notes: null },
      "Plain",
      "Shape",
    ),
    invalid("a time that is none", { envelope: { ...plain, time: "yesterday" }, answer: "A", notes: null }, "Plain", "Shape"),
    invalid(
      "a version that is none",
      { envelope: { ...plain, protocol: "questfoundry" }, answer: "A", notes: null },
      "Plain",
      "Shape",
    ),
    invalid("a short id", { envelope: { ...normative, id: "q1" }, answer: "1", notes: null }, "Normative", "Shape"),
    invalid(
      "neither hot nor cold",
      { envelope: { ...normative, context: { hot_cold: "warm" } }, answer: "1", notes: null },
      "Normative",
      "Shape",
    ),
    invalid(
      "suggestions that are no texts",
      { envelope: asks(normative, "none", { ...suggested, suggestions: [1] }), answer: "1", notes: null },
      "Normative",
      "Shape",
    ),
    invalid(
      "no answer to an open question",
      { envelope: asks(plain, "question", { question_text: "Why?" }), answer: " ", notes: null },
      "Plain",
      "Answer",
    ),
    invalid(
      "no answer beside a default",
      { envelope: asks(plain, "question", { ...data, default: "A" }), answer: " ", notes: null },
      "Plain",
      "Answer",
      "Default",
    ),
    invalid("two options", { envelope: normative, answer: ["1", "2"], notes: null }, "Normative", "Answer"),
  ],
  run: (input) => {
    const { envelope, answer, notes } = input as { envelope: Json; answer: Json; notes: string | null };
    const question = readQuestion(envelope);
    const given: Answer = parseAnswer({ allow_multiple: false, ...question.ask } as Question, answer);
    const reply = writeResponse(question, given, "human:alex", notes, { id: "msg-reply", time: "2026-01-31T10:00:00Z" });
    return { ask: question.ask as Json, reply: reply as Json };
  },
};
