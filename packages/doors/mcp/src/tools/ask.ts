// hap_ask: a question. Where the host can show a form, its user may answer there (relayed, D4); otherwise in the inbox.
import { type AskInput, type CreateTicketInput, HapError } from "@hap/protocol";
import * as z from "zod";
import { offerForm, takeAnswer } from "../relay.ts";
import { taskResult } from "../tasks.ts";
import { statusResult, statusSchema } from "../ticket-words.ts";
import { awaitEnd } from "./await-end.ts";
import { addressing } from "./inputs.ts";
import { type ToolCall, type ToolResult, tool } from "./tool.ts";

const option = z.union([
  z.string(),
  z.object({ key: z.string().optional(), label: z.string(), description: z.string().optional() }),
]);

const input = z.object({
  question: z.string().describe("The question, in full. The first line, up to 200 characters, is its title."),
  type: z
    .enum(["text", "choice", "confirm", "form"])
    .optional()
    .describe("text (default), choice (needs options), confirm (yes or no), form (needs fields)."),
  options: z.array(option).optional().describe("For a choice: labels, or objects with key and label."),
  allow_multiple: z.boolean().optional().describe("For a choice: several may be chosen."),
  allow_other: z.boolean().optional().describe("For a choice: the person may answer in words of their own."),
  confirm_label: z.string().optional().describe("For confirm: the words of yes."),
  cancel_label: z.string().optional().describe("For confirm: the words of no."),
  fields: z
    .array(
      z.object({
        key: z.string().optional(),
        label: z.string(),
        kind: z.enum(["text", "number", "boolean", "choice"]).optional(),
        options: z.array(option).optional(),
        allow_multiple: z.boolean().optional(),
        allow_other: z.boolean().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional()
    .describe("For a form: its fields."),
  via: z
    .enum(["any", "inbox"])
    .optional()
    .describe("any (default): this client's user may answer in a form here, if it can show one. inbox: only in the inbox."),
  ...addressing,
});
type Input = z.infer<typeof input>;

export const ask = tool({
  name: "hap_ask",
  title: "Ask a person a question",
  description: `Ask a person a question and get a typed answer: words, a choice, yes or no, or a form. Use it when you cannot go on without knowing what they want; ask one thing at a time and offer options where you can. Returns the answer if it is given at once, otherwise a ticket_id: call hap_wait with it. If "relayed" is true, the answer came through this client and nothing proves that a person gave it. It is not for permission to act: use hap_create_ticket for that.`,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  forPerson: false,
  input,
  output: statusSchema,
  run: (given, call) => (call.state === null ? open(given, call) : takeAnswer(call, call.state.ticket_id)),
});

async function open(given: Input, call: ToolCall): Promise<ToolResult> {
  const ticket = await call.client.createTicket(ticketInput(given, call));
  if (given.via !== "inbox" && call.powers.form && ticket.tier !== "critical") return offerForm(call, ticket, given.wait_seconds);
  if (call.powers.tasks) return taskResult(ticket);
  const seconds = given.wait_seconds ?? 0;
  return statusResult(seconds > 0 ? await awaitEnd(call, ticket, seconds) : ticket);
}

function ticketInput(given: Input, { face }: ToolCall): Omit<CreateTicketInput, "from"> {
  const { question, to, priority, ttl_seconds, on_timeout, lease, escalate_to, project = face.project, session, id } = given;
  const [line = ""] = question.trim().split("\n");
  const chars = [...line];
  const summary = chars.length > 200 ? `${chars.slice(0, 199).join("")}…` : line;
  const rest = { to, priority, ttl_seconds, on_timeout, lease, escalate_to, project: project ?? undefined, session, id };
  return {
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest & object),
    kind: "question",
    summary,
    ask: questionOf(given),
  } as Omit<CreateTicketInput, "from">;
}

function questionOf(given: Input): AskInput {
  const { question: prompt, type = given.fields ? "form" : given.options ? "choice" : "text" } = given;
  switch (type) {
    case "choice":
      return {
        type,
        prompt,
        options: needed(given.options, "options", type),
        ...some(given, "allow_multiple", "allow_other"),
      } as AskInput;
    case "form":
      return { type, prompt, fields: needed(given.fields, "fields", type) } as AskInput;
    case "confirm":
      return { type, prompt, ...some(given, "confirm_label", "cancel_label") } as AskInput;
    case "text":
      return { type, prompt };
  }
}

function needed<T>(value: T | undefined, field: string, type: string): T {
  if (value !== undefined) return value;
  throw new HapError("invalid_input", `A question of type ${type} needs ${field}.`, { field });
}

function some<Key extends keyof Input>(given: Input, ...keys: Key[]): Partial<Pick<Input, Key>> {
  return Object.fromEntries(keys.filter((key) => given[key] !== undefined).map((key) => [key, given[key]])) as Partial<
    Pick<Input, Key>
  >;
}
