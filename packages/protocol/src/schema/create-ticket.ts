// What a caller may say when it opens a ticket: the flat form of the draft's 7.3 or the nested one of 11.2, made one.
import * as z from "zod";
import type { Json } from "../canonical-json.ts";
import { DEFAULTS, LIMITS, PRIORITIES, type Priority, TIMEOUT_ACTIONS, type TimeoutAction } from "../constants.ts";
import { HapError } from "../errors.ts";
import { ID_PATTERNS, parseAskerId, parseHumanId, quote } from "../identifiers.ts";
import { parseWith } from "../parse.ts";
import { type Ask, askSchema } from "./ask.ts";
import { hashSchema, oneOf, riskSchema, tokenSchema, ttlSchema, words } from "./primitives.ts";

const people = z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1).max(LIMITS.escalationDepthMax)]);
const lines = z
  .int({ error: "must be a whole number of lines, 0 or more" })
  .min(0, { error: "must be a whole number of lines, 0 or more" });
const details = z.record(z.string(), z.unknown(), { error: "must be a JSON object" });

const escalateInput = z.object({ to: people, max_depth: z.int().min(1).max(LIMITS.escalationDepthMax).optional() });

const artifactInput = z.object({
  type: tokenSchema.optional(),
  diff_hash: hashSchema.optional(),
  bytes_hash: hashSchema.optional(),
  diff: z.string().optional(),
  content: z.string().optional(),
  environment: tokenSchema.optional(),
  repo: words(1000).optional(),
  base_commit: words(200).optional(),
});

const schema = z.object({
  id: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  kind: tokenSchema.optional(),
  intent_kind: tokenSchema.optional(),
  summary: words(LIMITS.summaryChars, 1).optional(),
  details: details.optional(),
  intent: z
    .object({
      kind: tokenSchema.optional(),
      summary: words(LIMITS.summaryChars, 1).optional(),
      details: details.optional(),
      confidence: riskSchema.nullish(),
    })
    .optional(),
  file: words(4096, 1).optional(),
  diff: z.string({ error: "must be the text of a diff" }).optional(),
  lines_added: lines.optional(),
  lines_removed: lines.optional(),
  artifact: artifactInput.nullish(),
  environment: tokenSchema.optional(),
  confidence: riskSchema.nullish(),
  risk: riskSchema.nullish(),
  priority: oneOf(PRIORITIES).optional(),
  lease: z
    .object({
      ttl_seconds: ttlSchema.optional(),
      on_timeout: oneOf(TIMEOUT_ACTIONS).optional(),
      escalate: escalateInput.nullish(),
    })
    .optional(),
  ttl_seconds: ttlSchema.optional(),
  on_timeout: oneOf(TIMEOUT_ACTIONS).optional(),
  escalate_to: people.optional(),
  ask: askSchema.optional(),
  project: words(4096, 1).optional(),
  session: tokenSchema.optional(),
});

/** What callers write. */
export type CreateTicketInput = z.input<typeof schema>;

/** What the runtime works with. `null` in `to` and `lease` means: not said, so that a rule or a default may say it. */
export type TicketRequest = {
  id: string | null;
  from: string;
  to: string | null;
  kind: string;
  summary: string;
  details: Record<string, Json>;
  confidence: number | null;
  artifact: {
    type: string | null;
    diffHash: string | null;
    bytesHash: string | null;
    environment: string | null;
    repo: string | null;
    baseCommit: string | null;
  };
  ask: Ask;
  lease: { ttlSeconds: number | null; onTimeout: TimeoutAction | null; escalate: { to: string[]; maxDepth: number } | null };
  riskClaimed: number | null;
  priority: Priority;
  project: string | null;
  session: string | null;
};

/** Parse either form into one. Errors name the field. */
export function parseCreateTicket(input: unknown): TicketRequest {
  const raw = parseWith(schema, input, "The ticket");
  const ask = raw.ask ?? { type: "approval", allow_edits: false };
  const kind = raw.kind ?? raw.intent_kind ?? raw.intent?.kind ?? (ask.type === "approval" ? DEFAULTS.kind : "question");
  const merged = mergeDetails(raw);
  const escalate = raw.lease?.escalate ?? (raw.escalate_to === undefined ? undefined : { to: raw.escalate_to });
  return {
    id: raw.id === undefined ? null : parseClientId(raw.id),
    from: raw.from === undefined ? DEFAULTS.agent : parseAskerId(raw.from, "from"),
    to: raw.to === undefined ? null : parseHumanId(raw.to, "to"),
    kind,
    summary: raw.summary ?? raw.intent?.summary ?? defaultSummary(kind, merged),
    details: merged,
    confidence: raw.confidence ?? raw.intent?.confidence ?? null,
    artifact: {
      type: raw.artifact?.type ?? null,
      diffHash: raw.artifact?.diff_hash ?? null,
      bytesHash: raw.artifact?.bytes_hash ?? null,
      environment: raw.artifact?.environment ?? raw.environment ?? null,
      repo: raw.artifact?.repo ?? null,
      baseCommit: raw.artifact?.base_commit ?? null,
    },
    ask,
    lease: {
      ttlSeconds: raw.lease?.ttl_seconds ?? raw.ttl_seconds ?? null,
      onTimeout: raw.lease?.on_timeout ?? raw.on_timeout ?? null,
      escalate: parseEscalate(escalate ?? undefined),
    },
    riskClaimed: raw.risk ?? null,
    priority: raw.priority ?? DEFAULTS.priority,
    project: raw.project ?? null,
    session: raw.session ?? null,
  };
}

/** The draft keeps file, diff and line counts inside `details`; said twice, they must say the same. */
function mergeDetails(raw: z.output<typeof schema>): Record<string, Json> {
  const merged = { ...raw.intent?.details, ...raw.details } as Record<string, Json>;
  const said: [string, Json | undefined][] = [
    ["file", raw.file],
    ["diff", raw.diff],
    ["diff", raw.artifact?.diff],
    ["content", raw.artifact?.content],
    ["lines_added", raw.lines_added],
    ["lines_removed", raw.lines_removed],
  ];
  for (const [key, value] of said) {
    if (value === undefined) continue;
    if (merged[key] !== undefined && merged[key] !== value) {
      throw new HapError("invalid_input", `details.${key} and ${key} say different things; give it once.`, { field: key });
    }
    merged[key] = value;
  }
  return merged;
}

function parseEscalate(
  given: { to: string[]; max_depth?: number | undefined } | undefined,
): { to: string[]; maxDepth: number } | null {
  if (given === undefined) return null;
  const to = given.to.map((person) => parseHumanId(person, "escalate.to"));
  return { to, maxDepth: given.max_depth ?? DEFAULTS.escalationDepth };
}

function parseClientId(id: string): string {
  if (ID_PATTERNS.clientTicket.test(id)) return id;
  throw new HapError(
    "invalid_id",
    `id is ${quote(id)}; an id of your own is tk_ and 20 to 64 of a-z and 0-9. Leave it out to get one.`,
    { field: "id" },
  );
}

function defaultSummary(kind: string, merged: Record<string, Json>): string {
  const file = typeof merged.file === "string" ? ` ${merged.file}` : "";
  const words = kind.replaceAll(/[_.:-]+/g, " ").trim();
  const summary = `${words.charAt(0).toUpperCase()}${words.slice(1)}${file}`;
  return summary.length <= LIMITS.summaryChars ? summary : `${[...summary].slice(0, LIMITS.summaryChars - 1).join("")}…`;
}
