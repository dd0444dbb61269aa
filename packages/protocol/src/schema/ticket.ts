// The ticket as every face shows it: the draft's fields (21.1) with names and texts resolved, then ours.
import * as z from "zod";
import { ACTOR_KINDS, DECISIONS, LIMITS, OUTCOMES, PRIORITIES, TICKET_STATES, TIERS, TIMEOUT_ACTIONS } from "../constants.ts";
import { once } from "../once.ts";
import { quorumViewSchema } from "../quorum/quorum.ts";
import { readReview } from "../review.ts";
import { answerSchema, askSchema } from "./ask.ts";
import {
  askerIdSchema,
  assuranceSchema,
  base64urlSchema,
  classifierSchema,
  hashSchema,
  humanIdSchema,
  nonceSchema,
  oneOf,
  riskSchema,
  ticketIdSchema,
  timeSchema,
  tokenSchema,
  trustSchema,
  ttlSchema,
  words,
} from "./primitives.ts";

/** Who is sent the ticket next when a lease ends (D16). */
const escalateSchema = once(() =>
  z.object({
    to: z.array(humanIdSchema()).min(1, { error: "must name at least one person" }).max(LIMITS.escalationDepthMax),
    max_depth: z.int().min(1).max(LIMITS.escalationDepthMax),
  }),
);

const leaseSchema = once(() =>
  z.object({
    ttl_seconds: ttlSchema(),
    on_timeout: oneOf(TIMEOUT_ACTIONS),
    escalate: escalateSchema().nullable().optional(),
  }),
);

const leaseViewSchema = once(() =>
  leaseSchema().extend({
    remaining_seconds: z.number(),
    deadline_at: timeSchema().nullable(),
    paused: z.boolean(),
    ack_lapses_at: timeSchema().nullable(),
    snoozed_until: timeSchema().nullable(),
    escalations: z.int(),
  }),
);

const intentSchema = once(() =>
  z.object({
    kind: tokenSchema(),
    summary: words(LIMITS.summaryChars, 1),
    details: z.record(z.string(), z.unknown()),
    confidence: riskSchema().nullable(),
  }),
);

const artifactSchema = once(() =>
  z.object({
    type: tokenSchema(),
    diff_hash: hashSchema(),
    bytes_hash: hashSchema(),
    /** The key of `intent.details` whose bytes are hashed; null when the whole intent is, or when the artifact is opaque. */
    body: z.enum(["diff", "command", "content"]).nullable(),
    opaque: z.boolean(),
    environment: tokenSchema().nullable(),
    repo: z.string().nullable(),
    base_commit: z.string().nullable(),
  }),
);

const actorSchema = once(() => z.object({ kind: z.enum(ACTOR_KINDS), id: z.string() }));

const resolutionSchema = once(() =>
  z.object({
    outcome: z.enum(OUTCOMES),
    actor: actorSchema(),
    assurance: assuranceSchema(),
    confirmed: z.boolean(),
    /** A program of the same user could have made this yes (D3). */
    unproven: z.boolean(),
    trust: trustSchema(),
    at: timeSchema(),
    comment: z.string().nullable(),
    answer: answerSchema().nullable(),
    edits: z.record(z.string(), z.unknown()).nullable(),
  }),
);
export type Resolution = z.infer<ReturnType<typeof resolutionSchema>>;

const findingsSchema = once(() => z.array(z.object({ effect: tokenSchema(), what: z.string() })));

export const ticketSchema = once(() =>
  z.object({
    id: ticketIdSchema(),
    space: tokenSchema(),
    from: askerIdSchema(),
    to: humanIdSchema(),
    state: z.enum(TICKET_STATES),
    intent: intentSchema(),
    artifact: artifactSchema(),
    ask: askSchema(),
    lease: leaseViewSchema(),
    risk: riskSchema(),
    risk_claimed: riskSchema().nullable(),
    risk_factors: z.object({ scope: z.number(), environment: z.number(), confidence: z.number() }),
    tier: z.enum(TIERS),
    effects: z.array(tokenSchema()),
    /** What the classifier found: one sentence an effect. Left out in tickets of before it was recorded. */
    findings: findingsSchema().optional(),
    /** The version of the presentation that the ticket was opened with; left out for 1. */
    presentation: z.int().min(1).optional(),
    classifier: classifierSchema(),
    policy_hash: hashSchema().nullable(),
    priority: oneOf(PRIORITIES),
    project: z.string().nullable(),
    session: tokenSchema().nullable(),
    created_at: timeSchema(),
    updated_at: timeSchema(),
    delivered_at: timeSchema().nullable(),
    /** Who must say yes and what was said so far (D45); left out where one person decides. */
    quorum: quorumViewSchema().optional(),
    resolution: resolutionSchema().nullable(),
    consumed: z.object({ by: askerIdSchema(), call_hash: hashSchema(), at: timeSchema() }).nullable(),
    heard_at: timeSchema().nullable(),
    /** Hash of the event that created it. */
    ticket_hash: hashSchema(),
    /** Place of the event that changed it last. */
    cursor: z.string(),
    seq: z.int(),
  }),
);
export type Ticket = z.infer<ReturnType<typeof ticketSchema>>;

/** How a key signs. For an SSH key it names the kind of key: the signature itself says how long the hash is. */
export const SIGNATURE_ALGORITHMS = ["ES256", "ES384", "ES512", "RS256", "EdDSA"] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/** A signed intent as it comes in (21.2): the statement's changing parts, and the signature over it or null. */
export const signatureSchema = once(() =>
  z.object({
    algorithm: z.enum(SIGNATURE_ALGORITHMS),
    value: base64urlSchema(),
    credential_id: base64urlSchema(),
    authenticator_data: base64urlSchema().optional(),
    client_data_json: base64urlSchema().optional(),
  }),
);
export type Signature = z.infer<ReturnType<typeof signatureSchema>>;

const shortComment = once(() => words(LIMITS.commentChars));

/** A person's comment on a decision: short words, or a review with comments on lines (D13, D44). */
export const commentSchema = once(() =>
  words(LIMITS.reviewChars).refine((comment) => shortComment().safeParse(comment).success || readReview(comment) !== null, {
    error: ({ input }) =>
      `has ${[...String(input)].length} characters; at most ${LIMITS.commentChars} are allowed, unless it carries comments on lines`,
  }),
);

export const signedIntentSchema = once(() =>
  z.object({
    ticket_id: ticketIdSchema(),
    from: humanIdSchema(),
    decision: oneOf(DECISIONS),
    artifact_hash: hashSchema(),
    expires_at: timeSchema(),
    nonce: nonceSchema(),
    signature: signatureSchema().nullable(),
    comment: commentSchema().optional(),
    answer: answerSchema().optional(),
    edits: z.record(z.string(), z.unknown()).optional(),
  }),
);
export type SignedIntent = z.infer<ReturnType<typeof signedIntentSchema>>;
