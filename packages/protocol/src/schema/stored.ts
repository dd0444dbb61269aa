// What events hold of a ticket, a vote and a resolution (D18, D19): references where the draft has text.
import * as z from "zod";
import { ACTOR_KINDS, ASK_TYPES, DECISIONS, OUTCOMES, PRIORITIES, TIERS, TIMEOUT_ACTIONS } from "../constants.ts";
import { once } from "../once.ts";
import { storedQuorumSchema } from "../quorum/quorum.ts";
import {
  askerIdSchema,
  assuranceSchema,
  classifierSchema,
  handleSchema,
  hashSchema,
  nonceSchema,
  projectIdSchema,
  refSchema,
  riskSchema,
  runtimeIdSchema,
  ticketIdSchema,
  timeSchema,
  tokenSchema,
  trustSchema,
  ttlSchema,
} from "./primitives.ts";
import { signatureSchema } from "./ticket.ts";

export const ref = once(() => refSchema().nullable());
export const anyActorId = once(() => z.union([handleSchema(), askerIdSchema()]));
export const actor = once(() => z.object({ kind: z.enum(ACTOR_KINDS), id: z.union([anyActorId(), tokenSchema()]) }));
export const assurance = once(() => ({ assurance: assuranceSchema(), confirmed: z.boolean(), trust: trustSchema() }));

/** The ticket inside `ticket.create`: everything that was fixed when it was opened. */
export const storedTicketSchema = once(() =>
  z.object({
    id: ticketIdSchema(),
    from: askerIdSchema(),
    to: handleSchema(),
    intent: z.object({ kind: tokenSchema(), summary: refSchema(), details: refSchema(), confidence: riskSchema().nullable() }),
    artifact: z.object({
      type: tokenSchema(),
      body: z.enum(["diff", "command", "content"]).nullable(),
      opaque: z.boolean(),
      diff_hash: hashSchema(),
      bytes_hash: hashSchema(),
      environment: tokenSchema().nullable(),
      repo: ref(),
      base_commit: ref(),
    }),
    ask_type: z.enum(ASK_TYPES),
    allow_edits: z.boolean(),
    /** The question; null for an approval. */
    ask: ref(),
    lease: z.object({
      ttl_seconds: ttlSchema(),
      on_timeout: z.enum(TIMEOUT_ACTIONS),
      escalate: z.object({ to: z.array(handleSchema()), max_depth: z.int() }).nullable(),
    }),
    risk: riskSchema(),
    risk_claimed: riskSchema().nullable(),
    risk_factors: z.object({ scope: z.number(), environment: z.number(), confidence: z.number() }),
    tier: z.enum(TIERS),
    effects: z.array(tokenSchema()),
    /** The classifier's sentences, which may quote the command; left out where there are none. */
    findings: refSchema().optional(),
    /** The version of the presentation (D23); left out for 1. */
    presentation: z.int().min(2).optional(),
    classifier: classifierSchema(),
    policy_hash: hashSchema().nullable(),
    priority: z.enum(PRIORITIES),
    project: projectIdSchema().nullable(),
    /** Version 2: whose yes it takes, where one is not enough (D45). Left out in version 1. */
    quorum: storedQuorumSchema().optional(),
    session: tokenSchema().nullable(),
    created_at: timeSchema(),
  }),
);
export type LoggedTicket = z.infer<ReturnType<typeof storedTicketSchema>>;

/** The vote (D6): the statement's parts that are not fixed by the ticket, and the signature or null. */
export const storedIntentSchema = once(() =>
  z.object({
    ticket_id: ticketIdSchema(),
    ticket_hash: hashSchema(),
    from: z.union([handleSchema(), askerIdSchema()]),
    decision: z.enum(DECISIONS),
    artifact_hash: hashSchema(),
    bytes_hash: hashSchema(),
    presentation_hash: hashSchema(),
    runtime: runtimeIdSchema(),
    epoch: z.int().min(1),
    nonce: nonceSchema(),
    issued_at: timeSchema(),
    expires_at: timeSchema(),
    signature: signatureSchema().nullable(),
    comment: ref(),
    answer: ref(),
    edits: ref(),
  }),
);
export type StoredIntent = z.infer<ReturnType<typeof storedIntentSchema>>;

export const storedResolution = once(() =>
  z.object({
    outcome: z.enum(OUTCOMES),
    actor: actor(),
    ...assurance(),
    at: timeSchema(),
    comment: ref(),
    answer: ref(),
    edits: ref(),
  }),
);
export type StoredResolution = z.infer<ReturnType<typeof storedResolution>>;
