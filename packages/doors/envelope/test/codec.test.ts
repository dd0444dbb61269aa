// Reading questions and writing replies, in both dialects (D27).
import { isHapError, parseAnswer, type Question } from "@hap/protocol";
import { describe, expect, it } from "vitest";
import {
  errorSchema,
  readQuestion,
  responseSchema,
  strictProblem,
  writeError,
  writeRefusal,
  writeResponse,
} from "../src/index.ts";
import { changed, normative, plain } from "./examples.ts";

const stamp = { id: "msg-1", time: "2026-01-31T10:00:00Z" };

function refusal(value: unknown): string {
  try {
    readQuestion(value);
  } catch (error) {
    if (isHapError(error)) return error.message;
    throw error;
  }
  throw new Error("it was taken");
}

describe("[QUESTION-DIALECT-1] a question", () => {
  it("is read in both dialects, and refuses nothing of the examples", () => {
    expect(readQuestion(plain)).toMatchObject({
      dialect: "plain",
      id: plain.id,
      asker: "SR",
      ask: { type: "choice", allow_other: true, options: plain.payload.data.options },
      timeoutSeconds: null,
      warnings: [],
    });
    expect(readQuestion(normative)).toMatchObject({
      dialect: "normative",
      asker: "human:writer",
      ask: {
        type: "choice",
        prompt:
          "What tone should the opening have?\n\nThree drafts are there.\n\nContext: hot_cold: hot, tu: TU-2025-11-07-PW01, loop: Story Spark\nSafety: player_safe: false, spoilers: allowed",
        options: [{ label: "Gritty" }, { label: "Hopeful" }],
      },
    });
  });

  it("shows the reference example's context, which is an object, and its safety", () => {
    const example = changed(normative, (copy) =>
      Object.assign(copy.payload.data, { context: { hook_id: "HK-20251030-01" }, suggestions: ["morally_gray", "antagonistic"] }),
    );
    const { ask } = readQuestion(example);
    expect(ask.prompt).toContain("hook_id: HK-20251030-01");
    expect(ask.prompt).toContain("Safety: player_safe: false, spoilers: allowed");
    expect(strictProblem(example)).toBeNull();
  });

  it.each<[string, object, string, string]>([
    ["the plain dialect", plain, "validation_error", "protocol"],
    [
      "another protocol",
      changed(normative, (copy) => Object.assign(copy.protocol, { name: "other" })),
      "validation_error",
      "protocol.name",
    ],
    [
      "an unknown role",
      changed(normative, (copy) => Object.assign(copy.sender, { role: "XX" })),
      "validation_error",
      "sender.role",
    ],
    ["a date without a time", { ...normative, time: "2025-10-30" }, "validation_error", "time"],
    [
      "a malformed unit",
      changed(normative, (copy) => Object.assign(copy.context, { tu: "TU-123" })),
      "validation_error",
      "context.tu",
    ],
    [
      "an unknown loop",
      changed(normative, (copy) => Object.assign(copy.context, { loop: "Nap" })),
      "validation_error",
      "context.loop",
    ],
    ["hot words to PN", { ...normative, receiver: { role: "PN" } }, "business_rule_violation", "hot_cold"],
  ])("[QUESTION-STRICT-1] under --strict %s is refused with the original's code", (_, envelope, code, field) => {
    const problem = strictProblem(envelope);
    expect(problem).toMatchObject({ code, message: expect.stringContaining(field) });
  });

  it("is answered in its own dialect, with reply_to its id and context and safety mirrored", () => {
    const question = readQuestion(plain);
    const chosen = writeResponse(question, { type: "choice", choices: ["B"] }, "human:alex", "but be quick", stamp);
    expect(chosen).toEqual({
      protocol: "questfoundry/1.0.0",
      ...stamp,
      sender: "human",
      receiver: "SR",
      intent: "human.response",
      correlation_id: plain.id,
      reply_to: plain.id,
      context: plain.context,
      safety: plain.safety,
      payload: {
        type: "response",
        data: { choice: "B", answer: "Fleshen out an existing idea (Lore Deepening)", notes: "but be quick" },
      },
    });
    const other = writeResponse(question, { type: "choice", choices: [], other: "Neither" }, "human:alex", null, stamp);
    expect(other).toMatchObject({ payload: { data: { answer: "Neither" } } });
    expect(responseSchema.safeParse(chosen).success && responseSchema.safeParse(other).success).toBe(true);
    const reply = writeResponse(readQuestion(normative), { type: "choice", choices: ["2"] }, "human:alex", null, stamp);
    expect(reply).toEqual({
      protocol: normative.protocol,
      ...stamp,
      sender: { role: "SR", agent: "human:alex" },
      receiver: normative.sender,
      intent: "human.response",
      correlation_id: "corr-20251107-1",
      reply_to: normative.id,
      context: normative.context,
      safety: normative.safety,
      payload: { type: "none", data: { choice: "Hopeful", answer: "Hopeful" } },
    });
    expect(responseSchema.safeParse(reply).success).toBe(true);
  });

  it("without options is answered in words", () => {
    for (const options of [[], undefined, null]) {
      const open = readQuestion(changed(plain, (copy) => Object.assign(copy.payload.data, { options })));
      expect(open.ask).toMatchObject({ type: "text" });
      expect(writeResponse(open, { type: "text", text: "Both" }, "human:alex", null, stamp)).toMatchObject({
        payload: { data: { answer: "Both" } },
      });
    }
  });
});

describe("[QUESTION-RUN-1] a default", () => {
  it("is preselected by key or label, and is no answer", () => {
    for (const preset of ["B", plain.payload.data.options[1]?.label]) {
      const question = readQuestion(changed(plain, (copy) => Object.assign(copy.payload.data, { default: preset })));
      expect(question.ask).toMatchObject({ default: "B" });
      expect(() => parseAnswer(question.ask as Question, "")).toThrow();
    }
    const unknown = readQuestion(changed(plain, (copy) => Object.assign(copy.payload.data, { default: "Z" })));
    expect(unknown.ask).not.toHaveProperty("default");
    expect(unknown.warnings).toContain('default "Z" is none of the options');
  });
});

describe("[QUESTION-REFUSE-1] a malformed envelope", () => {
  it.each<[string, unknown, string]>([
    ["no object", "text", "the value"],
    ["no protocol", changed(plain, (copy) => Reflect.deleteProperty(copy, "protocol")), "protocol"],
    ["no time", changed(plain, (copy) => Object.assign(copy, { time: "now" })), "time"],
    ["no text", changed(plain, (copy) => Object.assign(copy.payload.data, { question_text: " " })), "question_text"],
    ["a wrong payload type", changed(plain, (copy) => Object.assign(copy.payload, { type: "none" })), "payload.type"],
    [
      "options without labels",
      changed(plain, (copy) => Object.assign(copy.payload.data, { options: [{ key: "A" }] })),
      "payload.data.options.0.label",
    ],
    ["options that are no list", changed(plain, (copy) => Object.assign(copy.payload.data, { options: "A" })), "options"],
    ["no payload", changed(plain, (copy) => Reflect.deleteProperty(copy, "payload")), "payload"],
    ["no time to answer", changed(plain, (copy) => Object.assign(copy.payload.data, { timeout_seconds: 0 })), "timeout_seconds"],
    ["a receiver that is no object", changed(normative, (copy) => Object.assign(copy, { receiver: "all" })), "receiver"],
    ["no safety", changed(plain, (copy) => Reflect.deleteProperty(copy, "safety")), "safety"],
    ["a short id", changed(normative, (copy) => Object.assign(copy, { id: "q1" })), "id"],
    ["no temperature", changed(normative, (copy) => Object.assign(copy, { context: {} })), "context.hot_cold"],
    ["wrong spoilers", changed(normative, (copy) => Object.assign(copy.safety, { spoilers: "maybe" })), "safety.spoilers"],
    ["a sender without a role", changed(normative, (copy) => Object.assign(copy, { sender: {} })), "sender.role"],
  ])("with %s is refused by field", (_, value, field) => {
    expect(refusal(value)).toContain(field);
    expect(refusal(value)).not.toMatch(/Invalid|expected/);
    const reply = writeRefusal(value, refusal(value), stamp);
    expect(reply).toMatchObject({ intent: "error", payload: { data: { code: "invalid_envelope" } } });
    expect(errorSchema.safeParse(reply).success).toBe(true);
  });

  it("is told whose question it was, as far as that can be read", () => {
    expect(writeRefusal({ ...plain, time: 1 }, "wrong", stamp)).toMatchObject({
      reply_to: plain.id,
      correlation_id: plain.id,
      receiver: "SR",
    });
    expect(writeError(readQuestion(normative), "timeout", "Nobody came.", stamp)).toMatchObject({
      intent: "error",
      reply_to: normative.id,
      receiver: normative.sender,
      payload: { type: "none", data: { code: "timeout", message: "Nobody came." } },
    });
  });
});

it("[QUESTION-RULES-1] a question that breaks the rules is taken, with a warning", () => {
  const many = changed(plain, (copy) => {
    copy.payload.data.question_text = "This? Or that? Or what?";
    copy.payload.data.options = ["A", "B", "C", "D", "E"].map((key) => ({ key, label: key }));
  });
  expect(readQuestion(many).warnings).toEqual([expect.stringContaining("one question"), expect.stringContaining("two to four")]);
});
