// A question as a person reads it: all that was asked, the options by number and key, and what is preselected.
import { type AskOption, type FormField, type Question, showInvisible } from "@hap/protocol";
import { oneLine } from "./agent-text.ts";

/** The question in the agent's words, one row a line. */
export function questionLines(ask: Question): string[] {
  const lines = [ask.prompt, ask.type === "confirm" ? ask.text : undefined].filter((text) => text !== undefined);
  return [...lines.flatMap((text) => showInvisible(text).split("\n")), ...choicesOf(ask)];
}

function choicesOf(ask: Question): string[] {
  switch (ask.type) {
    case "text":
      return ask.default === undefined ? [] : [`suggested: ${oneLine(ask.default)}`];
    case "confirm": {
      const preset = ask.default === undefined ? "" : ` (suggested: ${ask.default ? "yes" : "no"})`;
      return [`yes = ${oneLine(ask.confirm_label)}, no = ${oneLine(ask.cancel_label)}${preset}`];
    }
    case "choice":
      return optionLines(ask.options, [ask.default ?? []].flat());
    case "form":
      return ask.fields.flatMap(fieldLines);
  }
}

function optionLines(options: readonly AskOption[], suggested: readonly unknown[]): string[] {
  return options.flatMap((option, index) => {
    const key = option.key === String(index + 1) || option.key === option.label ? "" : `${oneLine(option.key)}: `;
    const preset = suggested.includes(option.key) ? " (suggested)" : "";
    const lines = [`${index + 1}. ${key}${oneLine(option.label)}${preset}`];
    return option.description === undefined ? lines : [...lines, ...indent(showInvisible(option.description))];
  });
}

function fieldLines(field: FormField): string[] {
  const key = field.key === field.label ? "" : ` [${oneLine(field.key)}]`;
  const many = field.kind === "choice" && field.allow_multiple ? ", several" : "";
  const other = field.allow_other === true ? ", or your own words" : "";
  const optional = field.required ? "" : ", may be left out";
  const preset = field.default === undefined ? "" : `, suggested: ${oneLine(String(field.default))}`;
  const line = `- ${oneLine(field.label)}${key} (${field.kind}${many}${other}${optional}${preset})`;
  return [line, ...optionLines(field.options ?? [], []).map((option) => `    ${option}`)];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `   ${line}`);
}

/** How the question may be answered, in our words. */
export function answerRules(ask: Question): string {
  switch (ask.type) {
    case "text":
      return ask.max_length === undefined ? "Answer in words." : `Answer in at most ${ask.max_length} characters.`;
    case "confirm":
      return "Answer yes or no.";
    case "choice": {
      const how = ask.allow_multiple ? "Choose one or more" : "Choose one";
      return `${how}, by number, key or label${ask.allow_other ? ", or answer in words of your own" : ""}.`;
    }
    case "form":
      return "Fill in the form.";
  }
}
