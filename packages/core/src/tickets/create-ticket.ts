// Opening a ticket in a transaction. The same id with the same content is the same ticket.
import { callHash, canonicalJson, HapError, type Json, type Ticket, type Verdict } from "@hap/protocol";
import { callOf } from "../grants/call.ts";
import { findDenial } from "../grants/find.ts";
import { recordUse } from "../grants/use.ts";
import { ContentWriter } from "../log/contents.ts";
import { enlist, nameOf } from "../people/people.ts";
import { confirmedPolicy } from "../policies/confirmed-policy.ts";
import { addresseeOf, quorumOf } from "../quorum/quorum-of.ts";
import type { Facts } from "../transaction/context.ts";
import { sha256 } from "../transaction/facts.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { decideCreate } from "./decide/create.ts";
import type { PreparedTicket } from "./prepare-ticket.ts";
import { fromIso, type TicketRecord, toIso } from "./record.ts";
import { presentable, viewTicket } from "./view.ts";

/** Open the ticket that was prepared, or find the one that the same id names; a rule that asked for it is recorded with it. */
export function openTicket(session: Session, facts: Facts, prepared: PreparedTicket): Ticket | Refused {
  // What another command has confirmed since the request was prepared counts.
  const current = prepared.under(confirmedPolicy(session.tx, facts.policyPath));
  if (current.verdict.verdict === "deny") return refuseDenied(session, current);
  const denied = refuseByDenial(session, current);
  if (denied !== null) return denied;
  guardPace(session, current);
  const record = createTicket(session, facts, current);
  const isNew = record.seq === session.head.seq;
  const ticket = viewTicket(session.tx, record, session.now);
  const { verdict, request } = current;
  if (isNew && verdict.rule !== null && verdict.verdict === "ask")
    recordVerdict(session, { from: request.from, callHash: requestHash(current, session.tx.space), verdict });
  return ticket;
}

const MINUTE_MS = 60_000;
/** So many tickets are looked at for each approval that may be asked: an agent asks questions, too. */
const ASKS_PER_APPROVAL = 4;

/** An agent that asks more often than the policy says is told so, and when to ask again. Questions and retries are not counted. */
function guardPace(session: Session, { request, policies }: PreparedTicket): void {
  const most = policies.confirmed?.asks_per_minute;
  if (most === undefined || request.ask.type !== "approval") return;
  if (request.id !== null && session.tx.ticketById(request.id) !== undefined) return;
  const createdAfter = toIso(session.now - MINUTE_MS);
  const asked = session.tx.listTickets({ from: request.from, createdAfter, limit: most * ASKS_PER_APPROVAL });
  const recent = asked.filter(({ ticket }) => ticket.ask_type === "approval").slice(0, most);
  const oldest = recent.at(-1);
  if (oldest === undefined || recent.length < most) return;
  const seconds = Math.max(1, Math.ceil((fromIso(oldest.ticket.created_at) + MINUTE_MS - session.now) / 1000));
  throw new HapError(
    "rate_limited",
    `${request.from} has asked ${most} times within a minute, which is the most that people want to be asked here. Put what belongs together into one request, and ask again in ${seconds} s.`,
    { agent: request.from, limit: most, retry_after_seconds: seconds },
  );
}

/** Log that a rule forbids a request, and refuse it. */
function refuseDenied(session: Session, prepared: PreparedTicket): Refused {
  const { verdict, request } = prepared;
  recordVerdict(session, { from: request.from, callHash: requestHash(prepared, session.tx.space), verdict });
  return new Refused(policyDenied(verdict));
}

/** Log that a person's denial is about a request, and refuse it. Questions are never denied. */
function refuseByDenial(session: Session, prepared: PreparedTicket): Refused | null {
  if (prepared.request.ask.type !== "approval") return null;
  const denial = findDenial(session.tx, () => callOf(prepared, prepared.home, "deny"), session.now);
  if (denial === null) return null;
  const callHash = requestHash(prepared, session.tx.space);
  const { words, grant_id } = recordUse(session, denial.grant, denial.call, { callHash, authority: null });
  return new Refused(new HapError("policy_denied", words, { grant_id }));
}

/** The error for what a rule forbids. */
export function policyDenied({ rule, file, why }: Verdict): HapError {
  return new HapError("policy_denied", `Rule ${rule} of ${file} forbids this: ${why}`, { rule, file, why });
}

/** Log what a rule answered to a call. */
export function recordVerdict(
  session: Session,
  { from, callHash, verdict }: { from: string; callHash: string; verdict: Verdict },
): void {
  const { rule, file_hash, verdict: answer } = verdict;
  const decision = { call_hash: callHash, verdict: answer, rule: rule as string, file_hash: file_hash as string };
  session.commitApart([{ type: "policy.decision", from, ...decision }]);
}

/** The identity of what a ticket asks for, where its caller gave none. */
function requestHash({ request }: PreparedTicket, space: string): string {
  const call = { agent: request.from, project: request.project, tool: request.kind, input: request.details };
  return callHash({ space, ...call }, sha256);
}

/** Open the ticket inside a session, or find the one that the same id names. */
export function createTicket(session: Session, { localPerson }: Facts, prepared: PreparedTicket): TicketRecord {
  const { request, verdict, policies } = prepared;
  if (request.id !== null) {
    const existing = session.tx.ticketById(request.id);
    if (existing !== undefined) return sameTicket(session, session.applyDue(existing), prepared);
  }
  const contents = new ContentWriter(session.names);
  const enlisted = (name: string) => enlist(session, name);
  const quorum = asksForApproval(request) && verdict.quorum !== null ? verdict.quorum : null;
  const needed = quorum === null ? null : quorumOf(session, quorum, request.from, localPerson);
  const to = enlisted(needed === null ? (request.to ?? verdict.to ?? localPerson) : (verdict.to ?? request.to ?? localPerson));
  const facts = {
    now: session.now,
    id: request.id ?? session.names.id("tk_"),
    to: needed === null ? to : (addresseeOf(session, needed, to) ?? to),
    quorum: needed,
    escalateTo: (request.lease.escalate?.to ?? []).map(enlisted),
    project: request.project === null ? null : enlisted(request.project),
    artifact: prepared.artifact,
    classified: prepared.classified,
    lease: { ttlSeconds: verdict.lease.ttl_seconds ?? null, onTimeout: verdict.lease.on_timeout ?? null },
    policyHash: (policies.confirmed ?? policies.changed)?.hash ?? null,
  };
  return session.commitCreate(decideCreate(request, facts, contents), contents.made);
}

/** Questions are answered by one person; a quorum is about approvals. */
function asksForApproval({ ask }: PreparedTicket["request"]): boolean {
  return ask.type === "approval";
}

/** Same agent and same content: the same ticket. Anything else is a conflict (D12); what was left out is not compared. */
function sameTicket(session: Session, existing: TicketRecord, prepared: PreparedTicket): TicketRecord {
  const { request, artifact } = prepared;
  const { ticket } = existing;
  // Whose ticket it is, another agent does not learn.
  if (ticket.from !== request.from)
    throw new HapError("id_conflict", `${request.id} is taken. Use a new id, or leave it out.`, { ticket_id: request.id });
  const shown = presentable(session.tx, existing);
  const names = (handles: readonly string[]) => handles.map((handle) => nameOf(session.tx, handle));
  const pairs: [string, Json, Json][] = [
    // A ticket with a quorum is addressed to whoever can approve it, whatever was asked for.
    [
      "to",
      nameOf(session.tx, ticket.to),
      ticket.quorum === undefined && request.to !== null ? request.to : nameOf(session.tx, ticket.to),
    ],
    ["kind", shown.intent.kind, request.kind],
    ["summary", shown.intent.summary, request.summary],
    ["details", shown.intent.details as Json, request.details],
    ["confidence", shown.intent.confidence, request.confidence],
    ["risk", ticket.risk_claimed, request.riskClaimed],
    ["ask", shown.ask as Json, request.ask as Json],
    ["artifact", ticket.artifact.bytes_hash, artifact.bytes_hash],
    ["environment", ticket.artifact.environment, request.artifact.environment],
    ["repo", shown.artifact.repo, request.artifact.repo],
    ["base_commit", shown.artifact.base_commit, request.artifact.baseCommit],
    ["priority", ticket.priority, request.priority],
    ["project", shown.project, request.project],
    ["lease", ticket.lease.ttl_seconds, request.lease.ttlSeconds ?? ticket.lease.ttl_seconds],
    ["on_timeout", ticket.lease.on_timeout, request.lease.onTimeout ?? ticket.lease.on_timeout],
    ["escalate", names(ticket.lease.escalate?.to ?? []), request.lease.escalate?.to ?? []],
  ];
  for (const [name, before, after] of pairs) {
    if (canonicalJson(before) === canonicalJson(after)) continue;
    throw new HapError("id_conflict", `${request.id} is taken by a ticket with another ${name}. Use a new id, or leave it out.`, {
      ticket_id: request.id,
      field: name,
    });
  }
  return existing;
}
