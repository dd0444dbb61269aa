// Who may decide (D4): the addressee, an escalation target, or a role that a confirmed policy names. Never an agent.
import { type Authority, HapError, ID_PATTERNS } from "@hap/protocol";
import { enlist, nameOf } from "../people/people.ts";
import { type Policies, roleOf } from "../policies/policy.ts";
import { standingOf } from "../quorum/standing.ts";
import type { StoreReader } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** Refuse everybody who is not a person; a ticket's own asker gets the clearer words. */
function guardPerson(record: TicketRecord, by: string): void {
  if (by === record.ticket.from) {
    throw new HapError("own_ticket", `${by} opened ${record.ticket.id} and cannot decide it: a person does.`, {
      ticket_id: record.ticket.id,
      by,
    });
  }
  if (!ID_PATTERNS.human.test(by)) {
    throw new HapError("agent_cannot_decide", `${by} is not a person (human:NAME), and only people decide.`, {
      ticket_id: record.ticket.id,
      by,
    });
  }
}

/** By what right this handle may act on the ticket, or null. */
export function authorityOf(record: TicketRecord, handle: string): Authority | null {
  if (handle === record.to) return "addressee";
  const { escalate } = record.ticket.lease;
  const targets = escalate === null ? [] : [record.ticket.to, ...escalate.to];
  return targets.includes(handle) ? "escalation" : null;
}

/** A person of a quorum may act on its ticket, too. */
function membership(rows: StoreReader, { ticket }: TicketRecord, handle: string): Authority | null {
  const standing = ticket.quorum === undefined ? null : standingOf(rows);
  return ticket.quorum?.of.some((entry) => standing?.peopleIn(entry).has(handle)) ? "member" : null;
}

/** The handle of a person who wants to vote; a ticket with a quorum takes votes of its people alone. */
export function voterOf(session: Session, record: TicketRecord, by: string): string {
  guardPerson(record, by);
  const { tx } = session;
  return (ID_PATTERNS.handle.test(by) && tx.nameOf(by) !== undefined ? by : tx.handleOf(by)) ?? enlist(session, by);
}

/** The handle and right of somebody who wants to act on a ticket; an error that names the addressee otherwise. */
export function authorise(
  session: Session,
  record: TicketRecord,
  by: string,
  policies: Policies,
): { handle: string; authority: Authority } {
  guardPerson(record, by);
  const { tx } = session;
  const handle = ID_PATTERNS.handle.test(by) && tx.nameOf(by) !== undefined ? by : tx.handleOf(by);
  const right = handle === undefined ? null : (authorityOf(record, handle) ?? membership(tx, record, handle));
  if (handle !== undefined && right !== null) return { handle, authority: right };
  const role = roleOf(policies, handle === undefined ? by : nameOf(tx, handle));
  if (role === "owner" || role === "approver") return { handle: handle ?? enlist(session, by), authority: role };
  const to = nameOf(tx, record.to);
  throw new HapError(
    "not_addressee",
    `${record.ticket.id} is addressed to ${to}; you are ${by}. Only they decide it. If you are ${to}, set HAP_HUMAN_ID=${to}.`,
    {
      ticket_id: record.ticket.id,
      to,
      by,
    },
  );
}
