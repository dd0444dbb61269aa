// Which ticket a call belongs to (D17): the open one of the same call, or one whose yes was not used yet and is not older than
// 15 minutes, or one whose no is not older than 10 minutes; else a new one. Content is compared by the store, not by the id.
import { HapError, isOpen, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput } from "@hap/sdk/agent";
import { ticketIdOf } from "./call-identity.ts";

const YES_COUNTS_MS = 15 * 60_000;
const NO_COUNTS_MS = 10 * 60_000;
/** How many ids taken by other content are passed over. */
const MOST_CONFLICTS = 8;

/** The ticket, and whether it was opened now. */
export type Attached = { ticket: Ticket; opened: boolean };

/** Find or open the ticket of a call. `timerYes`: a rule lets a timer's yes count. */
export async function attach(
  client: AgentClient,
  identity: string,
  input: AskInput,
  { now, timerYes }: { now: number; timerYes: boolean },
): Promise<Attached> {
  const { round, last } = await lastRound(client, identity);
  const reuse = last !== null && stillCounts(last, now, timerYes);
  const first = last === null ? 0 : reuse ? round : round + 1;
  for (let next = first; ; next++) {
    try {
      const ticket = await client.createTicket({ ...input, id: ticketIdOf(identity, next) });
      return { ticket, opened: !(reuse && next === round) };
    } catch (error) {
      // Taken by a ticket with other content: whoever made it, its yes is not for this call.
      if (!(error instanceof HapError && error.code === "id_conflict") || next - first >= MOST_CONFLICTS) throw error;
    }
  }
}

/** The newest ticket of a call: ids are made from the number of the round, and no round is left out. */
export async function lastRound(client: AgentClient, identity: string): Promise<{ round: number; last: Ticket | null }> {
  const look = (round: number) => find(client, ticketIdOf(identity, round));
  let last = await look(0);
  if (last === null) return { round: 0, last };
  let known = 0;
  let missing = 1;
  for (let found = await look(missing); found !== null; found = await look(missing)) {
    last = found;
    known = missing;
    missing *= 2;
  }
  while (missing - known > 1) {
    const middle = Math.floor((known + missing) / 2);
    const found = await look(middle);
    if (found === null) missing = middle;
    else {
      last = found;
      known = middle;
    }
  }
  return { round: known, last };
}

async function find(client: AgentClient, id: string): Promise<Ticket | null> {
  try {
    return await client.getTicket(id);
  } catch (error) {
    if (error instanceof HapError && error.code === "ticket_not_found") return null;
    throw error;
  }
}

/** True while a retry of the call is answered by this ticket. */
export function stillCounts(ticket: Ticket, now: number, timerYes: boolean): boolean {
  const { resolution } = ticket;
  if (resolution === null || isOpen(ticket.state)) return true;
  const age = now - Date.parse(resolution.at);
  const { actor, outcome } = resolution;
  if (outcome === "approved" || outcome === "answered") {
    const said = actor.kind === "human" || (actor.kind === "timer" && timerYes);
    return said && ticket.consumed === null && age <= YES_COUNTS_MS;
  }
  return actor.kind === "human" && age <= NO_COUNTS_MS;
}
