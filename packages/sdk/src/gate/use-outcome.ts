// From a ticket's end to the gate's answer, in words that differ for every way it can end (D7).
import { type Answer, HapError } from "@hap/protocol";
import type { Outcome } from "../outcome.ts";
import type { ClosedBy, Gated, GateOptions } from "./gate-call.ts";
import type { GateClient } from "./pass-gate.ts";

type Opened = Omit<Extract<Gated, { open: true }>, "identity" | "found">;
type Closed = Omit<Extract<Gated, { open: false }>, "identity" | "found">;

type Use = {
  identity: string;
  /** A rule lets a timer's yes count. */
  timerYes: boolean;
  /** True when the files that the call names are no longer those that were approved. */
  changed: () => boolean;
  options: GateOptions;
};

/** Use a yes, or pass the words of anything else on. */
export async function useOutcome(client: GateClient, outcome: Outcome, use: Use): Promise<Opened | Closed> {
  const { ticket, words } = outcome;
  switch (outcome.status) {
    case "approved":
      return approved(client, outcome, use);
    case "approved_by_timer": {
      if (!use.timerYes)
        return refuse(client, outcome, "approved_by_timer", `${words} Time alone opens no gate; ask again if it still matters.`);
      const yes = opened("timer", outcome, `${words} A rule lets that count.`);
      return use.options.leavesUnused?.(null) === true ? yes : consume(client, outcome, use, yes);
    }
    case "answered": {
      const { answer } = outcome;
      if (answer === null) return refuse(client, outcome, "erased", `${words} The answer was erased since.`);
      return consume(client, outcome, use, opened("person", outcome, words, { answer }));
    }
    case "open":
      return closed(
        "open",
        outcome,
        `Still pending, ${ticket.id}. ${words} Nothing was run. Make the same call again: it finds this ticket and its answer.`,
      );
    default:
      return refuse(client, outcome, outcome.status, `${words} (${ticket.id})`);
  }
}

function approved(client: GateClient, outcome: Extract<Outcome, { status: "approved" }>, use: Use): Promise<Opened | Closed> {
  const { words, edits } = outcome;
  const { takesEdits, leavesUnused } = use.options;
  const yes = opened("person", outcome, words, { edits });
  if (leavesUnused?.(edits) === true) return Promise.resolve(yes);
  if (edits !== null && takesEdits?.(edits) !== true) {
    const instead = `${words} The edits do not fit this call, so it was not made. Do this instead: ${JSON.stringify(edits)}`;
    return refuse(client, outcome, "approved_with_edits", instead);
  }
  return consume(client, outcome, use, yes);
}

function opened(
  by: Opened["by"],
  { ticket }: Outcome,
  words: string,
  more: { edits?: Opened["edits"]; answer?: Answer } = {},
): Opened {
  return { open: true, by, words, ticket, edits: null, answer: null, ...more };
}

function closed(status: ClosedBy, outcome: Outcome, words: string): Closed {
  return { open: false, status, words, ticket: outcome.ticket, outcome };
}

/** Consume the yes before anything is done with it: only for the bytes that were approved, and only once. */
async function consume(client: GateClient, outcome: Outcome, use: Use, yes: Opened): Promise<Opened | Closed> {
  const { id } = outcome.ticket;
  if (use.changed()) {
    await client.note(id, "Not run: a file that the call names changed while the approval was awaited.");
    return closed(
      "stale",
      outcome,
      `${outcome.words} But a file that this call names changed while the approval was awaited, so the yes was not used. Look at the file, then make the call again.`,
    );
  }
  try {
    const ticket = await client.consume(id, use.identity);
    if (ticket.consumed?.call_hash === use.identity) return { ...yes, ticket };
    throw new HapError("not_consumable", `${id} was not consumed for this call. Make it again for a new ticket.`, {
      ticket_id: id,
    });
  } catch (error) {
    if (!(error instanceof HapError && error.code === "already_consumed")) throw error;
    return closed("used", outcome, `${error.message} Make the same call again for a new ticket.`);
  }
}

/** A no: marked as heard, so that nobody waits to tell it again. */
async function refuse(client: GateClient, outcome: Outcome, status: ClosedBy, words: string): Promise<Closed> {
  await client.heard(outcome.ticket.id);
  return closed(status, outcome, words);
}
