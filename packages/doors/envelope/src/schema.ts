// The envelopes of human.question and its replies, in both dialects (D27): plain strings, or objects with roles.
import { words } from "@hap/protocol";
import * as z from "zod";

const loose = z.record(z.string(), z.unknown(), { error: "must be an object" });
const text = words(100_000, 1);
const id = words(200, 1);
const time = z
  .string({ error: "must be a time such as 2025-11-12T09:30:00Z" })
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$/, {
    error: "must be a time such as 2025-11-12T09:30:00Z",
  });
const seconds = z.number({ error: "must be a number of seconds" }).positive().max(604_800);
const links = { correlation_id: id.nullish(), reply_to: id.nullish(), refs: z.array(z.unknown()).nullish() };
const intentPattern = /^[a-z]+([._-][a-z]+)*$/;

const plainProtocol = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*\/[0-9]+\.[0-9]+\.[0-9]+$/, { error: "must be NAME/VERSION, such as questfoundry/1.0.0" });
const normativeProtocol = z.looseObject({ name: words(100, 1), version: words(50, 1) });
const role = words(64, 1);
const normativeContext = z.looseObject({ hot_cold: z.enum(["hot", "cold"], { error: "must be hot or cold" }) });
const normativeSafety = z.looseObject({
  player_safe: z.boolean({ error: "must be true or false" }),
  spoilers: z.enum(["allowed", "forbidden"], { error: "must be allowed or forbidden" }),
});
const normativeSender = z.looseObject({ role, agent: words(200).nullish() });

/** A question in the plain dialect. */
export const plainQuestionSchema = z.looseObject({
  protocol: plainProtocol,
  id,
  time,
  sender: words(200, 1),
  receiver: words(200, 1),
  intent: z.literal("human.question"),
  context: loose,
  safety: loose,
  payload: z.looseObject({
    type: z.literal("question", { error: "must be question" }),
    data: z.looseObject({
      question_text: text,
      options: z.array(z.looseObject({ key: words(64, 1), label: words(200, 1) })).nullish(),
      default: words(10_000).nullish(),
      timeout_seconds: seconds.nullish(),
    }),
  }),
  ...links,
});
export type PlainQuestion = z.infer<typeof plainQuestionSchema>;

/** A question in the normative dialect. */
export const normativeQuestionSchema = z.looseObject({
  protocol: normativeProtocol,
  id: words(200, 1).refine((value) => value.length >= 8, { error: "must have 8 characters or more" }),
  time,
  sender: normativeSender,
  receiver: z.looseObject({ role }),
  intent: z.literal("human.question"),
  context: normativeContext,
  safety: normativeSafety,
  payload: z.looseObject({
    type: words(64, 1),
    data: z.looseObject({
      question: text,
      context: words(100_000).nullish(),
      suggestions: z.array(words(200, 1)).nullish(),
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
  receiver: z.union([words(200, 1), z.looseObject({ role })]),
  context: loose,
  safety: loose,
  ...links,
};

/** A person's answer, in the dialect of its question. */
export const responseSchema = z.looseObject({
  ...reply,
  intent: z.literal("human.response"),
  reply_to: id,
  correlation_id: id,
  payload: z.looseObject({
    type: z.enum(["response", "none"]),
    data: z.looseObject({ choice: words(200, 1).optional(), answer: words(1_000_000), notes: words(1000).optional() }),
  }),
});

/** Why there is no answer. */
export const errorSchema = z.looseObject({
  ...reply,
  intent: z.string().regex(intentPattern).and(z.literal("error")),
  payload: z.looseObject({
    type: z.enum(["error", "none"]),
    data: z.looseObject({ code: words(64, 1), message: words(10_000, 1) }),
  }),
});
