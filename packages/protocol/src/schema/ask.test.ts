import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../test/refusal.ts";
import { parseWith } from "../parse.ts";
import { askSchema } from "./ask.ts";

const parse = (input: unknown) => parseWith(askSchema(), input, "The question");

describe("the full form", () => {
  test.each<[string, unknown, unknown]>([
    ["an approval", { type: "approval" }, { type: "approval", allow_edits: false }],
    ["a text", { type: "text", prompt: "Why?" }, { type: "text", prompt: "Why?" }],
    ["a confirmation", { type: "confirm" }, { type: "confirm", confirm_label: "Confirm", cancel_label: "Cancel" }],
    [
      "options that are words get numbers",
      { type: "choice", options: ["a", { label: "b" }, { id: "x", label: "c", description: "d" }] },
      {
        type: "choice",
        options: [
          { key: "1", label: "a" },
          { key: "2", label: "b" },
          { key: "x", label: "c", description: "d" },
        ],
        allow_multiple: false,
        allow_other: false,
      },
    ],
    [
      "fields get a key, a kind and are required",
      {
        type: "form",
        fields: [
          { label: "Name" },
          { key: "n", label: "N", kind: "number", required: false, default: 1 },
          { label: "C", options: ["a"], default: "1" },
        ],
      },
      {
        type: "form",
        fields: [
          { key: "Name", label: "Name", kind: "text", allow_multiple: false, required: true },
          { key: "n", label: "N", kind: "number", allow_multiple: false, required: false, default: 1 },
          {
            key: "C",
            label: "C",
            kind: "choice",
            options: [{ key: "1", label: "a" }],
            allow_multiple: false,
            required: true,
            default: "1",
          },
        ],
      },
    ],
    ["what nobody knows is dropped", { type: "text", later: 1 }, { type: "text" }],
  ])("[ASK-TYPE-1] %s", (_, input, full) => {
    expect(parse(input)).toEqual(full);
    expect(parse(full)).toEqual(full);
  });

  test("[ASK-TYPE-1] read again is the same, whatever was asked", () => {
    const label = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
    const option = fc.oneof(label, fc.record({ label, key: label, description: label }, { requiredKeys: ["label"] }));
    const field = fc.record(
      { label, key: label, options: fc.array(option), required: fc.boolean(), allow_multiple: fc.boolean() },
      { requiredKeys: ["label"] },
    );
    const anyAsk = fc.oneof(
      fc.record(
        { type: fc.constant("choice"), options: fc.array(option), allow_other: fc.boolean() },
        { requiredKeys: ["type", "options"] },
      ),
      fc.record({ type: fc.constant("form"), fields: fc.array(field) }),
      fc.record({ type: fc.constant("confirm"), confirm_label: label, cancel_label: label }),
    );
    fc.assert(
      fc.property(anyAsk, (input) => {
        const full = askSchema().safeParse(input);
        if (full.success) expect(askSchema().parse(full.data)).toEqual(full.data);
      }),
      { numRuns: 300 },
    );
  });
});

describe("[ASK-TYPE-1, INPUT-ERROR-1] what cannot be asked is refused with its place", () => {
  const hundred = Array.from({ length: 101 }, (_, i) => `o${i}`);
  test.each<[string, unknown, string, string]>([
    ["another type", { type: "poll" }, "type", 'must be one of approval, text, choice, confirm, form (got "poll")'],
    ["no type", {}, "type", "must be one of approval, text, choice, confirm, form (it is missing)"],
    ["words", "approve?", "", 'must be an object with a type (got "approve?")'],
    ["a choice without options", { type: "choice" }, "options", "must be a list of options (it is missing)"],
    ["a choice of nothing", { type: "choice", options: [] }, "options", "must have at least one option"],
    ["too many options", { type: "choice", options: hundred }, "options", "must have at most 100 options"],
    [
      "an option that is a number",
      { type: "choice", options: [1] },
      "options.0",
      "must be words of 1 to 200 characters, or an object with label and, if you like, key and description (got 1)",
    ],
    [
      "keys that are the same",
      { type: "choice", options: [{ key: "2", label: "a" }, "b"] },
      "options",
      "must have keys that differ",
    ],
    [
      "a default that is no key",
      { type: "choice", options: ["a"], default: "a" },
      "default",
      'must be the key of an option, or a list of keys where several may be chosen (got "a")',
    ],
    [
      "several defaults where one is asked",
      { type: "choice", options: ["a", "b"], default: ["1", "2"] },
      "default",
      "must be the key of an option, or a list of keys where several may be chosen",
    ],
    [
      "a yes that reads as a no",
      { type: "confirm", confirm_label: " NO" },
      "confirm_label",
      'must not read as a no, nor be like cancel_label, which must not read as a yes (got " NO")',
    ],
    [
      "a no that reads as a yes",
      { type: "confirm", cancel_label: "y" },
      "confirm_label",
      "must not read as a no, nor be like cancel_label, which must not read as a yes (it is missing)",
    ],
    [
      "buttons that are alike",
      { type: "confirm", confirm_label: "OK", cancel_label: "ok" },
      "confirm_label",
      'must not read as a no, nor be like cancel_label, which must not read as a yes (got "OK")',
    ],
    ["a form without fields", { type: "form", fields: [] }, "fields", "must have at least one field"],
    [
      "fields with one key",
      { type: "form", fields: [{ label: "a" }, { label: "b", key: "a" }] },
      "fields",
      "must have keys that differ",
    ],
    [
      "a choice field without options",
      { type: "form", fields: [{ label: "a", kind: "choice" }] },
      "fields.0",
      "a choice field needs options",
    ],
    [
      "a field of another kind",
      { type: "form", fields: [{ label: "a", kind: "date" }] },
      "fields.0.kind",
      'must be one of text, number, boolean, choice (got "date")',
    ],
    [
      "a default of another kind",
      { type: "form", fields: [{ label: "a", kind: "boolean", default: "yes" }] },
      "fields.0",
      "has a default that does not fit its kind",
    ],
    [
      "a key that would vanish",
      { type: "form", fields: [{ label: "__proto__" }] },
      "fields.0.key",
      "must be another word (it is missing)",
    ],
    ["a prompt with NUL", { type: "text", prompt: "\0" }, "prompt", 'must not hold NUL (got "\\u0000")'],
  ])("%s", (_, input, field, problem) => {
    expect(refusal(() => parse(input))).toEqual({
      code: "invalid_input",
      message: `The question cannot be taken: ${field === "" ? "the value" : field}${problem.startsWith("has ") ? "" : ":"} ${problem}.`,
      field,
    });
  });
});
