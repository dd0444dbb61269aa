// One question of an agent is listened to (D26). A new one takes over older ones that no process waits for any more, and answers that
// were given meanwhile travel with it.
import { isOpen, type Ticket } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import type { StoreReader } from "../store/store.ts";
import { decideCancel } from "../tickets/decide/cancel.ts";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import { hasWords } from "./find-cue.ts";

/** How long one sign of a waiting process counts; it is repeated well within. */
const LISTENING_MS = 30_000;
/** Questions that replace each other. Those of the bridge have ids of their own, and several of them may be open. */
const REPLACING: readonly string[] = ["cue", "pause"];
const LOOK_BACK = 100;
/** Answers older than this are not told any more. */
const UNHEARD_MS = 7 * 86_400_000;

/** A process waits for this ticket: remember it, and withdraw older questions that nothing waits for. */
export function listenTo(session: Session, ticket: TicketRecord): void {
  const { id, from: agent } = ticket.ticket;
  session.tx.putListener({ ticketId: id, agent, until: session.now + LISTENING_MS, now: session.now });
  if (!REPLACING.includes(ticket.ticket.intent.kind)) return;
  const heard = new Set(session.tx.listeners(agent, session.now));
  for (const found of session.tx.conversationTickets(agent, ticket.seq, LOOK_BACK)) {
    if (!REPLACING.includes(found.ticket.intent.kind) || heard.has(found.ticket.id)) continue;
    const old = session.applyDue(found);
    if (!isOpen(old.state)) continue;
    const contents = new ContentWriter(session.names);
    const reason = contents.text("reason", `The agent asked again in other words: ${id}.`);
    const cancel = { from: agent, actor: { kind: "agent" as const, id: agent }, trust: session.trust, reason };
    session.commit(old, decideCancel(old, cancel), contents.made);
  }
}

/** No process waits for this ticket any more. */
export function stopListening(session: Session, ticket: Pick<Ticket, "id" | "from">): void {
  session.tx.putListener({ ticketId: ticket.id, agent: ticket.from, until: 0, now: session.now });
}

/** Questions of an agent that a person has answered and whose answer was not heard, oldest first. */
export function unheardAnswers(store: StoreReader, agent: string, now: number): TicketRecord[] {
  return store
    .conversationTickets(agent, Number.MAX_SAFE_INTEGER, LOOK_BACK)
    .filter((record) => REPLACING.includes(record.ticket.intent.kind) && record.heardAt === null && hasWords(record))
    .filter((record) => now - fromIso(record.ticket.created_at) <= UNHEARD_MS)
    .reverse();
}
