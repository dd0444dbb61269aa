// hap_create_ticket: ask a person to approve an action before it is done.
import * as z from "zod";
import { taskResult } from "../tasks.ts";
import { statusResult, statusSchema } from "../ticket-words.ts";
import { awaitEnd } from "./await-end.ts";
import { addressing } from "./inputs.ts";
import { tool } from "./tool.ts";

export const createTicket = tool({
  name: "hap_create_ticket",
  title: "Ask a person for approval",
  description: `Ask a person to approve an action BEFORE you do it: running a command, changing or deleting files, deploying, spending, sending. Returns at once with a ticket_id; the person decides in their own inbox, in minutes or hours. Then call hap_wait with that ticket_id until status is no longer "open". Act only when status is "approved", and do exactly what you described. Put the exact command into details.command, or the exact unified diff into diff: what is not shown cannot be approved knowingly and counts as more dangerous. For a question with an answer of its own use hap_ask.`,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  forPerson: false,
  input: z.object({
    summary: z.string().describe("What you want to do and why, in one line of at most 200 characters."),
    kind: z
      .string()
      .optional()
      .describe(
        "run_command, modify_file, create_file, delete_file, deploy, approve_expense, or a word of your own. Default modify_file.",
      ),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Everything the person needs to see, as JSON: {"command": "..."} for a command, {"content": "..."} for a new file.',
      ),
    file: z.string().optional().describe("The file that it is about."),
    diff: z.string().optional().describe("The whole unified diff; it is bound by its hash and can be applied with `hap apply`."),
    lines_added: z.int().min(0).optional().describe("Lines that are added; counted by HAP where it has the diff."),
    lines_removed: z.int().min(0).optional().describe("Lines that are removed; counted by HAP where it has the diff."),
    environment: z.string().optional().describe("Where it takes effect: prod, staging, dev or another."),
    confidence: z.number().min(0).max(1).optional().describe("How sure you are, 0 to 1."),
    risk: z.number().min(0).max(1).optional().describe("Your own estimate, 0 to 1. A higher one than computed counts."),
    allow_edits: z.boolean().optional().describe("Let the person change details before approving. Default false."),
    artifact: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("What is approved, in the wire's own form: type, diff_hash, diff or content, environment, repo, base_commit."),
    intent: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("kind, details and confidence in the wire's own form. What is also said beside it must be the same."),
    ...addressing,
  }),
  output: statusSchema,
  async run({ wait_seconds: seconds = 0, allow_edits, project, ...input }, call) {
    const folder = project ?? call.face.project;
    const ticket = await call.client.createTicket({
      ...input,
      ...(folder === null ? {} : { project: folder }),
      ...(allow_edits === true ? { ask: { type: "approval", allow_edits } } : {}),
    });
    if (call.powers.tasks) return taskResult(ticket);
    return statusResult(seconds > 0 ? await awaitEnd(call, ticket, seconds) : ticket);
  },
});
