// The schemas that operations are described with. Only servers, and what publishes the document, load this module.
import * as z from "zod";
import type { KeyView } from "../api-key.ts";
import { KEY_SCOPES, LIMITS, PRIORITIES, ROLES, TICKET_STATES, TIERS, type TicketState, TRUST_CLASSES } from "../constants.ts";
import type { AgentCard, Message } from "../conversation.ts";
import { CREDENTIAL_KINDS, type Credential, newCredentialSchema } from "../credential.ts";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { grantInputSchema, type SeenCall } from "../grant/grant.ts";
import type { Insights } from "../insights.ts";
import { once } from "../once.ts";
import { type PersonData, type PersonDeletion, personDataSchema, personDeletionSchema } from "../person-data.ts";
import { PHRASE_DECISIONS } from "../phrase.ts";
import { createTicketSchema } from "../schema/create-ticket.ts";
import type { LoggedEvent } from "../schema/events.ts";
import { commentSchema, signatureSchema, signedIntentSchema, type Ticket, ticketSchema } from "../schema/ticket.ts";
import type { DeadLetter, WebhookView } from "../webhook.ts";
import type { Sent, TicketPage } from "./types.ts";

/** Text of at most `max` characters; what looks like two to JavaScript, such as an emoji, is one. */
const text = (max: number) =>
  z
    .string()
    .refine((value) => value.length <= max || [...value].length <= max, {
      error: ({ input }) => `has ${[...String(input)].length} characters; at most ${max} are allowed`,
    })
    .meta({ maxLength: max });

/** Any JSON object whose fields the document does not list; its type is known to the clients. */
const json = <T>() => z.record(z.string(), z.unknown()) as unknown as z.ZodType<T, T>;

/** A whole number in a query string. */
const whole = (min: number, max: number) =>
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

/** True or false in a query string. */
const flag = () => z.enum(["true", "false", "1", "0"]).transform((word) => word === "true" || word === "1");

/** `open`, or states separated by commas. */
const states = () =>
  z
    .string()
    .regex(/^[A-Za-z_,]{1,200}$/)
    .transform((list): TicketState | "open" | TicketState[] => (list === "open" ? "open" : (list.split(",") as TicketState[])))
    .optional()
    .meta({ description: `open, or states with commas between: ${TICKET_STATES.join(", ")}` });

const comment = () => text(LIMITS.commentChars).optional();
/** The comment of a decision, which may carry comments on lines. */
const decisionComment = () => commentSchema().optional();
const decision = () => z.enum(["approve", "reject", "request_changes", "answer"]);
const anyObject = once(() => z.record(z.string(), z.unknown()));

const phrase = () =>
  text(200).optional().meta({ description: "What the person typed to confirm: the phrase that was issued for this ticket" });

const plainIntent = once(() =>
  z.object({
    decision: decision(),
    comment: decisionComment(),
    answer: z.unknown().optional(),
    edits: anyObject().optional(),
    phrase: phrase(),
  }),
);

const agentCard = once(
  (): z.ZodType<AgentCard> =>
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

const message = once(
  (): z.ZodType<Message> =>
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

const loggedEvent = once(
  () =>
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
    }) as unknown as z.ZodType<LoggedEvent>,
);

const credential = once(
  () =>
    z.object({
      id: z.string(),
      person: z.string(),
      kind: z.enum(CREDENTIAL_KINDS),
      algorithm: z.string(),
      public_key: z.string(),
      fingerprint: z.string(),
      label: z.string().nullable(),
      rp_id: z.string().nullable(),
      origins: z.array(z.string()),
      transports: z.array(z.string()),
      sign_count: z.int(),
      user_verification: z.boolean(),
      anchored: z.boolean(),
      level: z.string(),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
      revoked_at: z.string().nullable(),
    }) as unknown as z.ZodType<Credential>,
);

/** Something to sign, whose statement the clients know as `T`. */
const signable = <T>() => ({
  statement: json<T>(),
  challenge: z.string(),
  expires_at: z.string(),
});

/** What came from `navigator.credentials.create`, as the browser writes it in JSON; or an SSH key. */
const newCredential = () => ({
  nonce: text(60),
  registration: z.looseObject({ id: z.string(), rawId: z.string(), type: z.string(), response: anyObject() }).optional(),
  credential: newCredentialSchema().optional(),
});

const apiKey = once(
  () =>
    z.object({
      id: z.string(),
      agent: z.string(),
      scopes: z.array(z.enum(KEY_SCOPES)),
      created_by: z.string(),
      created_at: z.string(),
      expires_at: z.string().nullable(),
      revoked_at: z.string().nullable(),
      last_used_at: z.string().nullable(),
      replaces: z.string().nullable(),
    }) satisfies z.ZodType<KeyView>,
);

const webhookFilter = once(() =>
  z.object({
    person: text(80).optional(),
    agent: text(80).optional(),
    kind: text(64).optional(),
    tier: z.enum(TIERS).optional(),
  }),
);

const webhook = <More extends z.ZodRawShape>(more: More) =>
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()) as unknown as z.ZodType<WebhookView["events"]>,
    filter: webhookFilter(),
    created_by: z.string(),
    created_at: z.string(),
    ...more,
  });

const deadLetter = once(
  (): z.ZodType<DeadLetter> =>
    z.object({
      id: z.string(),
      webhook_id: z.string(),
      url: z.string(),
      type: z.string(),
      tries: z.int(),
      problem: z.string().nullable(),
      created_at: z.string(),
    }),
);

const seconds = () => z.number().nullable();
const insights = once(
  (): z.ZodType<Insights> =>
    z.object({
      since: z.string(),
      tickets: z.int(),
      complete: z.boolean(),
      open: z.int(),
      latency: z.array(
        z.object({ priority: z.enum(PRIORITIES), count: z.int(), p50: seconds(), p95: seconds(), p99: seconds() }),
      ),
      ended: z.object({ people: z.int(), timer: z.int(), other: z.int() }),
      risk: z.array(z.int()).length(10),
      load: z.array(z.object({ person: z.string(), decided: z.int(), per_hour: z.number() })),
      asks: z.array(z.object({ agent: z.string(), tickets: z.int(), busiest_hour: z.int() })),
      hasty: z.int(),
      expired: z.int(),
      standing: z.object({
        grants: z.int(),
        denials: z.int(),
        rules: z.int(),
        grants_in_force: z.int(),
        grants_unused: z.int(),
      }),
      security: z.array(
        z.object({ code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]), count: z.int(), last_at: z.string() }),
      ),
    }),
);

/** Everything that a table of operations may describe its inputs and outputs with. */
export const shapes = {
  ...({
    array: z.array,
    base64: z.base64,
    boolean: z.boolean,
    enum: z.enum,
    int: z.int,
    object: z.object,
    record: z.record,
    string: z.string,
    union: z.union,
    unknown: z.unknown,
  } satisfies Partial<typeof z>),
  agentCard,
  anyObject,
  apiKey,
  comment,
  createTicket: createTicketSchema,
  credential,
  credentialKind: () => z.enum(CREDENTIAL_KINDS),
  deadLetter,
  decision,
  decisionComment,
  erased: once(() => z.object({ erased: z.array(z.object({ field: z.string(), digest: z.string() })) })),
  events: once(() => z.object({ events: z.array(z.union([loggedEvent(), anyObject()])), next: z.string().nullable() })),
  flag,
  grantInput: grantInputSchema,
  insights,
  /** A decision without a signature, or the signed form, which is checked whole as soon as one of its fields is there (6.2). */
  intent: once(() => z.union([z.strictObject({ ...signedIntentSchema().shape, phrase: phrase() }), plainIntent()])),
  json,
  keyScope: () => z.enum(KEY_SCOPES),
  loggedEvent,
  message,
  newCredential,
  personData: (): z.ZodType<PersonData> => personDataSchema(),
  personDeletion: (): z.ZodType<PersonDeletion> => personDeletionSchema(),
  phrase,
  phraseDecision: () => z.enum(PHRASE_DECISIONS),
  plainIntent,
  role: () => z.enum(ROLES).nullable(),
  seenCall: once(
    (): z.ZodType<SeenCall, SeenCall> =>
      z.object({
        effects: z.array(text(64)).max(50).optional(),
        paths: z.array(text(4096)).max(1000).optional(),
        trusted: z.boolean().optional(),
        repeat_ms: z.int().min(0).max(60_000).optional(),
      }) as unknown as z.ZodType<SeenCall, SeenCall>,
  ),
  sent: () => json<Sent>(),
  share,
  signable,
  signature: signatureSchema,
  states,
  text,
  ticket: (): z.ZodType<Ticket> => ticketSchema(),
  ticketPage: once((): z.ZodType<TicketPage> => z.object({ tickets: z.array(ticketSchema()), next: z.string().nullable() })),
  tier: () => z.enum(TIERS),
  trust: () => z.enum(TRUST_CLASSES),
  webhook,
  webhookFilter,
  whole,
};

/** The schema library's half of the table, by type alone. */
export type Shapes = typeof shapes;
