// Which ticket a call belongs to (D17): the open one of the same call, one whose yes was not used within 15 minutes, or one whose no
// is not older than 10 minutes; else a new one. Ids are made from the call; content is compared by the store, not by the id.
import { hash } from "node:crypto";
import { HapError, isOpen, makeId, REUSE_MS, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput } from "../agent-client.ts";

/** How many ids taken by other content are passed over. */
const MOST_CONFLICTS = 8;

type Tickets = Pick<AgentClient, "createTicket" | "getTicket">;

/** Find or open the ticket of a call. `timerYes`: a rule lets a timer's yes count. */
export async function callTicket(
  client: Tickets,
  identity: string,
  input: AskInput,
  { now, timerYes }: { now: number; timerYes: boolean },
): Promise<{ ticket: Ticket; opened: boolean }> {
  const { round, last } = await lastRound(client, identity);
  const reuse = last !== null && stillCounts(last, now, timerYes);
  const first = last === null ? 0 : reuse ? round : round + 1;
  for (let next = first; ; next++) {
    try {
      const ticket = await client.createTicket({ ...input, id: roundId(identity, next) });
      return { ticket, opened: !(reuse && next === round) };
    } catch (error) {
      // Taken by a ticket with other content: whoever made it, its yes is not for this call.
      if (!(error instanceof HapError && error.code === "id_conflict") || next - first >= MOST_CONFLICTS) throw error;
    }
  }
}

/** The ticket's id, by how often the call was asked about before: whoever makes the same call finds the same id. */
function roundId(identity: string, round: number): string {
  return makeId("tk_", hash("sha256", `${identity} ${round}`, "buffer"));
}

/** The newest ticket of a call: ids are made from the number of the round, and no round is left out. */
async function lastRound(client: Tickets, identity: string): Promise<{ round: number; last: Ticket | null }> {
  const look = (round: number) => find(client, roundId(identity, round));
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

async function find(client: Tickets, id: string): Promise<Ticket | null> {
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
    return said && ticket.consumed === null && age <= REUSE_MS.yes;
  }
  return actor.kind === "human" && age <= REUSE_MS.no;
}

/** The call's ticket whose yes, a person's, was used for this very call at most `ms` ago; else null. */
export async function usedJustNow(client: Tickets, identity: string, now: number, ms: number): Promise<Ticket | null> {
  const { last } = await lastRound(client, identity);
  if (last === null || last.consumed === null || last.consumed.call_hash !== identity) return null;
  return last.resolution?.actor.kind === "human" && now - Date.parse(last.consumed.at) <= ms ? last : null;
}
