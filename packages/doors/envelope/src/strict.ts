// `--strict`: the original protocol's own rules for an envelope that asks a person, with its error codes. Only the normative dialect fits.
import { words } from "@hap/protocol";
import * as z from "zod";

/** The original's error codes. */
export type StrictErrorCode = "validation_error" | "business_rule_violation" | "not_authorized" | "not_found" | "conflict";

/** What is wrong with an envelope by the original's rules. */
export type StrictProblem = { code: StrictErrorCode; message: string; details: Record<string, unknown> };

const ROLES = ["SR", "GK", "PW", "SS", "ST", "LW", "CC", "AD", "IL", "AuD", "AuP", "TR", "BB", "PN", "RS"] as const;
const LOOPS = [
  "Story Spark",
  "Hook Harvest",
  "Lore Deepening",
  "Codex Expansion",
  "Style Tune-up",
  "Art Touch-up",
  "Audio Pass",
  "Translation Pass",
  "Binding Run",
  "Narration Dry-Run",
  "Gatecheck",
  "Post-Mortem",
  "Archive Snapshot",
] as const;

const role = z.enum(ROLES, { error: `must be one of ${ROLES.join(", ")}` });
const text = words(100_000, 1);
const list = z.array(words(200, 1), { error: "must be a list of texts" });

/** An envelope of human.question as the original's schema has it. Unknown fields are allowed. */
export const strictQuestionSchema = z.looseObject({
  protocol: z.looseObject(
    {
      name: z.literal("qf-protocol", { error: "must be qf-protocol" }),
      version: z
        .string()
        .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/, { error: "must be a semantic version, such as 1.0.0" }),
    },
    { error: "must be an object with name and version" },
  ),
  id: z.string().min(8, { error: "must have 8 characters or more" }),
  time: z.iso.datetime({ offset: true, error: "must be an RFC 3339 time with a zone" }),
  sender: z.looseObject({ role, agent: z.string().optional() }, { error: "must be an object with a role" }),
  receiver: z.looseObject({ role }, { error: "must be an object with a role" }),
  intent: z.literal("human.question"),
  correlation_id: z.string().optional(),
  reply_to: z.string().optional(),
  refs: z
    .array(z.string())
    .refine((refs) => new Set(refs).size === refs.length, { error: "must not repeat an item" })
    .optional(),
  context: z.looseObject({
    hot_cold: z.enum(["hot", "cold"], { error: "must be hot or cold" }),
    tu: z
      .string()
      .regex(/^TU-\d{4}-\d{2}-\d{2}-[A-Z]{2,4}\d{2}$/, { error: "must look like TU-2025-11-07-PW01" })
      .optional(),
    snapshot: z
      .string()
      .regex(/^Cold @ \d{4}-\d{2}-\d{2}$/, { error: "must look like Cold @ 2025-10-28" })
      .optional(),
    loop: z.enum(LOOPS, { error: `must be one of ${LOOPS.join(", ")}` }).optional(),
  }),
  safety: z.looseObject({
    player_safe: z.boolean({ error: "must be true or false" }),
    spoilers: z.enum(["allowed", "forbidden"], { error: "must be allowed or forbidden" }),
  }),
  payload: z.looseObject({
    type: z.enum(["none", "human_interaction"], { error: "must be none" }),
    data: z.looseObject({
      question: text,
      context: z.union([text, z.record(z.string(), z.unknown())], { error: "must be text or an object" }).optional(),
      suggestions: list.optional(),
      suggested_answers: list.optional(),
    }),
  }),
});

/** What is wrong with an envelope, or null. */
export function strictProblem(value: unknown): StrictProblem | null {
  const parsed = strictQuestionSchema.safeParse(value);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "envelope"}: ${message}`);
    return {
      code: "validation_error",
      message: `The envelope does not fit the schema: ${errors.join("; ")}.`,
      details: { schema_path: "04-protocol/envelope.schema.json", validation_errors: errors },
    };
  }
  return narratorProblem(parsed.data);
}

/** Messages to the player narrator must be cold, of a snapshot, and safe for players. */
function narratorProblem({ receiver, context, safety }: z.infer<typeof strictQuestionSchema>): StrictProblem | null {
  if (receiver.role !== "PN") return null;
  const broken = [
    ...(context.hot_cold === "cold" ? [] : ["context.hot_cold must be cold"]),
    ...(context.snapshot === undefined ? ["context.snapshot is missing"] : []),
    ...(safety.player_safe ? [] : ["safety.player_safe must be true"]),
    ...(safety.spoilers === "forbidden" ? [] : ["safety.spoilers must be forbidden"]),
  ];
  if (broken.length === 0) return null;
  return {
    code: "business_rule_violation",
    message: `Not safe to send to PN: ${broken.join("; ")}.`,
    details: { rule: "PN_SAFETY_INVARIANT", violation: broken.join("; "), reference: "00-north-star/PN_PRINCIPLES.md" },
  };
}
