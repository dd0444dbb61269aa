// Questions and their answers (D15): input.ask is read into its full form, then input.answer must fit it.
import { askSchema, type Json, parseAnswer, parseWith, type Question } from "@hap/protocol";
import { invalid, type Suite, valid } from "../vector.ts";

const text: Json = { type: "text", prompt: "Why?", max_length: 5 };
const confirm: Json = { type: "confirm", text: "Deploy?", confirm_label: "Ship it", cancel_label: "Hold" };
const color: Json = {
  type: "choice",
  options: [
    { key: "r", label: "Red" },
    { key: "g", label: "Green" },
  ],
};
const several: Json = { type: "choice", options: ["One", "Two", "Three"], allow_multiple: true };
const open: Json = { type: "choice", options: ["Yes", "No"], allow_other: true };
const swapped: Json = {
  type: "choice",
  options: [
    { key: "no", label: "Yes" },
    { key: "yes", label: "No" },
  ],
};
const form: Json = {
  type: "form",
  fields: [
    { label: "Name" },
    { key: "count", label: "How many", kind: "number", default: 3 },
    { key: "dry", label: "Dry run", kind: "boolean", required: false },
    { key: "region", label: "Region", options: ["eu", "us"] },
  ],
};

export const answers: Suite = {
  name: "answers",
  description:
    "output.answer is the answer as it is kept. A question that cannot be asked is refused with invalid_input, an answer that does not fit with invalid_answer.",
  flags: {
    Text: "free text",
    Confirm: "yes or no",
    Choice: "one or several options",
    Form: "typed fields",
    Structured: "the answer in its full form",
    Typed: "the answer as somebody types it",
    Question: "the question itself is wrong",
    Ambiguous: "more than one reading",
  },
  cases: [
    valid("words", { ask: text, answer: "so be" }, "Text", "Typed"),
    valid("five characters of two units each", { ask: text, answer: "😀😀😀😀😀" }, "Text", "Typed"),
    valid("words in full form", { ask: text, answer: { type: "text", text: "x" } }, "Text", "Structured"),
    valid("yes", { ask: confirm, answer: "yes" }, "Confirm", "Typed"),
    valid("N", { ask: confirm, answer: " N " }, "Confirm", "Typed"),
    valid("the label", { ask: confirm, answer: "ship it" }, "Confirm", "Typed"),
    valid("false", { ask: confirm, answer: false }, "Confirm", "Typed"),
    valid("a confirmation in full form", { ask: confirm, answer: { type: "confirm", confirmed: true } }, "Confirm", "Structured"),
    valid("a key", { ask: color, answer: "g" }, "Choice", "Typed"),
    valid("a label in another case", { ask: color, answer: "RED" }, "Choice", "Typed"),
    valid("a number", { ask: color, answer: "2" }, "Choice", "Typed"),
    valid("several", { ask: several, answer: "3,one" }, "Choice", "Typed"),
    valid("other words", { ask: open, answer: "Maybe" }, "Choice", "Typed"),
    valid("a key that is another's label, in a list", { ask: swapped, answer: ["yes"] }, "Choice", "Ambiguous"),
    valid("a form", { ask: form, answer: { Name: "x", count: "4", dry: "no", region: "EU" } }, "Form", "Typed"),
    valid(
      "a form with its default",
      { ask: form, answer: { type: "form", values: { Name: "x", region: "2" } } },
      "Form",
      "Structured",
    ),
    invalid("nothing", { ask: text, answer: "" }, "Text", "Typed"),
    invalid("spaces", { ask: text, answer: " \n " }, "Text", "Typed"),
    invalid("too long", { ask: text, answer: "sixsix" }, "Text", "Typed"),
    invalid("a number for words", { ask: text, answer: 5 }, "Text", "Typed"),
    invalid("null", { ask: text, answer: null }, "Text", "Typed"),
    invalid("NUL", { ask: text, answer: "\0" }, "Text", "Typed"),
    invalid("another kind of answer", { ask: text, answer: { type: "confirm", confirmed: true } }, "Text", "Structured"),
    invalid("perhaps", { ask: confirm, answer: "perhaps" }, "Confirm", "Typed"),
    invalid("1 for yes", { ask: confirm, answer: 1 }, "Confirm", "Typed"),
    invalid("an unfinished answer", { ask: confirm, answer: { type: "confirm" } }, "Confirm", "Structured"),
    invalid("no such option", { ask: color, answer: "blue" }, "Choice", "Typed"),
    invalid("number 0", { ask: color, answer: "0" }, "Choice", "Typed"),
    invalid("a number past the end", { ask: color, answer: "3" }, "Choice", "Typed"),
    invalid("two where one is asked", { ask: color, answer: ["r", "g"] }, "Choice", "Typed"),
    invalid("none", { ask: color, answer: [] }, "Choice", "Typed"),
    invalid("a label in full form", { ask: color, answer: { type: "choice", choices: ["Red"] } }, "Choice", "Structured"),
    invalid(
      "other words where none are asked",
      { ask: color, answer: { type: "choice", choices: [], other: "x" } },
      "Choice",
      "Structured",
    ),
    invalid("one option twice", { ask: several, answer: "1,One" }, "Choice", "Typed"),
    invalid(
      "an option and other words where one is asked",
      { ask: open, answer: { type: "choice", choices: ["1"], other: "x" } },
      "Choice",
      "Structured",
    ),
    invalid("one option's key and another's label", { ask: swapped, answer: "yes" }, "Choice", "Ambiguous"),
    invalid(
      "a number that is one option's key and another's label",
      { ask: { type: "choice", options: ["2", "1"] }, answer: "1" },
      "Choice",
      "Ambiguous",
    ),
    invalid("a field is missing", { ask: form, answer: { region: "eu" } }, "Form", "Typed"),
    invalid("a field is empty", { ask: form, answer: { Name: "", region: "eu" } }, "Form", "Typed"),
    invalid("a field too many", { ask: form, answer: { Name: "x", region: "eu", extra: 1 } }, "Form", "Typed"),
    invalid("no number", { ask: form, answer: { Name: "x", region: "eu", count: "many" } }, "Form", "Typed"),
    invalid("no yes or no", { ask: form, answer: { Name: "x", region: "eu", dry: "perhaps" } }, "Form", "Typed"),
    invalid("no option of the field", { ask: form, answer: { Name: "x", region: "asia" } }, "Form", "Typed"),
    invalid("words for a form", { ask: form, answer: "x" }, "Form", "Typed"),
    invalid("an unknown type", { ask: { type: "poll" }, answer: "x" }, "Question"),
    invalid("no options", { ask: { type: "choice", options: [] }, answer: "1" }, "Question", "Choice"),
    invalid(
      "two options with one key",
      { ask: { type: "choice", options: [{ key: "2", label: "a" }, "b"] }, answer: "1" },
      "Question",
      "Choice",
    ),
    invalid(
      "a default that is no option",
      { ask: { type: "choice", options: ["a"], default: "b" }, answer: "1" },
      "Question",
      "Choice",
    ),
    invalid("a yes called No", { ask: { type: "confirm", confirm_label: "No" }, answer: "yes" }, "Question", "Confirm"),
    invalid("a no called Yes", { ask: { type: "confirm", cancel_label: "yes" }, answer: "yes" }, "Question", "Confirm"),
    invalid("no fields", { ask: { type: "form", fields: [] }, answer: {} }, "Question", "Form"),
    invalid(
      "two fields with one key",
      { ask: { type: "form", fields: [{ label: "a" }, { label: "a" }] }, answer: { a: "x" } },
      "Question",
      "Form",
    ),
    invalid(
      "a default of another kind",
      { ask: { type: "form", fields: [{ label: "a", kind: "number", default: "x" }] }, answer: {} },
      "Question",
      "Form",
    ),
  ],
  run: (input) => {
    const { ask, answer } = input as { ask: Json; answer: Json };
    return { answer: parseAnswer(parseWith(askSchema(), ask, "The question") as Question, answer) } as Json;
  },
};
