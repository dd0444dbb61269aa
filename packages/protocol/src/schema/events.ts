// Every event type as it lies in the log (D18, D19): the draft's messages, with references where the draft has text.
import * as z from "zod";
import type { Json } from "../canonical-json.ts";
import {
  AUTHORITIES,
  DECISIONS,
  GRANT_ENDS,
  GRANT_LIMITS,
  GRANT_VERDICTS,
  KEY_SCOPES,
  LIMITS,
  OPEN_STATES,
  QUORUM_LIMITS,
  ROLES,
  SESSION_ENDS,
  SESSION_KINDS,
  SESSION_WAYS,
  TICKET_STATES,
  TIERS,
  TIMEOUT_ACTIONS,
  WEBHOOK_EVENTS,
} from "../constants.ts";
import { storedCredentialSchema } from "../credential.ts";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { once } from "../once.ts";
import {
  agentRuntimeSchema,
  askerIdSchema,
  base64urlSchema,
  eventIdSchema,
  grantIdSchema,
  handleSchema,
  hashSchema,
  keyIdSchema,
  messageIdSchema,
  nonceSchema,
  projectIdSchema,
  refSchema,
  runtimeIdSchema,
  ticketIdSchema,
  timeSchema,
  tokenSchema,
  trustSchema,
  webhookIdSchema,
} from "./primitives.ts";
import { actor, anyActorId, assurance, ref, storedIntentSchema, storedResolution, storedTicketSchema } from "./stored.ts";
import { signatureSchema } from "./ticket.ts";

const seconds = once(() => z.int().min(1));
/** A sentence of the runtime's own; it never quotes what somebody gave. */
const reason = once(() => z.string().min(1).max(200));
const head = once(() => z.string().regex(/^[0-9a-f]{64}$/));

/** What the runtime adds to every message. */
const envelope = once(() => ({
  id: eventIdSchema(),
  ts: timeSchema(),
  space: tokenSchema(),
  seq: z.int().min(1),
  v: z.int().min(1),
}));

/** The parts of a signed act's statement that the runtime fixes. */
const act = once(() => ({
  runtime: runtimeIdSchema(),
  epoch: z.int().min(1),
  nonce: nonceSchema(),
  issued_at: timeSchema(),
  expires_at: timeSchema(),
}));

const tokens = () => z.array(tokenSchema()).max(GRANT_LIMITS.patterns);

const ticketId = once(() => ({ ticket_id: ticketIdSchema() }));

/** The fields of each event type, beside the envelope. */
export const EVENT_FIELDS = {
  "log.genesis": () => ({
    runtime: runtimeIdSchema(),
    format: z.int().min(1),
    protocol_version: z.string().regex(/^[0-9]+\.[0-9]+$/),
    epoch: z.int().min(1),
  }),
  "log.epoch": () => ({ reason: tokenSchema(), previous_head: head(), epoch: z.int().min(2) }),
  /** Rows of a store from before the log named people: so many of the events right after it were made from them. */
  "log.imported": () => ({ events: z.int().min(0) }),
  "ticket.create": () => ({ ticket: storedTicketSchema() }),
  "ticket.state_change": () => ({
    ...ticketId(),
    from_state: z.enum(OPEN_STATES),
    to_state: z.enum(OPEN_STATES),
    delivered_to: handleSchema(),
    metadata: z.object({ reason: z.enum(["delivered", "ack_lapsed"]), at: timeSchema() }),
  }),
  "ticket.ack": () => ({ ...ticketId(), from: handleSchema(), note: ref(), ack_ttl_seconds: seconds().nullable() }),
  "intent.sign": () => ({
    intent: storedIntentSchema(),
    ...assurance(),
    authority: z.enum(AUTHORITIES),
    /** A program of the same user could have made this yes (D3); left out in logs of before the label. */
    unproven: z.boolean().optional(),
    /** Version 2: the entry of the ticket's quorum that let its maker vote; null where one vote decides (D45). */
    seat: tokenSchema().nullable().optional(),
    /** Version 2: the person whom its maker stood in for, or null. */
    on_behalf_of: handleSchema().nullable().optional(),
  }),
  "intent.invalid": () => ({
    ticket_id: ticketIdSchema().nullable(),
    from: anyActorId().nullable(),
    decision: z.enum(DECISIONS).nullable(),
    nonce: nonceSchema().nullable(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    reason: reason(),
  }),
  "ticket.timeout": () => ({
    ...ticketId(),
    action_taken: z.enum(TIMEOUT_ACTIONS),
    reason: reason(),
    deadline_at: timeSchema(),
    late: z.boolean(),
  }),
  "ticket.resolve": () => ({
    ...ticketId(),
    from_state: z.enum(OPEN_STATES),
    to_state: z.enum(TICKET_STATES),
    resolution: storedResolution(),
    /** The `intent.sign` or `ticket.timeout` that this follows from. */
    because: eventIdSchema(),
  }),
  "ticket.cancel": () => ({
    ...ticketId(),
    from_state: z.enum(OPEN_STATES),
    from: anyActorId(),
    actor: actor(),
    trust: trustSchema(),
    reason: ref(),
  }),
  "ticket.escalate": () => ({
    ...ticketId(),
    from_state: z.enum(OPEN_STATES),
    from: handleSchema(),
    to: handleSchema(),
    depth: z.int().min(0),
    /** Version 2: too few people are left to approve it, so an owner gets it; otherwise its lease ended (D45). */
    why: z.enum(["lease_ended", "quorum_short"]).optional(),
  }),
  "ticket.extend": () => ({
    ...ticketId(),
    by: z.enum(["person", "waiter"]),
    from: anyActorId(),
    seconds: z.number().min(0),
  }),
  "ticket.snooze": () => ({ ...ticketId(), from: handleSchema(), seconds: seconds(), until: timeSchema() }),
  "ticket.reassign": () => ({ ...ticketId(), from_state: z.enum(OPEN_STATES), from: handleSchema(), to: handleSchema() }),
  "ticket.note": () => ({ ...ticketId(), from: anyActorId(), note: refSchema() }),
  "ticket.consume": () => ({ ...ticketId(), call_hash: hashSchema(), by: askerIdSchema() }),
  "ticket.heard": () => ({ ...ticketId(), by: askerIdSchema() }),
  "agent.join": () => ({
    agent: askerIdSchema(),
    agent_runtime: agentRuntimeSchema(),
    project: projectIdSchema().nullable(),
    terminal: ref(),
    label: ref(),
  }),
  "agent.seen": () => ({ agent: askerIdSchema() }),
  "agent.leave": () => ({ agent: askerIdSchema() }),
  "message.queue": () => ({
    message_id: messageIdSchema(),
    agent: askerIdSchema(),
    from: handleSchema(),
    text: ref(),
    attachments: z.array(z.object({ about: refSchema(), parts: z.array(refSchema()).min(1) })).max(LIMITS.attachmentsMax),
  }),
  /** A person's label and group for an agent; null takes either away. */
  "agent.label": () => ({ agent: askerIdSchema(), from: handleSchema(), name: ref(), group: ref() }),
  /** A person changed the queue: `messages` exchange their places into this order, `withdrawn` ones are never told. */
  "message.arrange": () => ({
    agent: askerIdSchema(),
    from: handleSchema(),
    messages: z.array(messageIdSchema()).max(LIMITS.messagesPerTake),
    withdrawn: z.array(messageIdSchema()).max(LIMITS.messagesPerTake),
  }),
  "message.take": () => ({
    agent: askerIdSchema(),
    messages: z.array(messageIdSchema()).min(1).max(LIMITS.messagesPerTake),
    /** The question in whose place, or with whose answer, the words were told. */
    taken_by: ticketIdSchema().nullable(),
  }),
  "credential.enrol": () => ({
    from: handleSchema(),
    credential: storedCredentialSchema(),
    ...act(),
    /** A first key is vouched for by a typed code, a later one by an older key. */
    proof: z.enum(["code", "assertion"]),
    assertion: signatureSchema().nullable(),
    trust: trustSchema(),
  }),
  "credential.revoke": () => ({
    /** Who revoked it: its person, or an owner. */
    from: handleSchema(),
    credential_id: base64urlSchema(),
    ...act(),
    assertion: signatureSchema().nullable(),
    trust: trustSchema(),
  }),
  "policy.trust": () => ({ from: handleSchema(), file_hash: hashSchema(), confirmed: z.boolean(), trust: trustSchema() }),
  "policy.decision": () => ({
    from: askerIdSchema(),
    call_hash: hashSchema(),
    verdict: z.enum(["allow", "ask", "deny"]),
    rule: tokenSchema(),
    file_hash: hashSchema(),
  }),
  /** A person answers calls that come later (D43). Patterns of commands, paths and hosts are a content; null narrows nothing. */
  "grant.create": () => ({
    grant_id: grantIdSchema(),
    from: handleSchema(),
    verdict: z.enum(GRANT_VERDICTS),
    agent: askerIdSchema().nullable(),
    session: tokenSchema().nullable(),
    project: projectIdSchema().nullable(),
    kinds: tokens().nullable(),
    environments: tokens().nullable(),
    effects: tokens().nullable(),
    patterns: ref(),
    ends_at: timeSchema().nullable(),
    uses: z.int().min(1).max(GRANT_LIMITS.uses).nullable(),
    rate: z
      .object({ uses: z.int().min(1).max(GRANT_LIMITS.uses), seconds: z.int().min(1).max(GRANT_LIMITS.rateSeconds) })
      .nullable(),
    /** The ticket that it was proposed from. */
    ticket: ticketIdSchema().nullable(),
    ...act(),
    ...assurance(),
    assertion: signatureSchema().nullable(),
  }),
  /** A grant answered one call. What the call was is a content, so that `hap verify` can match it again. */
  "grant.use": () => ({
    grant_id: grantIdSchema(),
    by: askerIdSchema(),
    call_hash: hashSchema(),
    /** Which use of the grant it is, from 1 on. */
    use: z.int().min(1),
    kind: tokenSchema(),
    session: tokenSchema().nullable(),
    project: projectIdSchema().nullable(),
    environment: tokenSchema().nullable(),
    tier: z.enum(TIERS),
    effects: z.array(tokenSchema()),
    call: refSchema(),
    /** By what right the grant's maker answers for this call; null for a denial. */
    authority: z.enum(["addressee", "owner", "approver"]).nullable(),
    trust: trustSchema(),
  }),
  "grant.end": () => ({
    grant_id: grantIdSchema(),
    /** Who ended it; null where its own limits did. */
    from: handleSchema().nullable(),
    because: z.enum(GRANT_ENDS),
    /** The statement of a signed end; null where none was needed. */
    signed: z.object({ ...act(), assertion: signatureSchema() }).nullable(),
    confirmed: z.boolean(),
    trust: trustSchema(),
  }),
  /** An agent may come in with a secret that hashes to this. */
  "key.create": () => ({
    key_id: keyIdSchema(),
    agent: askerIdSchema(),
    scopes: z.array(z.enum(KEY_SCOPES)).min(1),
    key_hash: hashSchema(),
    from: handleSchema(),
    expires_at: timeSchema().nullable(),
    /** The key whose place it takes. */
    replaces: keyIdSchema().nullable(),
    trust: trustSchema(),
  }),
  "key.revoke": () => ({ key_id: keyIdSchema(), from: handleSchema(), trust: trustSchema() }),
  /** From here on an address is told what happens. What signs the messages is nowhere in the log. */
  "webhook.create": () => ({
    webhook_id: webhookIdSchema(),
    from: handleSchema(),
    url: refSchema(),
    events: z.array(z.enum(WEBHOOK_EVENTS)).min(1),
    /** Only tickets like this; null does not narrow. */
    filter: z.object({
      person: handleSchema().nullable(),
      agent: askerIdSchema().nullable(),
      kind: tokenSchema().nullable(),
      tier: z.enum(TIERS).nullable(),
    }),
    trust: trustSchema(),
  }),
  "webhook.remove": () => ({ webhook_id: webhookIdSchema(), from: handleSchema(), trust: trustSchema() }),
  /** A person or a project got its handle. */
  "directory.add": () => ({ handle: z.union([handleSchema(), projectIdSchema()]), name: refSchema(), since: timeSchema() }),
  /** An account of an identity provider means a person; `from` is the owner who said so, null when the account claimed a free name. */
  "account.link": () => ({
    person: handleSchema(),
    account: refSchema(),
    since: timeSchema(),
    from: handleSchema().nullable(),
    trust: trustSchema(),
  }),
  "account.unlink": () => ({
    person: handleSchema(),
    /** The `account.link` that ends. */
    link: eventIdSchema(),
    from: handleSchema(),
    trust: trustSchema(),
  }),
  /** An agent joined through the key of another, which answers for it. */
  "agent.own": () => ({ agent: askerIdSchema(), owner: askerIdSchema() }),
  /** What a confirmed policy makes of a person; null takes the role away. */
  "role.set": () => ({ person: handleSchema(), role: z.enum(ROLES).nullable(), file_hash: hashSchema() }),
  /** Who is in a group by the confirmed policy; an empty list takes the group away (D45). */
  "group.set": () => ({
    group: tokenSchema(),
    members: z.array(handleSchema()).max(QUORUM_LIMITS.groupMembers),
    file_hash: hashSchema(),
  }),
  /** Somebody signed in. The secret is nowhere; its hash is here. */
  "session.begin": () => ({
    session_hash: hashSchema(),
    person: handleSchema(),
    kind: z.enum(SESSION_KINDS),
    how: z.enum(SESSION_WAYS),
    began_at: timeSchema(),
  }),
  "session.end": () => ({ session_hash: hashSchema(), person: handleSchema(), reason: z.enum(SESSION_ENDS) }),
  /** What a request made that may be sent again: a salted digest of its key, its body and the ticket. */
  "request.keep": () => ({ digest: hashSchema(), kept_at: timeSchema() }),
  /** Wall clock and uptime when a ticket that a timer may approve was delivered. */
  "clock.anchor": () => ({ ticket: ticketIdSchema(), wall_at: timeSchema(), uptime_ms: z.int().min(0) }),
  "content.erased": () => ({ from: anyActorId(), digests: z.array(hashSchema()).min(1), reason: ref() }),
  /**
   * A person was deleted (draft 19.1): the name, accounts, sign-ins and own texts are gone, the keys are revoked, and the handle can
   * do nothing more. `from` is the person themselves, an owner, or `system:backup` in a backup that followed.
   */
  "person.erased": () => ({ person: handleSchema(), from: anyActorId(), trust: trustSchema() }),
} as const;
export type EventType = keyof typeof EVENT_FIELDS;

/** Every event type, in the order of the table above. */
export const EVENT_TYPES = Object.keys(EVENT_FIELDS) as EventType[];

type FieldsOf<T extends EventType> = ReturnType<(typeof EVENT_FIELDS)[T]>;
const makeEventSchema = <T extends EventType>(type: T) =>
  z.object({ ...envelope(), type: z.literal(type), ...(EVENT_FIELDS[type]() as FieldsOf<T>) });
const eventSchemas = new Map<EventType, unknown>();

/** The schema of one event type's whole payload. */
export function eventSchema<T extends EventType>(type: T) {
  if (!eventSchemas.has(type)) eventSchemas.set(type, makeEventSchema(type));
  return eventSchemas.get(type) as ReturnType<typeof makeEventSchema<T>>;
}

type Infer<F> = z.infer<F & z.ZodType>;
/** Fields that a version or a log from before lacks may be left out. */
type FieldValues<F> = { readonly [K in keyof F as undefined extends Infer<F[K]> ? never : K]: Infer<F[K]> } & {
  readonly [K in keyof F as undefined extends Infer<F[K]> ? K : never]?: Infer<F[K]> | undefined;
};
type Fields<T extends EventType> = FieldValues<FieldsOf<T>>;
/** An event of one type before the log has stamped it. */
export type NewEventOf<T extends EventType> = { type: T } & Fields<T>;
/** Any event before the log has stamped it. */
export type NewEvent = { [T in EventType]: NewEventOf<T> }[EventType];
/** A payload of one type, as hashed. */
export type EventOf<T extends EventType> = { id: string; ts: string; space: string; seq: number; v: number } & NewEventOf<T>;
/** Any payload, as hashed. */
export type HapEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event as `hap events --json` and every feed print it. */
export type LoggedEvent = {
  seq: number;
  id: string;
  type: string;
  ts: string;
  payload: HapEvent;
  prev_hash: string;
  hash: string;
  cursor: string;
  /** The payload with names for handles and words for digests, where the reader may see them; never part of what is hashed. */
  resolved?: Json;
};
