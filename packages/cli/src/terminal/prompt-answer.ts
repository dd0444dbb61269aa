// Asks for an answer in the terminal, by the kind of question. Prompts go to standard error: standard output is for results.
import * as clack from "@clack/prompts";
import {
  type Answer,
  type AskOption,
  type FieldValue,
  type FormField,
  HapError,
  parseAnswer,
  type Question,
  showInvisible,
} from "@hap/protocol";
import { Interrupted } from "../failure.ts";
import { oneLine } from "../show/agent-text.ts";

const output = process.stderr;
/** A key that no option can have; it leads to words of one's own. */
const OTHER = "\0other";

/** An answer that fits the question. Ctrl-C or Esc leaves everything as it is. */
export async function promptAnswer(ask: Question): Promise<Answer> {
  const message = showInvisible(ask.prompt ?? (ask.type === "confirm" ? ask.text : undefined) ?? "Your answer");
  switch (ask.type) {
    case "text":
      return parseAnswer(ask, {
        type: "text",
        text: await askText(message, ask.default, (text) => fits(ask, { type: "text", text })),
      });
    case "confirm":
      return { type: "confirm", confirmed: await askYesNo(message, ask.default, ask.confirm_label, ask.cancel_label) };
    case "choice":
      return parseAnswer(ask, await askChoice(message, ask));
    case "form": {
      const values: Record<string, FieldValue> = {};
      if (ask.prompt !== undefined) clack.log.message(message, { output });
      for (const field of ask.fields) {
        const value = await askField(field);
        if (value !== undefined) values[field.key] = value;
      }
      return parseAnswer(ask, { type: "form", values });
    }
  }
}

async function askChoice(message: string, ask: Question & { type: "choice" }): Promise<Answer> {
  const suggested = [ask.default ?? []].flat();
  const picked = ask.allow_multiple
    ? await askSeveral(message, ask.options, suggested, ask.allow_other)
    : [await askOne(message, ask.options, suggested[0], ask.allow_other)];
  const choices = picked.filter((key) => key !== OTHER);
  if (!picked.includes(OTHER)) return { type: "choice", choices };
  return { type: "choice", choices, other: await askText("In your own words", undefined, notEmpty) };
}

async function askField(field: FormField): Promise<FieldValue | undefined> {
  const message = `${oneLine(field.label)}${field.required ? "" : " (may be left out)"}`;
  switch (field.kind) {
    case "boolean":
      return askYesNo(message, field.default === true, "Yes", "No");
    case "choice": {
      const options = field.options ?? [];
      const suggested = [field.default ?? []].flat().map(String);
      const other = field.allow_other ?? false;
      const picked = field.allow_multiple
        ? await askSeveral(message, options, suggested, other, field.required)
        : [await askOne(message, options, suggested[0], other)];
      const own = picked.includes(OTHER) ? [await askText("In your own words", undefined, notEmpty)] : [];
      const values = [...picked.filter((key) => key !== OTHER), ...own];
      return field.allow_multiple ? values : values[0];
    }
    default: {
      const whole: Question = { type: "form", fields: [field] };
      const check = (text: string) => fits(whole, { type: "form", values: { [field.key]: text } });
      const text = await askText(message, field.default === undefined ? undefined : String(field.default), check);
      return text === "" ? undefined : text;
    }
  }
}

type Choice = { value: string; label: string; hint?: string };

function choicesOf(options: readonly AskOption[], allowOther: boolean): Choice[] {
  const choices: Choice[] = options.map(({ key, label, description }) => ({
    value: key,
    label: oneLine(label),
    ...(description === undefined ? {} : { hint: oneLine(description) }),
  }));
  return allowOther ? [...choices, { value: OTHER, label: "Something else, in your own words" }] : choices;
}

async function askOne(
  message: string,
  options: readonly AskOption[],
  suggested: string | undefined,
  allowOther: boolean,
): Promise<string> {
  const initial = suggested === undefined ? {} : { initialValue: suggested };
  return kept(await clack.select<string>({ message, options: choicesOf(options, allowOther), ...initial, output }));
}

async function askSeveral(
  message: string,
  options: readonly AskOption[],
  suggested: readonly string[],
  allowOther: boolean,
  required = true,
): Promise<string[]> {
  return kept(
    await clack.multiselect<string>({
      message,
      options: choicesOf(options, allowOther),
      initialValues: [...suggested],
      required,
      output,
    }),
  );
}

/** No is preselected unless the question suggests otherwise: Enter alone should not agree. */
async function askYesNo(message: string, suggested: boolean | undefined, yes: string, no: string): Promise<boolean> {
  return kept(
    await clack.confirm({ message, active: oneLine(yes), inactive: oneLine(no), initialValue: suggested ?? false, output }),
  );
}

async function askText(
  message: string,
  suggested: string | undefined,
  check: (text: string) => string | undefined,
): Promise<string> {
  const validate = (text: string | undefined) => check(text ?? "");
  const initial = suggested === undefined ? {} : { initialValue: suggested };
  return kept(await clack.text({ message, ...initial, validate, output })) ?? "";
}

function notEmpty(text: string): string | undefined {
  return text.trim() === "" ? "Type a message." : undefined;
}

/** What is wrong with an answer, or nothing. */
function fits(ask: Question, answer: unknown): string | undefined {
  try {
    parseAnswer(ask, answer);
  } catch (error) {
    if (error instanceof HapError) return error.message;
    throw error;
  }
  return undefined;
}

/** The value, unless the person has gone back. */
function kept<T>(value: T): Exclude<T, symbol> {
  if (clack.isCancel(value)) throw new Interrupted("Nothing was recorded.");
  return value as Exclude<T, symbol>;
}
