// From a ticket's end to the hook's answer, in words that differ for every way it can end; the person's own come verbatim.

import { HapError } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import { HookError } from "../hook-error.ts";
import type { HookOptions } from "../options.ts";
import type { JsonObject } from "../read-event.ts";
import type { Asking } from "./ask-person.ts";
import { answeredInput } from "./question-input.ts";

type Use = Pick<Asking, "described" | "options"> & { identity: string; timerYes: boolean };

/** Use a yes, or pass the words of anything else on. */
export async function answerWith(client: AgentClient, outcome: Outcome, use: Use): Promise<Answer> {
  const { ticket, words } = outcome;
  switch (outcome.status) {
    case "approved":
      return approved(client, outcome, use);
    case "answered": {
      if (outcome.answer === null) return deny(client, outcome, `${words} The answer was erased since.`);
      const updatedInput = answeredInput(use.described.input, outcome.answer);
      const refused = await consume(client, ticket.id, use.identity);
      return refused ?? { decision: "allow", reason: words, updatedInput };
    }
    case "approved_by_timer":
      if (!use.timerYes) return deny(client, outcome, `${words} Time alone opens no gate; ask again if it still matters.`);
      return (await consume(client, ticket.id, use.identity)) ?? yes(`${words} A rule lets that count.`);
    case "open":
      return {
        decision: "deny",
        reason: `Still pending, ${ticket.id}. ${words} Nothing was run. Make the same call again: it finds this ticket and its answer.`,
      };
    default:
      return deny(client, outcome, `${words} (${ticket.id})`);
  }
}

async function approved(client: AgentClient, outcome: Extract<Outcome, { status: "approved" }>, use: Use): Promise<Answer> {
  const { ticket, words, edits } = outcome;
  const { described, options } = use;
  const updatedInput = edits === null ? null : editedInput(described.input, edits);
  if (updatedInput === undefined)
    return deny(
      client,
      outcome,
      `${words} The edits do not fit this call, so it was not made. Do this instead: ${JSON.stringify(edits)}`,
    );
  if (updatedInput === null && options.run !== null && described.call.command !== null) {
    // The yes stays unused here: `hap run` consumes it, checks again and runs what the ticket holds.
    return { ...yes(words), updatedInput: { ...described.input, command: runCommand(ticket.id, client.agent, options) } };
  }
  const refused = await consume(client, ticket.id, use.identity);
  if (refused !== null) return refused;
  return { ...yes(words), ...(updatedInput === null ? {} : { updatedInput }) };
}

/** A yes, with the words of whoever gave it for the model too. */
function yes(words: string): Extract<Answer, { decision: "allow" }> {
  return { decision: "allow", reason: words, told: words };
}

/** The input with a person's edits, or undefined when they name something that the call does not have. */
function editedInput(input: JsonObject, edits: JsonObject): JsonObject | undefined {
  return Object.keys(edits).every((key) => Object.hasOwn(input, key)) ? { ...input, ...edits } : undefined;
}

/** The store, or the server whose key the host's own environment has to hold; a key is never written where a model reads. */
function runCommand(id: string, agent: string, { store, run }: HookOptions): string {
  const url = process.env.HAP_URL ?? "";
  const where = store !== null ? [`HAP_DB_PATH=${quote(store)}`] : url === "" ? [] : [`HAP_URL=${quote(url)}`];
  return [...where, `HAP_AGENT_ID=${quote(agent)}`, run, id].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Consume the yes; null when it is ours, else the answer that says who used it. */
async function consume(client: AgentClient, id: string, identity: string): Promise<Answer | null> {
  try {
    const { consumed } = await client.consume(id, identity);
    if (consumed?.call_hash !== identity) throw new HookError(`${id} was not consumed for this call.`);
    return null;
  } catch (error) {
    if (!(error instanceof HapError && error.code === "already_consumed")) throw error;
    return { decision: "deny", reason: `${error.message} Make the same call again for a new ticket.` };
  }
}

/** A no whose words have arrived: told at once, and marked so that nobody waits to tell them again. */
async function deny(client: AgentClient, outcome: Outcome, reason: string): Promise<Answer> {
  await client.heard(outcome.ticket.id);
  return { decision: "deny", reason };
}
