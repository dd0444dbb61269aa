// What happens to tickets, as numbers (13.1). Every number follows the log, so that tickets of other processes count too.
// Labels are words of closed lists; people are the one exception, and they are bounded.
import type { HapEngine } from "@hap/core";
import type { HapEvent } from "@hap/protocol";
import type { Registry } from "prom-client";

type PromClient = typeof import("prom-client");

/** Seconds until somebody decides: from a glance to the longest lease. */
const DECISION_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 28_800, 86_400, 259_200, 604_800];
const RISK_BUCKETS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** So many people get a series of their own; who comes after them is counted as `other`. */
const PEOPLE_MAX = 100;
/** Refusals that only a WebAuthn ceremony can end in; signatures of other kinds fail by other codes, too. */
const CEREMONY_CODES: ReadonlySet<string> = new Set([
  "ceremony_mismatch",
  "origin_mismatch",
  "rp_mismatch",
  "user_presence_missing",
  "user_verification_missing",
  "counter_regressed",
]);

/** The draft's word where it has one, else the code of the table of errors. */
function refusalReason(code: string): string {
  return code === "nonce_used" ? "nonce_reuse" : code;
}

/** The thresholds are those of the tiers (D11). */
function riskBucket(risk: number): "low" | "medium" | "high" {
  return risk >= 0.7 ? "high" : risk >= 0.3 ? "medium" : "low";
}

/** Counters of the log. Hand each event to `count`, once. */
export function ticketMetrics({ Counter, Histogram }: PromClient, registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const created = counter("hap_tickets_created_total", "Tickets opened", ["priority", "risk_bucket"]);
  const approved = counter("hap_tickets_approved_total", "Tickets approved by a person or a rule", ["priority"]);
  const rejected = counter("hap_tickets_rejected_total", "Tickets that a person or a rule said no to", ["reason"]);
  const expired = counter("hap_tickets_expired_total", "Tickets that time ended", ["on_timeout"]);
  const answered = counter("hap_tickets_answered_total", "Questions answered", ["priority"]);
  const canceled = counter("hap_tickets_canceled_total", "Tickets withdrawn", ["priority"]);
  const verified = counter("hap_intents_verified_total", "Decisions that were checked and accepted");
  const refused = counter("hap_intents_rejected_total", "Decisions that were refused", ["reason"]);
  const ceremonies = counter("hap_webauthn_ceremonies_total", "Signatures, registrations and sign-ins by passkey", ["success"]);
  const perHuman = counter("hap_human_tickets_total", "Tickets that came to a person: opened, escalated or handed on", ["human"]);
  const duration = new Histogram({
    name: "hap_ticket_approval_duration_seconds",
    help: "From the opening of a ticket to a person's decision",
    labelNames: ["priority"],
    buckets: DECISION_BUCKETS,
    registers,
  });
  const risk = new Histogram({
    name: "hap_ticket_risk",
    help: "Risk scores of opened tickets",
    buckets: RISK_BUCKETS,
    registers,
  });
  const people = new Set<string>();

  /** A ticket came to a person. */
  function came(human: string): void {
    if (people.size < PEOPLE_MAX) people.add(human);
    perHuman.inc({ human: people.has(human) ? human : "other" });
  }

  function resolved(engine: HapEngine, event: Extract<HapEvent, { type: "ticket.resolve" }>): void {
    const facts = engine.ticketFacts(event.ticket_id);
    const { outcome, actor } = event.resolution;
    if (facts === null || actor.kind === "timer") return;
    const { priority } = facts;
    if (actor.kind === "human") duration.observe({ priority }, (Date.parse(event.ts) - Date.parse(facts.created_at)) / 1000);
    if (outcome === "approved") approved.inc({ priority });
    else if (outcome === "answered") answered.inc({ priority });
    else if (outcome === "canceled") canceled.inc({ priority });
    else rejected.inc({ reason: actor.kind === "policy" ? "policy" : outcome });
  }

  function count(engine: HapEngine, event: HapEvent): void {
    switch (event.type) {
      case "ticket.create": {
        const { ticket } = event;
        created.inc({ priority: ticket.priority, risk_bucket: riskBucket(ticket.risk) });
        risk.observe(ticket.risk);
        came(engine.parties(ticket.id)?.to ?? ticket.to);
        return;
      }
      case "ticket.escalate":
      case "ticket.reassign":
        came(engine.parties(event.ticket_id)?.to ?? event.to);
        return;
      case "ticket.resolve":
        resolved(engine, event);
        return;
      case "ticket.cancel":
        canceled.inc({ priority: engine.ticketFacts(event.ticket_id)?.priority ?? "normal" });
        return;
      case "ticket.timeout":
        expired.inc({ on_timeout: event.action_taken });
        return;
      case "intent.sign":
        verified.inc();
        if (event.intent.signature?.client_data_json !== undefined) ceremonies.inc({ success: "true" });
        return;
      case "intent.invalid":
        refused.inc({ reason: refusalReason(event.code) });
        if (CEREMONY_CODES.has(event.code)) ceremonies.inc({ success: "false" });
        return;
      case "credential.enrol":
        if (event.credential.kind === "passkey") ceremonies.inc({ success: "true" });
        return;
    }
  }

  /** A person tried to sign in by passkey, which the log does not hold. */
  const signedIn = (success: boolean) => ceremonies.inc({ success: String(success) });
  return { count, signedIn };
}
