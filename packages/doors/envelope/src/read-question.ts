// From an envelope to a question that can be asked (D27). Pure; what is wrong with an envelope is said by field.
import { type AskInput, parseWith } from "@hap/protocol";
import { type NormativeQuestion, normativeQuestionSchema, type PlainQuestion, plainQuestionSchema } from "./schema.ts";

export type Dialect = "plain" | "normative";

/** A question, whatever its dialect. */
export type HumanQuestion = {
  id: string;
  /** What the asker calls itself. */
  asker: string;
  text: string;
  ask: AskInput & { type: "text" | "choice" };
  /** After how many seconds the asker stops waiting, or null. */
  timeoutSeconds: number | null;
  /** Which of the rules for askers were broken; the question is asked all the same. */
  warnings: string[];
} & ({ dialect: "plain"; envelope: PlainQuestion } | { dialect: "normative"; envelope: NormativeQuestion });

type Option = { key: string; label: string };

/** Read an envelope, or throw an error that names the field. */
export function readQuestion(value: unknown): HumanQuestion {
  const normative = typeof value === "object" && value !== null && typeof (value as { protocol?: unknown }).protocol === "object";
  return normative ? readNormative(value) : readPlain(value);
}

function readPlain(value: unknown): HumanQuestion {
  const envelope = parseWith(plainQuestionSchema, value, "The envelope");
  const { question_text, options, default: preset, timeout_seconds } = envelope.payload.data;
  const offered = (options ?? []).map(({ key, label }) => ({ key, label }));
  return {
    dialect: "plain",
    envelope,
    id: envelope.id,
    asker: envelope.sender,
    ...describe(question_text, promptOf(question_text, null, envelope), offered, preset ?? null),
    timeoutSeconds: timeout_seconds ?? null,
  };
}

function readNormative(value: unknown): HumanQuestion {
  const envelope = parseWith(normativeQuestionSchema, value, "The envelope");
  const { question, context, suggestions, suggested_answers, default: preset, timeout_seconds } = envelope.payload.data;
  const offered = (suggestions ?? suggested_answers ?? []).map((label, at) => ({ key: String(at + 1), label }));
  return {
    dialect: "normative",
    envelope,
    id: envelope.id,
    asker: envelope.sender.agent ?? envelope.sender.role,
    ...describe(question, promptOf(question, context ?? null, envelope), offered, preset ?? null),
    timeoutSeconds: timeout_seconds ?? null,
  };
}

/** The question with everything the person should see of its envelope: the question's own context, then context and safety. */
function promptOf(
  question: string,
  own: string | Record<string, unknown> | null,
  { context, safety }: { context: Record<string, unknown>; safety: Record<string, unknown> },
): string {
  const about = typeof own === "string" ? own : own === null ? "" : factLines(own).join("\n");
  const facts = [factLine("Context", context), factLine("Safety", safety)].filter((line) => line !== "");
  return [question, about, facts.join("\n")].filter((part) => part !== "").join("\n\n");
}

function factLine(title: string, values: Record<string, unknown>): string {
  const facts = factLines(values);
  return facts.length === 0 ? "" : `${title}: ${facts.join(", ")}`;
}

function factLines(values: Record<string, unknown>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
}

/** What to ask. Options never keep a person from answering in words; a default is preselected, and no more. */
function describe(text: string, prompt: string, options: readonly Option[], preset: string | null) {
  const found = options.find(({ key, label }) => preset === key || preset === label)?.key;
  const warnings = [
    ...ruleBreaks(text, options),
    ...(preset !== null && options.length > 0 && found === undefined
      ? [`default ${JSON.stringify(preset)} is none of the options`]
      : []),
  ];
  const choice = { type: "choice" as const, prompt, options: [...options], allow_other: true };
  const ask =
    options.length > 0
      ? { ...choice, ...(found === undefined ? {} : { default: found }) }
      : { type: "text" as const, prompt, ...(preset === null ? {} : { default: preset }) };
  return { text, ask, warnings };
}

/** The rules that `hap bridge protocol` prints, as far as a program can tell. */
function ruleBreaks(text: string, options: readonly Option[]): string[] {
  const questions = text.match(/[?？]/g)?.length ?? 0;
  return [
    ...(questions > 1 ? ["ask one question an envelope; this one has several question marks"] : []),
    ...(options.length === 1 || options.length > 4
      ? [`offer two to four options, or none for an open question; this one has ${options.length}`]
      : []),
  ];
}
