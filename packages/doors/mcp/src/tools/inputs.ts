// What several tools take, described for the model that fills it in.
import { LIMITS, PRIORITIES, TIMEOUT_ACTIONS } from "@hap/protocol";
import * as z from "zod";

/** Longer than this no call is held: hosts give up after a minute. */
export const LONGEST_WAIT_SECONDS = 50;

export const ticketId = z.string().describe("The ticket's id, tk_ and so on, as hap_create_ticket or hap_ask returned it.");

export const waitSeconds = z
  .number({ error: `must be a number of seconds from 0 to ${LONGEST_WAIT_SECONDS}` })
  .min(0, { error: `must be 0 or more` })
  .max(LONGEST_WAIT_SECONDS, { error: `must be at most ${LONGEST_WAIT_SECONDS}; call hap_wait again to wait longer` });

const people = z.union([z.string(), z.array(z.string())]);

/** How a ticket is addressed and how long it lives; ranges are checked by the runtime, whose errors name the field. */
export const addressing = {
  to: z.string().optional().describe("Who decides, human:name. Leave it out for the person at this machine."),
  priority: z.enum(PRIORITIES).optional().describe("A hint for the person. Default normal."),
  ttl_seconds: z
    .int()
    .min(1)
    .max(LIMITS.ttlSecondsMax)
    .optional()
    .describe("How long the ticket waits once the person was shown it. Default 3600."),
  on_timeout: z
    .enum(TIMEOUT_ACTIONS)
    .optional()
    .describe("What happens when nobody comes: auto_reject (default), cancel, or auto_approve, which is no person's yes."),
  lease: z
    .object({
      ttl_seconds: z.int().min(1).max(LIMITS.ttlSecondsMax).optional(),
      on_timeout: z.enum(TIMEOUT_ACTIONS).optional(),
      escalate: z.object({ to: people, max_depth: z.int().optional() }).optional(),
    })
    .optional()
    .describe("The same as ttl_seconds, on_timeout and escalate_to, in the wire's own form."),
  escalate_to: people.optional().describe("Who is asked next when nobody decides in time: a person, or several in order."),
  project: z.string().optional().describe("The project's folder, when it is not the one that this server was started in."),
  session: z.string().optional().describe("A name for your session, to group tickets by."),
  id: z
    .string()
    .optional()
    .describe("An id of your own (tk_ and 17 to 64 of a-z 0-9): the same call again then finds the same ticket."),
  wait_seconds: waitSeconds
    .optional()
    .describe(`Also wait this long for the decision, at most ${LONGEST_WAIT_SECONDS}. Default 0: return at once.`),
};
