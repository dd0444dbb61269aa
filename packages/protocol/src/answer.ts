// From what somebody typed to an answer that fits the question (D15); what does not fit is refused with what would.
import type { Json } from "./canonical-json.ts";
import { HapError } from "./errors.ts";
import { quote } from "./identifiers.ts";
import { parseWith } from "./parse.ts";
import {
  type Answer,
  type AskOption,
  answerSchema,
  type FieldValue,
  type FormField,
  isNo,
  isYes,
  type Question,
} from "./schema/ask.ts";

/** Take a structured answer, or a plain value: an option's key, label or number, yes or no, words, a form's values. */
export function parseAnswer(ask: Question, input: unknown): Answer {
  return parseWith(answerSchema(), readAnswer(ask, input), "The answer", "invalid_answer");
}

function readAnswer(ask: Question, input: unknown): Answer {
  const structured = answerSchema().safeParse(input);
  if (structured.success && structured.data.type === ask.type) return checkAnswer(ask, structured.data);
  if (typeof input === "object" && input !== null && "type" in input && ask.type !== "form") {
    throw refuse(`a ${ask.type} question is answered by ${exampleAnswer(ask)}`);
  }
  switch (ask.type) {
    case "text":
      if (typeof input !== "string") throw refuse(`a text question is answered by words, for example ${exampleAnswer(ask)}`);
      return checkAnswer(ask, { type: "text", text: input });
    case "confirm":
      return { type: "confirm", confirmed: parseYesNo(ask, input) };
    case "choice":
      return checkAnswer(ask, parseChoice(ask, input));
    case "form":
      if (typeof input !== "object" || input === null || Array.isArray(input))
        throw refuse(`a form is answered by ${exampleAnswer(ask)}`);
      return checkAnswer(ask, { type: "form", values: input as Record<string, FieldValue> });
  }
}

/** What a right answer looks like, as JSON, for error messages and help. */
export function exampleAnswer(ask: Question): string {
  switch (ask.type) {
    case "text":
      return '{"type":"text","text":"..."}';
    case "confirm":
      return '{"type":"confirm","confirmed":true} or yes or no';
    case "choice":
      return `{"type":"choice","choices":[${JSON.stringify(ask.options[0]?.key ?? "")}]} or one of ${listOptions(ask.options)}`;
    case "form":
      return JSON.stringify({
        type: "form",
        values: Object.fromEntries(ask.fields.map((field) => [field.key, exampleValue(field)])),
      });
  }
}

/** Words for an answer, as the agent and every face show it. */
export function answerWords(ask: Question, answer: Answer): string {
  switch (answer.type) {
    case "text":
      return answer.text;
    case "confirm": {
      const labels = ask.type === "confirm" ? ask : { confirm_label: "Confirm", cancel_label: "Cancel" };
      return answer.confirmed ? labels.confirm_label : labels.cancel_label;
    }
    case "choice": {
      const labels = ask.type === "choice" ? answer.choices.map((key) => labelOf(ask.options, key)) : answer.choices;
      return [...labels, ...(answer.other === undefined ? [] : [answer.other])].join(", ");
    }
    case "form":
      return formLines(ask.type === "form" ? ask.fields : [], answer.values).join("\n");
  }
}

/** A line for each field that has a value, in the form's order and in its labels: keys are for programs. */
function formLines(fields: readonly FormField[], values: Record<string, FieldValue>): string[] {
  const unknown = Object.keys(values).filter((key) => !fields.some((field) => field.key === key));
  const known = fields.filter(({ key }) => Object.hasOwn(values, key));
  return [
    ...known.map((field) => `${field.label}: ${valueWords(values[field.key] as FieldValue, field.options)}`),
    ...unknown.map((key) => `${key}: ${valueWords(values[key] as FieldValue)}`),
  ];
}

function valueWords(value: FieldValue, options: readonly AskOption[] = []): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return [value]
    .flat()
    .map((item) => labelOf(options, String(item)))
    .join(", ");
}

function labelOf(options: readonly AskOption[], key: string): string {
  return options.find((option) => option.key === key)?.label ?? key;
}

/** Plain words keep their meaning, whatever the agent called the two buttons. */
function parseYesNo(ask: Question & { type: "confirm" }, input: unknown): boolean {
  if (typeof input === "boolean") return input;
  const word = typeof input === "string" ? input : "";
  const is = (label: string) => word.trim().toLowerCase() === label.trim().toLowerCase();
  if (isYes(word) || is(ask.confirm_label)) return true;
  if (isNo(word) || is(ask.cancel_label)) return false;
  throw refuse(`answer yes (${ask.confirm_label}) or no (${ask.cancel_label})`);
}

/** Read typed words: options by key, label or number, and the rest as free text where it is allowed. In a list, keys come first. */
function parseChoice(ask: Question & { type: "choice" }, input: unknown): Answer {
  const whole = typeof input === "string" ? findOption(ask.options, input) : undefined;
  if (whole !== undefined) return { type: "choice", choices: [whole.key] };
  const parts =
    typeof input === "string" ? (ask.allow_multiple ? input.split(",").map((part) => part.trim()) : [input.trim()]) : input;
  if (!Array.isArray(parts)) throw refuse(`choose ${ask.allow_multiple ? "some" : "one"} of ${listOptions(ask.options)}`);
  const byKey = (part: unknown) => (Array.isArray(input) ? ask.options.find((option) => option.key === part) : undefined);
  const found = parts.map((part) => byKey(part) ?? (typeof part === "string" ? findOption(ask.options, part) : undefined));
  const choices = found.filter((option) => option !== undefined).map((option) => option.key);
  const rest = parts.filter((_, index) => found[index] === undefined);
  if (rest.length === 0) return { type: "choice", choices };
  if (ask.allow_other && rest.every((part) => typeof part === "string"))
    return { type: "choice", choices, other: choices.length === 0 && typeof input === "string" ? input : rest.join(", ") };
  throw refuse(`${quote(String(rest[0]))} is none of ${listOptions(ask.options)}`);
}

/** By key or label, in this case or any, else by number. A word that fits two options is refused, not guessed. */
function findOption(options: readonly AskOption[], text: string): AskOption | undefined {
  const word = text.trim();
  const found = [...new Set([...namedBy("key", options, word), ...namedBy("label", options, word)])];
  if (found.length > 1) throw refuse(`${quote(word)} fits more than one of ${listOptions(options)}; give its key in a list`);
  return found[0] ?? (/^[1-9][0-9]*$/.test(word) ? options[Number(word) - 1] : undefined);
}

function namedBy(part: "key" | "label", options: readonly AskOption[], word: string): AskOption[] {
  const exact = options.filter((option) => option[part].trim() === word);
  return exact.length > 0 ? exact : options.filter((option) => option[part].trim().toLowerCase() === word.toLowerCase());
}

/** Check a structured answer against its question; returns it with form values in their own types. */
function checkAnswer(ask: Question, answer: Answer): Answer {
  if (ask.type === "text" && answer.type === "text") {
    if (answer.text.trim() === "") throw refuse("it is empty");
    const length = [...answer.text].length;
    if (ask.max_length !== undefined && length > ask.max_length)
      throw refuse(`it has ${length} characters, at most ${ask.max_length} are allowed`);
  }
  if (ask.type === "choice" && answer.type === "choice") {
    const unknown = answer.choices.find((key) => !ask.options.some((option) => option.key === key));
    if (unknown !== undefined) throw refuse(`${quote(unknown)} is none of ${listOptions(ask.options)}`);
    if (answer.other !== undefined && !ask.allow_other)
      throw refuse(`choose from ${listOptions(ask.options)}; words of your own are not asked for`);
    if (answer.other?.trim() === "") throw refuse("the words of your own are empty");
    if (new Set(answer.choices).size !== answer.choices.length) throw refuse("an option is chosen twice");
    const count = answer.choices.length + (answer.other === undefined ? 0 : 1);
    if (count === 0) throw refuse(`choose ${ask.allow_multiple ? "at least one" : "one"} of ${listOptions(ask.options)}`);
    if (count > 1 && !ask.allow_multiple) throw refuse("choose only one");
  }
  if (ask.type === "form" && answer.type === "form") return { type: "form", values: checkForm(ask.fields, answer.values) };
  return answer;
}

function checkForm(fields: readonly FormField[], values: Record<string, FieldValue>): Record<string, FieldValue> {
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.key === key));
  if (unknown !== undefined)
    throw refuse(`${quote(unknown)} is no field of this form; its fields are ${fields.map((field) => field.key).join(", ")}`);
  const checked: Record<string, FieldValue> = {};
  for (const field of fields) {
    const value = (Object.hasOwn(values, field.key) ? values[field.key] : undefined) ?? field.default;
    if (value === undefined || value === "") {
      if (field.required) throw refuse(`${field.label} is missing`);
    } else checked[field.key] = checkField(field, value);
  }
  return checked;
}

function checkField(field: FormField, value: FieldValue): FieldValue {
  switch (field.kind) {
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isFinite(number))
        throw refuse(`${field.label} must be a number, not ${quote(String(value))}`);
      return number;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      if (typeof value === "string" && isYes(value)) return true;
      if (typeof value === "string" && isNo(value)) return false;
      throw refuse(`${field.label} must be yes or no, not ${quote(String(value))}`);
    case "choice": {
      const asked = {
        type: "choice" as const,
        options: field.options ?? [],
        allow_multiple: field.allow_multiple,
        allow_other: field.allow_other ?? false,
      };
      const answer = checkAnswer(asked, parseChoice(asked, value)) as Answer & { type: "choice" };
      const chosen = [...answer.choices, ...(answer.other === undefined ? [] : [answer.other])];
      return field.allow_multiple ? chosen : (chosen[0] as string);
    }
    case "text":
      if (typeof value !== "string") throw refuse(`${field.label} must be words, not ${quote(String(value))}`);
      return value;
  }
}

function exampleValue(field: FormField): Json {
  if (field.kind === "number") return 1;
  if (field.kind === "boolean") return true;
  if (field.kind === "choice") return field.allow_multiple ? [field.options?.[0]?.key ?? ""] : (field.options?.[0]?.key ?? "");
  return "...";
}

function listOptions(options: readonly AskOption[]): string {
  return options.map((option) => (option.key === option.label ? option.label : `${option.key} (${option.label})`)).join(", ");
}

function refuse(problem: string): HapError {
  return new HapError("invalid_answer", `The answer does not fit: ${problem}.`, { field: "answer" });
}
