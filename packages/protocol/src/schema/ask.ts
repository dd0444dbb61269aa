// What a ticket asks (D15): an approval, or a question with a typed, validated answer.
import * as z from "zod";
import { ASK_TYPES, LIMITS } from "../constants.ts";
import { oneOf, words } from "./primitives.ts";

const label = words(200, 1);
const prompt = words(100_000);

/** An option: a short key that can be typed, and its words. A plain string is its own label, numbered from 1. */
export const optionSchema = z.object({ key: words(64, 1), label, description: words(2000).optional() });
export type AskOption = z.infer<typeof optionSchema>;

const optionInput = z.union([
  label,
  z.object({ key: words(64, 1).optional(), id: words(64, 1).optional(), label, description: words(2000).optional() }),
]);

const optionsSchema = z
  .array(optionInput, { error: "must be a list of options" })
  .min(1, { error: "must have at least one option" })
  .max(LIMITS.optionsMax, { error: `must have at most ${LIMITS.optionsMax} options` })
  .transform((options) =>
    options.map((option, index): AskOption => {
      if (typeof option === "string") return { key: String(index + 1), label: option };
      const key = option.key ?? option.id ?? String(index + 1);
      return { key, label: option.label, ...(option.description === undefined ? {} : { description: option.description }) };
    }),
  )
  .refine((options) => new Set(options.map((option) => option.key)).size === options.length, {
    error: "must have keys that differ",
  });

/** What a form's field takes. */
export const FIELD_KINDS = ["text", "number", "boolean", "choice"] as const;

const fieldSchema = z
  .object({
    key: words(64, 1).optional(),
    label,
    kind: oneOf(FIELD_KINDS).optional(),
    options: optionsSchema.optional(),
    allow_multiple: z.boolean().optional(),
    required: z.boolean().optional(),
    default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  })
  .refine((field) => field.kind !== "choice" || field.options !== undefined, { error: "a choice field needs options" })
  .transform((field) => ({
    key: field.key ?? field.label,
    label: field.label,
    kind: field.options !== undefined ? ("choice" as const) : (field.kind ?? "text"),
    ...(field.options === undefined ? {} : { options: field.options }),
    allow_multiple: field.allow_multiple ?? false,
    required: field.required ?? true,
    ...(field.default === undefined ? {} : { default: field.default }),
  }));
export type FormField = z.infer<typeof fieldSchema>;

const approval = z.object({ type: z.literal("approval"), allow_edits: z.boolean().default(false) });
const text = z.object({
  type: z.literal("text"),
  prompt: prompt.optional(),
  max_length: z.int().min(1).max(LIMITS.contentBytes).optional(),
  default: words(10_000).optional(),
});
const choice = z.object({
  type: z.literal("choice"),
  prompt: prompt.optional(),
  options: optionsSchema,
  allow_multiple: z.boolean().default(false),
  allow_other: z.boolean().default(false),
  default: z.union([words(64, 1), z.array(words(64, 1))]).optional(),
});
const confirm = z.object({
  type: z.literal("confirm"),
  prompt: prompt.optional(),
  text: prompt.optional(),
  confirm_label: label.default("Confirm"),
  cancel_label: label.default("Cancel"),
  default: z.boolean().optional(),
});
const form = z.object({
  type: z.literal("form"),
  prompt: prompt.optional(),
  fields: z
    .array(fieldSchema, { error: "must be a list of fields" })
    .min(1, { error: "must have at least one field" })
    .max(LIMITS.fieldsMax, { error: `must have at most ${LIMITS.fieldsMax} fields` })
    .refine((fields) => new Set(fields.map((field) => field.key)).size === fields.length, {
      error: "must have keys that differ",
    }),
});

/** Everything that can be asked, in its full form. */
export const askSchema = z.discriminatedUnion("type", [approval, text, choice, confirm, form], {
  error: `type must be one of ${ASK_TYPES.join(", ")}`,
});
export type Ask = z.infer<typeof askSchema>;
export type AskInput = z.input<typeof askSchema>;
/** The questions: everything but an approval. */
export type Question = Exclude<Ask, { type: "approval" }>;

const answerText = words(LIMITS.contentBytes);
/** The answers, one a kind of question. Choices are keys. */
export const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: answerText }),
  z.object({ type: z.literal("choice"), choices: z.array(words(64, 1)), other: answerText.optional() }),
  z.object({ type: z.literal("confirm"), confirmed: z.boolean() }),
  z.object({
    type: z.literal("form"),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  }),
]);
export type Answer = z.infer<typeof answerSchema>;
