// The guards that `decide` and the replay of `hap verify` share (D21): guard after guard, each with its own error.
import {
  type AssuranceLevel,
  type Authority,
  atLeast,
  type Decision,
  dueStep,
  HapError,
  isOpen,
  type LeaseClock,
  type OpenState,
  type TicketOutcome,
  type TicketState,
} from "@hap/protocol";
import type { Demand } from "../credentials/demand.ts";
import { type TicketRecord, toIso } from "./record.ts";

/** What each decision leads to, what it can be said to, and whether it is a yes, which needs evidence (D3). */
export const DECISION_END: Record<
  Decision,
  { state: TicketState; outcome: TicketOutcome; to: "approval" | "question" | "both"; yes: boolean }
> = {
  approve: { state: "APPROVED", outcome: "approved", to: "approval", yes: true },
  reject: { state: "REJECTED", outcome: "rejected", to: "both", yes: false },
  request_changes: { state: "CHANGES_REQUESTED", outcome: "changes_requested", to: "approval", yes: false },
  answer: { state: "ANSWERED", outcome: "answered", to: "question", yes: true },
};

/** The ticket must still be open to become `to`; otherwise say who ended it, how and when, and name both states. */
export function guardOpen(
  record: TicketRecord,
  to: TicketState | null = null,
): asserts record is TicketRecord & { state: OpenState } {
  if (isOpen(record.state)) return;
  const { id } = record.ticket;
  const both = { state: record.state, from_state: record.state, to_state: to };
  const refused = to === null ? "" : `, and it cannot become ${to}`;
  if (record.resolution?.actor.kind === "timer" && record.clock.deadline !== null) {
    const deadline = toIso(record.clock.deadline);
    throw new HapError(
      "deadline_passed",
      `The lease of ${id} ended at ${deadline} and nobody had answered, so it became ${record.state}${refused}. Nothing was changed.`,
      {
        ticket_id: id,
        ...both,
        deadline_at: deadline,
        outcome: record.resolution.outcome,
        actor: record.resolution.actor,
      },
    );
  }
  const { outcome, actor, at } = record.resolution ?? {
    outcome: record.state,
    actor: { kind: "system", id: "system" },
    at: record.updatedAt,
  };
  throw new HapError(
    "already_decided",
    `${id} is ${record.state}: it ended as ${outcome} by ${actor.kind} ${actor.id} at ${at}${refused}. Nothing was changed.`,
    {
      ticket_id: id,
      ...both,
      outcome,
      actor,
      at,
    },
  );
}

/** A decision at or after the deadline loses (D9). */
export function guardDeadline(record: TicketRecord & { state: OpenState }, now: number): void {
  if (dueStep(record.state, record.clock, now) !== "timeout") return;
  const deadline = toIso(record.clock.deadline as number);
  throw new HapError(
    "deadline_passed",
    `The lease of ${record.ticket.id} ended at ${deadline}; a decision must arrive before that.`,
    {
      ticket_id: record.ticket.id,
      deadline_at: deadline,
    },
  );
}

/** A question is answered and an approval is decided, never the other way round; a no fits both. */
export function guardFit(record: TicketRecord, decision: Decision): void {
  const question = record.ticket.ask_type !== "approval";
  const { to } = DECISION_END[decision];
  if (to === "question" && !question) {
    throw new HapError(
      "wrong_state",
      `${record.ticket.id} asks for an approval, not for an answer: approve, reject or request changes.`,
      { ticket_id: record.ticket.id },
    );
  }
  if (to === "approval" && question) {
    throw new HapError("wrong_state", `${record.ticket.id} asks a question: answer it, or reject it.`, {
      ticket_id: record.ticket.id,
    });
  }
}

/** Levels from `key` on are proven by a signature; nobody can merely claim them (D3). */
export function guardEvidence(ticketId: string, intent: { signature: unknown }, assurance: AssuranceLevel): void {
  if (intent.signature !== null || !atLeast(assurance, "key")) return;
  throw new HapError(
    "assurance_too_low",
    `Level ${assurance} is proven by a signature, and this decision on ${ticketId} has none.`,
    {
      ticket_id: ticketId,
      field: "assurance",
    },
  );
}

/** Least evidence for a yes (D3). A no never needs more. */
export function guardLevel(
  record: TicketRecord,
  vote: { decision: Decision; assurance: AssuranceLevel; confirmed: boolean; authority: Authority },
  demand: Demand,
): void {
  if (!DECISION_END[vote.decision].yes) return;
  const { id, tier } = record.ticket;
  if (vote.authority === "relay") {
    if (vote.decision === "answer" && tier !== "critical" && demand === null) return;
    const why = tier === "critical" ? "which is critical" : "which your policy wants signed";
    throw new HapError(
      "assurance_too_low",
      `A relayed answer cannot end ${id}, ${why}: the person must answer it on a page of their own.`,
      { ticket_id: id },
    );
  }
  if (!atLeast(vote.assurance, "local")) {
    throw new HapError("assurance_too_low", `Nothing shows that a person said yes to ${id}; it needs at least level local.`, {
      ticket_id: id,
    });
  }
  guardDemand(id, vote.assurance, demand);
  // Hardware that was touched asked its person; anything weaker is confirmed by the phrase.
  if (tier !== "critical" || atLeast(vote.assurance, "present")) return;
  if (!vote.confirmed) {
    throw new HapError(
      "confirmation_needed",
      `${id} is critical: a yes must be confirmed by typing the phrase that HAP issues for it. Run \`hap approve ${id}\` in a terminal, or open the review page.`,
      {
        ticket_id: id,
      },
    );
  }
}

/** A yes that must be signed is, with a key that is good enough. */
function guardDemand(id: string, assurance: AssuranceLevel, demand: Demand): void {
  if (demand === null || atLeast(assurance, demand)) return;
  const fields = { ticket_id: id, least: demand };
  if (atLeast(assurance, "key"))
    throw new HapError("assurance_too_low", `${id} is critical and you have a passkey: sign the decision with it.`, fields);
  const how =
    demand === "passkey"
      ? "it is critical and you have a passkey. Sign with it on the review page"
      : `sign it with a key of yours: \`hap approve ${id} --ssh-key FILE\`, or on the review page. \`hap credential list\` shows your keys, \`hap credential add-ssh\` adds one`;
  throw new HapError("signature_needed", `A yes to ${id} must be signed: ${how}.`, fields);
}

/** A yes is used once (D17). */
export function guardConsumable(record: TicketRecord): void {
  const { id } = record.ticket;
  if (record.state !== "APPROVED" && record.state !== "ANSWERED") {
    throw new HapError("not_consumable", `${id} is ${record.state}: there is no yes to use.`, {
      ticket_id: id,
      state: record.state,
    });
  }
  if (record.consumed !== null) {
    throw new HapError(
      "already_consumed",
      `The yes of ${id} was used by ${record.consumed.by} at ${record.consumed.at}. Ask again for another.`,
      {
        ticket_id: id,
        consumed: record.consumed,
      },
    );
  }
}

/** What people add stays within seven days in all (D9). */
export function guardAdded(record: TicketRecord, clock: LeaseClock, limitMs: number): void {
  if (clock.addedMs <= limitMs) return;
  throw new HapError(
    "limit_reached",
    `${record.ticket.id} has been given ${Math.round(record.clock.addedMs / 1000)} s already; at most ${limitMs / 1000} s may be added in all.`,
    {
      ticket_id: record.ticket.id,
    },
  );
}

/** A live waiter renews at most once per half of the lease (D15). */
export function guardRenewal(record: TicketRecord, now: number): void {
  if (record.renewedAt === null || now - record.renewedAt >= record.clock.ttlMs / 2) return;
  throw new HapError(
    "limit_reached",
    `${record.ticket.id} was renewed at ${toIso(record.renewedAt)}; a waiter may renew once per half of its lease.`,
    { ticket_id: record.ticket.id },
  );
}
