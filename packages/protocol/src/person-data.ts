// What a person may ask for of the log (draft 19.1): all of their data as one document, and the plan and report of a deletion.
import * as z from "zod";
import { ROLES, SESSION_KINDS, SESSION_WAYS } from "./constants.ts";
import { once } from "./once.ts";
import { eventIdSchema, handleSchema, hashSchema, timeSchema } from "./schema/primitives.ts";
import { ticketSchema } from "./schema/ticket.ts";

/** The version of the export's format. */
export const PERSON_DATA_FORMAT = "hap.person-data/1";

const anyObject = once(() => z.record(z.string(), z.unknown()));

/** A text of somebody else in which the person's name or address stands. */
const mentionSchema = once(() =>
  z.object({
    digest: hashSchema(),
    field: z.string(),
    event_id: eventIdSchema(),
    ticket_id: z.string().nullable(),
    /** Who wrote it: an agent's id, a person's name, or null for the runtime. */
    written_by: z.string().nullable(),
    /** Which of the searched words it holds. */
    found: z.array(z.string()).min(1),
    excerpt: z.string(),
    /** Why it cannot be erased by the deletion, or null. */
    kept_because: z.string().nullable(),
  }),
);
export type Mention = z.infer<ReturnType<typeof mentionSchema>>;

/** `hap export-data`: everything in the store that is a person's. */
export const personDataSchema = once(() =>
  z.object({
    format: z.literal(PERSON_DATA_FORMAT),
    exported_at: timeSchema(),
    person: z.string(),
    /** What stands for the person in the log. */
    handle: handleSchema(),
    known_since: timeSchema(),
    role: z.enum(ROLES).nullable(),
    accounts: z.array(z.object({ issuer: z.string(), subject: z.string(), since: timeSchema() })),
    credentials: z.array(anyObject()),
    sessions: z.array(
      z.object({
        kind: z.enum(SESSION_KINDS),
        how: z.enum(SESSION_WAYS),
        began_at: timeSchema(),
        last_used_at: timeSchema(),
        expires_at: timeSchema(),
      }),
    ),
    /** Tickets addressed to the person, or on which they acted. */
    tickets: z.array(ticketSchema()),
    /** The person's votes, with their words. */
    intents: z.array(anyObject()),
    /** Every text that the person wrote: comments, answers, notes, reasons. */
    comments: z.array(
      z.object({
        event_id: eventIdSchema(),
        ticket_id: z.string().nullable(),
        at: timeSchema(),
        field: z.string(),
        text: z.unknown(),
      }),
    ),
    /** Messages that the person left for agents, with the bytes of their files in base64. */
    conversations: z.array(
      z.object({
        id: z.string(),
        agent: z.string(),
        text: z.string().nullable(),
        queued_at: timeSchema(),
        taken_at: timeSchema().nullable(),
        attachments: z.array(
          z.object({ name: z.string(), media_type: z.string(), size: z.int(), sha256: hashSchema(), data: z.string() }),
        ),
      }),
    ),
    settings: z.object({
      /** Browsers that are notified. */
      browsers: z.array(z.object({ endpoint: z.string(), created_at: timeSchema() })),
      /** API keys and webhooks that the person made. */
      keys: z.array(
        z.object({ id: z.string(), agent: z.string(), created_at: timeSchema(), revoked_at: timeSchema().nullable() }),
      ),
      webhooks: z.array(z.object({ id: z.string(), created_at: timeSchema(), removed_at: timeSchema().nullable() })),
    }),
    /** Every event that names the person, with names and words. */
    events: z.array(anyObject()),
    /** Texts of others that hold the person's name or address. */
    mentions: z.array(mentionSchema()),
  }),
);
export type PersonData = z.infer<ReturnType<typeof personDataSchema>>;

/** `hap delete-human`: what a deletion would do, or did. */
export const personDeletionSchema = once(() =>
  z.object({
    person: z.string(),
    handle: handleSchema(),
    dry_run: z.boolean(),
    /** What must be done first; a deletion is refused while this is not empty. */
    blockers: z.array(z.string()),
    /** How much goes, by kind. */
    erased: z.object({
      texts: z.int(),
      accounts: z.int(),
      sessions: z.int(),
      browsers: z.int(),
      /** Keys are revoked; their public halves stay. */
      credentials_revoked: z.int(),
    }),
    /** Open tickets for the person, and what becomes of them. */
    open_tickets: z.array(z.object({ ticket_id: z.string(), becomes: z.string() })),
    mentions: z.array(z.object({ ...mentionSchema().shape, decision: z.enum(["erase", "keep"]).nullable() })),
    /** What stays, and why. */
    kept: z.array(z.object({ what: z.string(), why: z.string() })),
    /** Backups that HAP made: the deletion reaches them too. */
    backups: z.array(
      z.object({
        path: z.string(),
        made_at: timeSchema(),
        result: z.enum(["planned", "erased", "missing", "failed"]),
        problem: z.string().nullable(),
      }),
    ),
  }),
);
export type PersonDeletion = z.infer<ReturnType<typeof personDeletionSchema>>;
/** What became of one backup. */
export type BackupErasure = PersonDeletion["backups"][number];

/** How a deletion is asked for, beside whose it is. */
export type DeletePersonInput = {
  /** Only say what it would do. */
  dry_run?: boolean | undefined;
  /** The phrase that the engine issued, as it was typed. */
  phrase?: string | undefined;
  /** What to do with texts of others that name the person: all of them alike, or by digest. */
  mentions?: "erase" | "keep" | Readonly<Record<string, "erase" | "keep">> | undefined;
  /** Further words to search for: a full name, an address. */
  also?: readonly string[] | undefined;
  /** Who gets the open tickets; left out, they are canceled. */
  reassign_to?: string | undefined;
};
