// What a ticket asks (D15): an approval, or a question. Each shape is given as callers may write it and in its full form,
// which is what is kept and shown; the full form read again is the same.
import * as z from "zod";
import { ASK_TYPES, LIMITS } from "../constants.ts";
import { once } from "../once.ts";
import { oneOf, words } from "./primitives.ts";

const label = once(() => words(200, 1));
const prompt = once(() => words(100_000));
const optionKey = once(() => words(64, 1));

/** An option: a short key that can be typed, and its words. A plain string is its own label, numbered from 1. */
export const optionSchema = once(() => z.object({ key: optionKey(), label: label(), description: words(2000).optional() }));
export type AskOption = z.infer<ReturnType<typeof optionSchema>>;

const optionInput = once(() =>
  z.union(
    [
      label(),
      z.object({ key: optionKey().optional(), id: optionKey().optional(), label: label(), description: words(2000).optional() }),
    ],
    { error: "must be words of 1 to 200 characters, or an object with label and, if you like, key and description" },
  ),
);

const optionsSchema = once(() =>
  z
    .array(optionInput(), { error: "must be a list of options" })
    .transform((options) =>
      options.map((option, index): AskOption => {
        if (typeof option === "string") return { key: String(index + 1), label: option };
        const key = option.key ?? option.id ?? String(index + 1);
        return { key, label: option.label, ...(option.description === undefined ? {} : { description: option.description }) };
      }),
    )
    .pipe(
      z
        .array(optionSchema())
        .min(1, { error: "must have at least one option" })
        .max(LIMITS.optionsMax, { error: `must have at most ${LIMITS.optionsMax} options` })
        .refine((options) => new Set(options.map((option) => option.key)).size === options.length, {
          error: "must have keys that differ",
        }),
    ),
);

/** What a form's field takes. */
export const FIELD_KINDS = ["text", "number", "boolean", "choice"] as const;

const fieldText = once(() => words(100_000));
/** The value of one field. */
const fieldValueSchema = once(() =>
  z.union([fieldText(), z.number(), z.boolean(), z.array(fieldText())], {
    error: "must be words, a number, true or false, or a list of options' keys",
  }),
);
export type FieldValue = z.infer<ReturnType<typeof fieldValueSchema>>;

type FieldShape = { kind: (typeof FIELD_KINDS)[number]; options?: AskOption[] | undefined; allow_multiple: boolean };

function fitsField(value: FieldValue, field: FieldShape): boolean {
  if (field.kind === "choice") return fitsOptions(value, field.options ?? [], field.allow_multiple);
  return typeof value === (field.kind === "text" ? "string" : field.kind);
}

function fitsOptions(value: FieldValue, options: readonly AskOption[], several: boolean): boolean {
  const isKey = (item: FieldValue) => options.some((option) => option.key === item);
  return Array.isArray(value) ? several && value.every(isKey) : isKey(value);
}

/** A field in its full form. */
const fieldSchema = once(() =>
  z
    .object({
      key: label().refine((key) => key !== "__proto__", { error: "must be another word" }),
      label: label(),
      kind: z.enum(FIELD_KINDS),
      options: z.array(optionSchema()).optional(),
      allow_multiple: z.boolean(),
      /** For a choice: free text is taken too. Left out where it is not. */
      allow_other: z.literal(true).optional(),
      required: z.boolean(),
      default: fieldValueSchema().optional(),
    })
    .refine((field) => field.kind !== "choice" || field.options !== undefined, { error: "a choice field needs options" })
    .refine((field) => field.default === undefined || fitsField(field.default, field), {
      error: "has a default that does not fit its kind",
    }),
);
export type FormField = z.infer<ReturnType<typeof fieldSchema>>;

const fieldInput = once(() =>
  z
    .object({
      key: label().optional(),
      label: label(),
      kind: oneOf(FIELD_KINDS).optional(),
      options: optionsSchema().optional(),
      allow_multiple: z.boolean().optional(),
      allow_other: z.boolean().optional(),
      required: z.boolean().optional(),
      default: fieldValueSchema().optional(),
    })
    .transform(
      (field): FormField => ({
        key: field.key ?? field.label,
        label: field.label,
        kind: field.options !== undefined ? "choice" : (field.kind ?? "text"),
        ...(field.options === undefined ? {} : { options: field.options }),
        allow_multiple: field.allow_multiple ?? false,
        ...(field.allow_other === true && field.options !== undefined ? { allow_other: true as const } : {}),
        required: field.required ?? true,
        ...(field.default === undefined ? {} : { default: field.default }),
      }),
    )
    .pipe(fieldSchema()),
);

const approval = once(() => z.object({ type: z.literal("approval"), allow_edits: z.boolean().default(false) }));
const text = once(() =>
  z.object({
    type: z.literal("text"),
    prompt: prompt().optional(),
    max_length: z.int().min(1).max(LIMITS.contentBytes).optional(),
    default: words(10_000).optional(),
  }),
);
const choice = once(() =>
  z
    .object({
      type: z.literal("choice"),
      prompt: prompt().optional(),
      options: optionsSchema(),
      allow_multiple: z.boolean().default(false),
      allow_other: z.boolean().default(false),
      default: z.union([optionKey(), z.array(optionKey())]).optional(),
    })
    .refine((ask) => ask.default === undefined || fitsOptions(ask.default, ask.options, ask.allow_multiple), {
      path: ["default"],
      error: "must be the key of an option, or a list of keys where several may be chosen",
    }),
);
const confirm = once(() =>
  z
    .object({
      type: z.literal("confirm"),
      prompt: prompt().optional(),
      text: prompt().optional(),
      confirm_label: label().default("Confirm"),
      cancel_label: label().default("Cancel"),
      default: z.boolean().optional(),
    })
    .refine((ask) => !isNo(ask.confirm_label) && !isYes(ask.cancel_label) && fold(ask.confirm_label) !== fold(ask.cancel_label), {
      path: ["confirm_label"],
      error: "must not read as a no, nor be like cancel_label, which must not read as a yes",
    }),
);
const form = once(() =>
  z.object({
    type: z.literal("form"),
    prompt: prompt().optional(),
    fields: z
      .array(fieldInput(), { error: "must be a list of fields" })
      .min(1, { error: "must have at least one field" })
      .max(LIMITS.fieldsMax, { error: `must have at most ${LIMITS.fieldsMax} fields` })
      .refine((fields) => new Set(fields.map((field) => field.key)).size === fields.length, {
        error: "must have keys that differ",
      }),
  }),
);

const fold = (word: string) => word.trim().toLowerCase();
/** The words that mean yes to every confirm question, whatever its labels are. */
export const isYes = (word: string): boolean => ["yes", "y", "true"].includes(fold(word));
/** The words that mean no to every confirm question. */
export const isNo = (word: string): boolean => ["no", "n", "false"].includes(fold(word));

/** Everything that can be asked, in its full form. */
export const askSchema = once(() =>
  z.discriminatedUnion("type", [approval(), text(), choice(), confirm(), form()], {
    error: ({ input }) =>
      typeof input === "object" && input !== null ? `must be one of ${ASK_TYPES.join(", ")}` : "must be an object with a type",
  }),
);
export type Ask = z.infer<ReturnType<typeof askSchema>>;
export type AskInput = z.input<ReturnType<typeof askSchema>>;
/** The questions: everything but an approval. */
export type Question = Exclude<Ask, { type: "approval" }>;

const answerText = once(() => words(LIMITS.contentBytes));
/** The answers, one a kind of question. Choices are keys. */
export const answerSchema = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: answerText() }),
    z.object({ type: z.literal("choice"), choices: z.array(optionKey()), other: answerText().optional() }),
    z.object({ type: z.literal("confirm"), confirmed: z.boolean() }),
    z.object({ type: z.literal("form"), values: z.record(z.string(), fieldValueSchema()) }),
  ]),
);
export type Answer = z.infer<ReturnType<typeof answerSchema>>;
