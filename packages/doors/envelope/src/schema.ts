// The envelopes of human.question and its replies, in both dialects (D27): plain strings, or objects with roles.
import { words } from "@hap/protocol";
import * as z from "zod";

const anObject = { error: "must be an object" };
/** Has these fields, and may have others. */
const object = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape, anObject);
const list = <T extends z.ZodType>(item: T) => z.array(item, { error: "must be a list" });
const loose = z.record(z.string(), z.unknown(), anObject);
const text = words(100_000, 1);
const id = words(200, 1);
const time = z
  .string({ error: "must be a time such as 2025-11-12T09:30:00Z" })
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$/, {
    error: "must be a time such as 2025-11-12T09:30:00Z",
  });
const inSeconds = { error: "must be a number of seconds, above 0 and at most 604800 (a week)" };
const seconds = z.number(inSeconds).positive(inSeconds).max(604_800, inSeconds);
const links = { correlation_id: id.nullish(), reply_to: id.nullish(), refs: list(z.unknown()).nullish() };
const intentPattern = /^[a-z]+([._-][a-z]+)*$/;

const named = { error: "must be NAME/VERSION, such as questfoundry/1.0.0" };
const plainProtocol = z.string(named).regex(/^[a-z][a-z0-9_-]*\/[0-9]+\.[0-9]+\.[0-9]+$/, named);
const normativeProtocol = object({ name: words(100, 1), version: words(50, 1) });
const role = words(64, 1);
const normativeContext = object({ hot_cold: z.enum(["hot", "cold"], { error: "must be hot or cold" }) });
const normativeSafety = object({
  player_safe: z.boolean({ error: "must be true or false" }),
  spoilers: z.enum(["allowed", "forbidden"], { error: "must be allowed or forbidden" }),
});
const normativeSender = object({ role, agent: words(200).nullish() });

/** A question in the plain dialect. */
export const plainQuestionSchema = object({
  protocol: plainProtocol,
  id,
  time,
  sender: words(200, 1),
  receiver: words(200, 1),
  intent: z.literal("human.question", { error: "must be human.question" }),
  context: loose,
  safety: loose,
  payload: object({
    type: z.literal("question", { error: "must be question" }),
    data: object({
      question_text: text,
      options: list(object({ key: words(64, 1), label: words(200, 1) })).nullish(),
      default: words(10_000).nullish(),
      timeout_seconds: seconds.nullish(),
    }),
  }),
  ...links,
});
export type PlainQuestion = z.infer<typeof plainQuestionSchema>;

/** A question in the normative dialect. */
export const normativeQuestionSchema = object({
  protocol: normativeProtocol,
  id: words(200, 1).refine((value) => value.length >= 8, { error: "must have 8 characters or more" }),
  time,
  sender: normativeSender,
  receiver: object({ role }),
  intent: z.literal("human.question", { error: "must be human.question" }),
  context: normativeContext,
  safety: normativeSafety,
  payload: object({
    type: words(64, 1),
    data: object({
      question: text,
      context: z.union([words(100_000), loose], { error: "must be text or an object" }).nullish(),
      suggestions: list(words(200, 1)).nullish(),
      suggested_answers: list(words(200, 1)).nullish(),
      default: words(10_000).nullish(),
      timeout_seconds: seconds.nullish(),
    }),
  }),
  ...links,
});
export type NormativeQuestion = z.infer<typeof normativeQuestionSchema>;

const reply = {
  protocol: z.union([plainProtocol, normativeProtocol]),
  id,
  time,
  sender: z.union([words(200, 1), normativeSender]),
  receiver: z.union([words(200, 1), object({ role })]),
  context: loose,
  safety: loose,
  ...links,
};

/** A person's answer, in the dialect of its question. */
export const responseSchema = object({
  ...reply,
  intent: z.literal("human.response"),
  reply_to: id,
  correlation_id: id,
  payload: object({
    type: z.enum(["response", "none"]),
    data: object({ choice: words(200, 1).optional(), answer: words(1_000_000), notes: words(1000).optional() }),
  }),
});

/** Why there is no answer. */
export const errorSchema = object({
  ...reply,
  intent: z.string().regex(intentPattern).and(z.literal("error")),
  payload: object({
    type: z.enum(["error", "none"]),
    data: object({ code: words(64, 1), message: words(10_000, 1) }),
  }),
});
