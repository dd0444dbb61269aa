// What a caller may say when it opens a ticket: the flat form of the draft's 7.3 or the nested one of 11.2, made one.
import * as z from "zod";
import { canonicalJson, type Json } from "../canonical-json.ts";
import { DEFAULTS, LIMITS, PRIORITIES, type Priority, TIMEOUT_ACTIONS, type TimeoutAction } from "../constants.ts";
import { HapError } from "../errors.ts";
import { checkAskerId, checkHumanId, ID_PATTERNS, quote } from "../identifiers.ts";
import { once } from "../once.ts";
import { parseWith } from "../parse.ts";
import { type Ask, askSchema } from "./ask.ts";
import { checkDetails } from "./details.ts";
import { hashSchema, oneOf, riskSchema, tokenSchema, ttlSchema, words } from "./primitives.ts";

const peopleWords = `must be a person or a list of 1 to ${LIMITS.escalationDepthMax} people`;
const people = once(() =>
  z.union(
    [
      z.string().transform((one) => [one]),
      z.array(z.string()).min(1, { error: peopleWords }).max(LIMITS.escalationDepthMax, { error: peopleWords }),
    ],
    {
      error: peopleWords,
    },
  ),
);
const lines = once(() =>
  z.int({ error: "must be a whole number of lines, 0 or more" }).min(0, { error: "must be a whole number of lines, 0 or more" }),
);
/** Taken as it is: a record of zod would drop the key `__proto__` without a word. */
const details = once(() =>
  z
    .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
      error: "must be a JSON object",
    })
    .meta({ type: "object" }),
);
const name = (what: string) => z.string({ error: `must be the id of ${what}` });
const body = once(() => z.string({ error: "must be text" }));

const depthWords = `must be a whole number from 1 to ${LIMITS.escalationDepthMax}`;
const depth = once(() =>
  z.int({ error: depthWords }).min(1, { error: depthWords }).max(LIMITS.escalationDepthMax, { error: depthWords }),
);
const escalateInput = once(() => z.object({ to: people(), max_depth: depth().optional() }));

const artifactInput = once(() =>
  z.object({
    type: tokenSchema().optional(),
    diff_hash: hashSchema().optional(),
    bytes_hash: hashSchema().optional(),
    diff: body().optional(),
    content: body().optional(),
    environment: tokenSchema().optional(),
    repo: words(1000).optional(),
    base_commit: words(200).optional(),
  }),
);

/** Both forms at once. Ids are looked at later, so that their errors can say what an id is. */
export const createTicketSchema = once(() =>
  z.object(
    {
      id: name("a ticket").optional(),
      from: name("an agent").optional(),
      to: name("a person").optional(),
      kind: tokenSchema().optional(),
      intent_kind: tokenSchema().optional(),
      summary: words(LIMITS.summaryChars, 1).optional(),
      details: details().optional(),
      intent: z
        .object({
          kind: tokenSchema().optional(),
          summary: words(LIMITS.summaryChars, 1).optional(),
          details: details().optional(),
          confidence: riskSchema().nullish(),
        })
        .optional(),
      file: words(4096, 1).optional(),
      diff: body().optional(),
      lines_added: lines().optional(),
      lines_removed: lines().optional(),
      artifact: artifactInput().nullish(),
      environment: tokenSchema().optional(),
      confidence: riskSchema().nullish(),
      risk: riskSchema().nullish(),
      priority: oneOf(PRIORITIES).optional(),
      lease: z
        .object({
          ttl_seconds: ttlSchema().optional(),
          on_timeout: oneOf(TIMEOUT_ACTIONS).optional(),
          escalate: escalateInput().nullish(),
        })
        .optional(),
      ttl_seconds: ttlSchema().optional(),
      on_timeout: oneOf(TIMEOUT_ACTIONS).optional(),
      escalate_to: people().optional(),
      ask: askSchema().optional(),
      project: words(4096, 1).optional(),
      session: tokenSchema().optional(),
    },
    { error: "must be a JSON object" },
  ),
);

/** What callers write. */
export type CreateTicketInput = z.input<ReturnType<typeof createTicketSchema>>;

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

/** Parse either form into one. Errors name the field; what is said in both forms must be the same. */
export function parseCreateTicket(input: unknown): TicketRequest {
  const raw = parseWith(createTicketSchema(), input, "The ticket");
  const ask = raw.ask ?? { type: "approval", allow_edits: false };
  const kind =
    agreed("kind", raw.kind, raw.intent_kind, raw.intent?.kind) ?? (ask.type === "approval" ? DEFAULTS.kind : "question");
  const merged = mergeDetails(raw);
  return {
    id: raw.id === undefined ? null : parseClientId(raw.id),
    from: raw.from === undefined ? DEFAULTS.agent : checkAskerId(raw.from, "from"),
    to: raw.to === undefined ? null : checkHumanId(raw.to, "to"),
    kind,
    summary: agreed("summary", raw.summary, raw.intent?.summary) ?? defaultSummary(kind, merged),
    details: merged,
    confidence: agreed("confidence", raw.confidence, raw.intent?.confidence) ?? null,
    artifact: {
      type: raw.artifact?.type ?? null,
      diffHash: raw.artifact?.diff_hash ?? null,
      bytesHash: raw.artifact?.bytes_hash ?? null,
      environment: agreed("environment", raw.environment, raw.artifact?.environment) ?? null,
      repo: raw.artifact?.repo ?? null,
      baseCommit: raw.artifact?.base_commit ?? null,
    },
    ask,
    lease: {
      ttlSeconds: agreed("ttl_seconds", raw.ttl_seconds, raw.lease?.ttl_seconds) ?? null,
      onTimeout: agreed("on_timeout", raw.on_timeout, raw.lease?.on_timeout) ?? null,
      escalate: parseEscalate(raw.lease?.escalate ?? (raw.escalate_to === undefined ? undefined : { to: raw.escalate_to })),
    },
    riskClaimed: raw.risk ?? null,
    priority: raw.priority ?? DEFAULTS.priority,
    project: raw.project ?? null,
    session: raw.session ?? null,
  };
}

/** What was said, in whichever place; said twice, it must be the same. */
function agreed<T extends Json>(field: string, ...said: (T | null | undefined)[]): T | undefined {
  let first: T | undefined;
  for (const value of said) {
    if (value === undefined || value === null) continue;
    first ??= value;
    if (value !== first && canonicalJson(value) !== canonicalJson(first))
      throw new HapError("invalid_input", `${field} is given twice and says different things; give it once.`, { field });
  }
  return first;
}

/** The draft keeps file, diff and line counts inside `details`; here they may also stand beside it. */
function mergeDetails(raw: z.output<ReturnType<typeof createTicketSchema>>): Record<string, Json> {
  const { file, diff, lines_added, lines_removed, artifact } = raw;
  if (raw.intent?.details !== undefined) checkDetails(raw.intent.details, "intent.details");
  const merged: Record<string, Json> = {};
  const parts = [
    raw.intent?.details ?? {},
    raw.details ?? {},
    { file, diff, lines_added, lines_removed },
    { diff: artifact?.diff, content: artifact?.content },
  ];
  for (const part of parts) {
    if (Object.values(part).every((value) => value === undefined)) continue;
    checkDetails(part, "details");
    for (const [key, value] of Object.entries(part) as [string, Json | undefined][]) {
      if (value === undefined) continue;
      const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
      merged[key] = before === undefined ? value : (agreed(`details.${key}`, before, value) ?? null);
    }
  }
  return merged;
}

function parseEscalate(
  given: { to: string[]; max_depth?: number | undefined } | null | undefined,
): { to: string[]; maxDepth: number } | null {
  if (given === undefined || given === null) return null;
  const to = given.to.map((person) => checkHumanId(person, "escalate.to"));
  return { to, maxDepth: given.max_depth ?? DEFAULTS.escalationDepth };
}

function parseClientId(id: string): string {
  if (ID_PATTERNS.clientTicket.test(id)) return id;
  throw new HapError(
    "invalid_id",
    `id is ${quote(id)}; an id of your own is tk_ and 17 to 64 of a-z and 0-9. Leave it out to get one.`,
    { field: "id" },
  );
}

function defaultSummary(kind: string, merged: Record<string, Json>): string {
  const file = typeof merged.file === "string" ? ` ${merged.file}` : "";
  const words = kind.replaceAll(/[_.:-]+/g, " ").trim();
  const summary = [...`${words.charAt(0).toUpperCase()}${words.slice(1)}${file}`];
  return summary.length <= LIMITS.summaryChars ? summary.join("") : `${summary.slice(0, LIMITS.summaryChars - 1).join("")}…`;
}
