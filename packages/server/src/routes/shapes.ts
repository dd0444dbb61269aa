// The shapes that several routes take or give, beside those of the protocol.
import { LIMITS, once, TICKET_STATES, TIERS, ticketSchema } from "@hap/protocol";
import * as z from "zod";

/** A whole number in a query string. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** A number from 0 to 1 in a query string. */
const share = () =>
  z
    .string()
    .regex(/^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/, { error: "must be a number from 0 to 1" })
    .transform(Number);

/** A yes or no in a query string. */
export const flag = () => z.enum(["true", "false", "1", "0"]).transform((word) => word === "true" || word === "1");

export const text = (max: number) => z.string().max(max);

export const ticketPage = once(() =>
  z.object({
    tickets: z.array(ticketSchema()),
    next: z.string().nullable(),
  }),
);

export const ticketQuery = once(() =>
  z.object({
    to: text(80).optional(),
    from: text(80).optional(),
    state: z
      .string()
      .regex(/^[A-Za-z_,]{1,200}$/)
      .transform((words) => words.split(",") as [(typeof TICKET_STATES)[number]])
      .optional()
      .meta({ description: `open, or states with commas between: ${TICKET_STATES.join(", ")}` }),
    kind: text(64).optional(),
    project: text(4096).optional(),
    session: text(64).optional(),
    tier: z.enum(TIERS).optional(),
    text: text(500)
      .optional()
      .meta({ description: "Words that a ticket holds, each somewhere. A page may then be short, or empty, before the end" }),
    risk_min: share().optional(),
    risk_below: share().optional(),
    created_after: text(40).optional(),
    created_before: text(40).optional(),
    cursor: text(300).optional(),
    limit: whole(1, 1000).optional(),
  }),
);

export const loggedEvent = once(() =>
  z.object({
    seq: z.int(),
    id: z.string(),
    type: z.string(),
    ts: z.string(),
    payload: z.record(z.string(), z.unknown()),
    prev_hash: z.string(),
    hash: z.string(),
    cursor: z.string(),
    resolved: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "The payload with names for handles and words for digests, where the reader may see them" }),
  }),
);

export const agentCard = once(() =>
  z.object({
    agent: z.string(),
    agent_runtime: z.string(),
    project_dir: z.string().nullable(),
    agent_terminal: z.string().nullable(),
    label: z.string().nullable(),
    name: z.string().nullable(),
    group: z.string().nullable(),
    joined_at: z.string(),
    seen_at: z.string(),
    left_at: z.string().nullable(),
    waiting: z.int(),
    queued: z.int(),
    listening: z.string().nullable(),
  }),
);

export const message = once(() =>
  z.object({
    id: z.string(),
    agent: z.string(),
    from: z.string(),
    text: z.string().nullable(),
    attachments: z.array(z.object({ name: z.string(), media_type: z.string(), size: z.int(), sha256: z.string() })),
    queued_at: z.string(),
    taken_at: z.string().nullable(),
    taken_by: z.string().nullable(),
    withdrawn_at: z.string().nullable(),
    place: z.int(),
  }),
);

/** What is not described further: JSON of a kind that the reader knows from elsewhere. */
export const anyObject = once(() => z.record(z.string(), z.unknown()));

/** Why a text is erased, and which texts were: the same for whatever they belonged to. */
export const erasureBody = once(() => z.object({ reason: text(LIMITS.commentChars).optional() }));
export const erasureAnswer = once(() => ({
  status: 200,
  schema: z.object({ erased: z.array(z.object({ field: z.string(), digest: z.string() })) }),
  description: "Which texts were erased",
}));

/** Values without those that were not given. */
export function given<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
