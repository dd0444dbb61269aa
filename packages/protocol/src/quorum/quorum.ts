// How many people must say yes to a ticket, and who (D45). Fixed in `ticket.create`, so every vote is signed over it; who is in a
// group is looked up when somebody votes.
import * as z from "zod";
import { ASSURANCE_LEVELS, DECISIONS, QUORUM_LIMITS, QUORUM_ORDERS } from "../constants.ts";
import { once } from "../once.ts";
import { handleSchema, humanIdSchema, timeSchema, tokenSchema } from "../schema/primitives.ts";

/** The fields that a rule and a ticket share. Keys in the order that the log has them. */
const common = once(() => ({
  need: z.int().min(1).max(QUORUM_LIMITS.need),
  not_alone: z.boolean(),
  not_requester: z.boolean(),
  of: z.array(tokenSchema()).min(1).max(QUORUM_LIMITS.of),
  order: z.enum(QUORUM_ORDERS),
  rejections: z.int().min(1).max(QUORUM_LIMITS.need),
}));

/** The quorum inside `ticket.create`: people in `of` by handle, and whose agent asks, or null. */
export const storedQuorumSchema = once(() => z.object({ ...common(), requester: handleSchema().nullable() }));
export type StoredQuorum = z.infer<ReturnType<typeof storedQuorumSchema>>;

/** What one person said, as every face shows it. */
const voteSchema = once(() =>
  z.object({
    by: humanIdSchema(),
    /** The person whom they stood in for, or null. */
    on_behalf_of: humanIdSchema().nullable(),
    decision: z.enum(DECISIONS),
    /** The entry of `of` that let them vote. */
    seat: z.string(),
    at: timeSchema(),
    assurance: z.enum(ASSURANCE_LEVELS),
    confirmed: z.boolean(),
    /** A program of the same user could have made this yes (D3). */
    unproven: z.boolean(),
    comment: z.string().nullable(),
    /** False once the voter has left the group, or the key that signed was revoked. */
    counts: z.boolean(),
  }),
);

/** A quorum as every face shows it, with names and everything said so far. */
export const quorumViewSchema = once(() =>
  z.object({
    ...common(),
    of: z.array(z.string()),
    requester: z.string().nullable(),
    votes: z.array(voteSchema()),
    yes: z.int(),
    no: z.int(),
    /** How many yes are still needed. */
    missing: z.int(),
    /** Who can vote yes next and has not, by name; the first few. */
    waiting_for: z.array(z.string()),
    /** Why it cannot be approved as things are, or null. */
    short: z.string().nullable(),
  }),
);
export type QuorumView = z.infer<ReturnType<typeof quorumViewSchema>>;
