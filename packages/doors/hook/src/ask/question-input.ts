// The input of AskUserQuestion: its questions read, and a person's answer put into it.
import type { Answer as GivenAnswer } from "@hap/protocol";
import { HookError } from "../hook-error.ts";
import { isObject, type JsonObject, word } from "../read-event.ts";

type Option = { label: string; description?: string };
export type Question = { question: string; header: string | null; options: Option[]; several: boolean };
export type Questions = [Question, ...Question[]];

/** The longest label that a ticket takes. */
export const LONGEST_LABEL = 200;

/** How a form names its questions. */
export const fieldKey = (at: number): string => `q${at + 1}`;

/** The tool's input with the answers in it, by the question's words; several labels are joined by commas. */
export function answeredInput(input: JsonObject, answer: GivenAnswer): JsonObject {
  const questions = readQuestions(input);
  return {
    ...input,
    answers: Object.fromEntries(questions.map((question, at) => [question.question, labels(question, at, answer)])),
  };
}

function labels({ options }: Question, at: number, answer: GivenAnswer): string {
  const labelOf = (key: unknown) => options[Number(key) - 1]?.label ?? String(key);
  if (answer.type === "choice")
    return [...answer.choices.map(labelOf), ...(answer.other === undefined ? [] : [answer.other])].join(", ");
  if (answer.type === "form") return [answer.values[fieldKey(at)] ?? ""].flat().map(labelOf).join(", ");
  throw new HookError(`An answer of type ${answer.type} does not fit the question.`);
}

export function readQuestions(input: JsonObject): Questions {
  const list = Array.isArray(input.questions) ? input.questions : [];
  const [first, ...more] = list.map(readQuestion);
  if (first === undefined) throw new HookError("AskUserQuestion has no questions.");
  return [first, ...more];
}

function readQuestion(value: unknown): Question {
  const question = isObject(value) ? word(value, "question") : null;
  if (!isObject(value) || question === null || !Array.isArray(value.options))
    throw new HookError("A question of AskUserQuestion has no words or no options.");
  return { question, header: word(value, "header"), options: value.options.map(readOption), several: value.multiSelect === true };
}

function readOption(value: unknown): Option {
  const label = isObject(value) ? word(value, "label") : null;
  if (!isObject(value) || label === null) throw new HookError("An option of AskUserQuestion has no label.");
  const description = word(value, "description");
  return { label: label.slice(0, LONGEST_LABEL), ...(description === null ? {} : { description: description.slice(0, 2000) }) };
}
