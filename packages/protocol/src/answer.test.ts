import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { answerWords, exampleAnswer, parseAnswer } from "./answer.ts";
import { type Answer, type AskInput, askSchema, type Question } from "./schema/ask.ts";

const question = (input: Exclude<AskInput, { type: "approval" }>) => askSchema().parse(input) as Question;

const text = question({ type: "text", max_length: 5 });
const confirm = question({ type: "confirm", confirm_label: "Ship it", cancel_label: "Hold" });
const plain = question({ type: "confirm" });
const color = question({
  type: "choice",
  options: [
    { key: "r", label: "Red" },
    { key: "g", label: "Green" },
    { key: "B", label: "Blue, light" },
  ],
});
const several = question({ type: "choice", options: ["One", "Two", "Three"], allow_multiple: true });
const open = question({ type: "choice", options: ["Yes", "No"], allow_other: true });
const swapped = question({
  type: "choice",
  options: [
    { key: "no", label: "Yes" },
    { key: "yes", label: "No" },
  ],
});
const numbers = question({ type: "choice", options: ["2", "1"] });
const form = question({
  type: "form",
  fields: [
    { label: "Name" },
    { key: "count", label: "How many", kind: "number", default: 3 },
    { key: "dry", label: "Dry run", kind: "boolean", required: false },
    { key: "region", label: "Region", options: ["eu", "us"] },
    { key: "tags", label: "Tags", options: ["a", "b"], allow_multiple: true, required: false },
  ],
});

describe("[ASK-VALID-1] answers that fit", () => {
  test.each<[string, Question, unknown, Answer]>([
    ["words", text, "so be", { type: "text", text: "so be" }],
    ["words, counted in characters and not in units", text, "😀😀😀😀😀", { type: "text", text: "😀😀😀😀😀" }],
    ["words in full form", text, { type: "text", text: "x" }, { type: "text", text: "x" }],
    ["yes", plain, "Yes", { type: "confirm", confirmed: true }],
    ["y with spaces", plain, " y ", { type: "confirm", confirmed: true }],
    ["no", plain, "no", { type: "confirm", confirmed: false }],
    ["true", plain, true, { type: "confirm", confirmed: true }],
    ["a button's words", confirm, "ship IT", { type: "confirm", confirmed: true }],
    ["the other button's words", confirm, "hold", { type: "confirm", confirmed: false }],
    ["a plain no, whatever the buttons say", confirm, "n", { type: "confirm", confirmed: false }],
    ["a confirmation in full form", confirm, { type: "confirm", confirmed: false }, { type: "confirm", confirmed: false }],
    ["an option's key", color, "g", { type: "choice", choices: ["g"] }],
    ["a key in another case", color, "R", { type: "choice", choices: ["r"] }],
    ["a label", color, "Red", { type: "choice", choices: ["r"] }],
    ["a label in another case", color, " blue, LIGHT ", { type: "choice", choices: ["B"] }],
    ["a number", color, "2", { type: "choice", choices: ["g"] }],
    ["a list of one", color, ["g"], { type: "choice", choices: ["g"] }],
    ["several, by number and label", several, "3, one", { type: "choice", choices: ["3", "1"] }],
    ["several as a list", several, ["Two", "1"], { type: "choice", choices: ["2", "1"] }],
    [
      "an option and words beside it",
      question({ type: "choice", options: ["A", "B", "C"], allow_multiple: true, allow_other: true }),
      "C, something else, and more",
      { type: "choice", choices: ["3"], other: "something else, and more" },
    ],
    [
      "a list with an option and words",
      question({ type: "choice", options: ["A", "B"], allow_multiple: true, allow_other: true }),
      ["B", "neither"],
      { type: "choice", choices: ["2"], other: "neither" },
    ],
    [
      "a field with options and words of one's own",
      question({
        type: "form",
        fields: [
          { label: "Env", options: ["prod", "staging"], allow_other: true },
          { label: "Tags", options: ["x", "y"], allow_multiple: true, allow_other: true },
        ],
      }),
      { Env: "my laptop", Tags: "y, z" },
      { type: "form", values: { Env: "my laptop", Tags: ["2", "z"] } },
    ],
    ["words of one's own", open, "Maybe", { type: "choice", choices: [], other: "Maybe" }],
    ["a choice in full form", open, { type: "choice", choices: [], other: "x" }, { type: "choice", choices: [], other: "x" }],
    ["a key that is another option's label, in a list", swapped, ["yes"], { type: "choice", choices: ["yes"] }],
    [
      "a form",
      form,
      { Name: "x", count: "4", dry: "yes", region: "EU", tags: "a,b" },
      { type: "form", values: { Name: "x", count: 4, dry: true, region: "1", tags: ["1", "2"] } },
    ],
    [
      "a form in full form, with a default",
      form,
      { type: "form", values: { Name: "x", region: "2" } },
      { type: "form", values: { Name: "x", count: 3, region: "2" } },
    ],
  ])("%s", (_, ask, input, answer) => {
    expect(parseAnswer(ask, input)).toEqual(answer);
  });
});

describe("[ASK-VALID-1] answers that do not fit say what would", () => {
  const colors = "r (Red), g (Green), B (Blue, light)";
  test.each<[string, Question, unknown, string]>([
    ["nothing", text, "", "it is empty"],
    ["spaces", text, " \n", "it is empty"],
    ["too many words", text, "sixsix", "it has 6 characters, at most 5 are allowed"],
    ["a number for words", text, 5, 'a text question is answered by words, for example {"type":"text","text":"..."}'],
    ["null", text, null, 'a text question is answered by words, for example {"type":"text","text":"..."}'],
    [
      "another kind of answer",
      text,
      { type: "confirm", confirmed: true },
      'a text question is answered by {"type":"text","text":"..."}',
    ],
    ["perhaps", confirm, "perhaps", "answer yes (Ship it) or no (Hold)"],
    ["a number for yes", confirm, 1, "answer yes (Ship it) or no (Hold)"],
    [
      "an unfinished full form",
      confirm,
      { type: "confirm" },
      'a confirm question is answered by {"type":"confirm","confirmed":true} or yes or no',
    ],
    ["no option", color, "x", `"x" is none of ${colors}`],
    ["a number past the end", color, "4", `"4" is none of ${colors}`],
    ["number zero", color, "0", `"0" is none of ${colors}`],
    ["an empty text", color, "", `"" is none of ${colors}`],
    ["two where one is asked", color, ["r", "g"], "choose only one"],
    ["none", color, [], `choose one of ${colors}`],
    ["a number, not its digits", color, 2, `choose one of ${colors}`],
    ["a list of numbers", color, [2], `"2" is none of ${colors}`],
    ["an unknown key in full form", color, { type: "choice", choices: ["Red"] }, `"Red" is none of ${colors}`],
    ["one twice", several, "1,One", "an option is chosen twice"],
    [
      "words of one's own where none are asked",
      color,
      { type: "choice", choices: [], other: "x" },
      `choose from ${colors}; words of your own are not asked for`,
    ],
    ["empty words of one's own", open, " ", "the words of your own are empty"],
    [
      "both an option and other words where one is asked",
      open,
      { type: "choice", choices: ["1"], other: "x" },
      "choose only one",
    ],
    [
      "a word that is one option's key and another's label",
      swapped,
      "yes",
      '"yes" fits more than one of no (Yes), yes (No); give its key in a list',
    ],
    [
      "a number that is one option's key and another's label",
      numbers,
      "1",
      '"1" fits more than one of 1 (2), 2 (1); give its key in a list',
    ],
    ["words for a form", form, "x", `a form is answered by ${exampleAnswer(form)}`],
    ["a form without a field that it needs", form, { region: "eu" }, "Name is missing"],
    ["an empty field that is needed", form, { Name: "", region: "eu" }, "Name is missing"],
    [
      "a field that is not there",
      form,
      { Name: "x", region: "eu", extra: 1 },
      '"extra" is no field of this form; its fields are Name, count, dry, region, tags',
    ],
    ["no number", form, { Name: "x", region: "eu", count: "many" }, 'How many must be a number, not "many"'],
    ["an infinite number", form, { Name: "x", region: "eu", count: "1e999" }, 'How many must be a number, not "1e999"'],
    ["no yes or no", form, { Name: "x", region: "eu", dry: ["yes"] }, 'Dry run must be yes or no, not "yes"'],
    ["no words", form, { Name: {}, region: "eu" }, 'Name must be words, not "[object Object]"'],
    ["no option of a field", form, { Name: "x", region: "asia" }, '"asia" is none of 1 (eu), 2 (us)'],
  ])("%s", (_, ask, input, problem) => {
    expect(refusal(() => parseAnswer(ask, input))).toEqual({
      code: "invalid_answer",
      message: `The answer does not fit: ${problem}.`,
      field: "answer",
    });
  });

  test.each<[string, Question, unknown, string, string]>([
    ["NUL", text, "a\0", "text", 'text: must not hold NUL (got "a\\u0000")'],
    ["half a surrogate pair", open, "\ud800", "other", 'other: must not hold half of a surrogate pair (got "\\ufffd")'],
    ["NUL in a form", form, { Name: "\0", region: "eu" }, "values.Name", 'values.Name: must not hold NUL (got "\\u0000")'],
  ])("[INPUT-TEXT-1] %s is refused with its place", (_, ask, input, field, problem) => {
    expect(refusal(() => parseAnswer(ask, input))).toEqual({
      code: "invalid_answer",
      message: `The answer cannot be taken: ${problem}.`,
      field,
    });
  });

  test("a field whose key is a word of JavaScript is missing when it is not given", () => {
    const odd = question({ type: "form", fields: [{ label: "constructor" }] });
    expect(refusal(() => parseAnswer(odd, {})).message).toBe("The answer does not fit: constructor is missing.");
  });
});

describe("properties", () => {
  const label = fc
    .string({ unit: fc.constantFrom("a", "B", " ", "1", "2", ",", "é"), minLength: 1, maxLength: 4 })
    .filter((word) => word.trim() !== "");
  const anyChoice = fc
    .record({ options: fc.array(label, { minLength: 1, maxLength: 5 }), allow_multiple: fc.boolean(), allow_other: fc.boolean() })
    .map((input) => question({ type: "choice", ...input }));

  test("an answer that was taken is taken again, as it is", () => {
    fc.assert(
      fc.property(anyChoice, fc.oneof(label, fc.array(label)), (ask, input) => {
        let answer: Answer;
        try {
          answer = parseAnswer(ask, input);
        } catch {
          return;
        }
        expect(parseAnswer(ask, answer)).toEqual(answer);
        expect(answerWords(ask, answer)).not.toBe("");
      }),
    );
  });

  test("a typed word never chooses an option that it does not name", () => {
    fc.assert(
      fc.property(anyChoice, label, (ask, word) => {
        if (ask.type !== "choice") return;
        let answer: Answer;
        try {
          answer = parseAnswer({ ...ask, allow_multiple: false, allow_other: false }, word);
        } catch {
          return;
        }
        const chosen = ask.options.find((option) => answer.type === "choice" && option.key === answer.choices[0]);
        const named = [chosen?.key, chosen?.label].some((name) => name?.trim().toLowerCase() === word.trim().toLowerCase());
        expect(named || String(ask.options.indexOf(chosen as never) + 1) === word.trim()).toBe(true);
      }),
    );
  });

  test("no always means no to a confirmation, whatever the agent called its buttons", () => {
    const labels = fc.oneof(label, fc.constantFrom("No", " yes", "Y", "n", "FALSE", "true"));
    fc.assert(
      fc.property(labels, labels, (confirm_label, cancel_label) => {
        const parsed = askSchema().safeParse({ type: "confirm", confirm_label, cancel_label });
        if (!parsed.success) return;
        for (const word of ["no", "N", "false"])
          expect(parseAnswer(parsed.data as Question, word)).toEqual({ type: "confirm", confirmed: false });
        for (const word of ["yes", "Y", "true"])
          expect(parseAnswer(parsed.data as Question, word)).toEqual({ type: "confirm", confirmed: true });
      }),
    );
  });

  test("the example of each question is a right answer to it", () => {
    for (const ask of [text, confirm, color, several, open, form]) {
      const example = exampleAnswer(ask).split(" or ")[0] as string;
      expect(parseAnswer(ask, JSON.parse(example))).toMatchObject({ type: ask.type });
    }
  });
});

test("[ASK-WORDS-1] an answer in words, as agents and faces tell it: labels, in the order of the form", () => {
  expect(answerWords(text, { type: "text", text: "so" })).toBe("so");
  expect(answerWords(confirm, { type: "confirm", confirmed: true })).toBe("Ship it");
  expect(answerWords(confirm, { type: "confirm", confirmed: false })).toBe("Hold");
  expect(answerWords(open, { type: "choice", choices: ["2"], other: "later" })).toBe("No, later");
  expect(answerWords(form, { type: "form", values: { tags: ["1", "2"], Name: "x", region: "2", count: 4, dry: true } })).toBe(
    "Name: x\nHow many: 4\nDry run: yes\nRegion: us\nTags: a, b",
  );
  expect(answerWords(text, { type: "form", values: { tags: ["1", "2"], dry: false } })).toBe("tags: 1, 2\ndry: no");
});
