// What a webhook is told of an event: ids, states, kinds and numbers. Nothing that an agent or a person wrote leaves by it (D19).
import { type HapEvent, WEBHOOK_EVENTS, type WebhookEvent } from "@hap/protocol";
import type { TicketFacts } from "../tickets/ticket-queries.ts";
import type { FullFilter } from "./input.ts";
import type { WebhookRecord } from "./records.ts";

/** True for an event that webhooks can ask for. */
export function isWebhookEvent(type: string): type is WebhookEvent {
  return (WEBHOOK_EVENTS as readonly string[]).includes(type);
}

/** Does this webhook want this event of this ticket? Its filter names the person: the addressee, or one of those who may vote. */
export function wanted(
  { events, filter, seq }: Pick<WebhookRecord, "events" | "seq"> & { filter: FullFilter },
  event: HapEvent,
  ticket: TicketFacts & { voters: readonly string[] },
): boolean {
  if (event.seq <= seq || !isWebhookEvent(event.type) || !events.includes(event.type)) return false;
  return (
    (filter.person === null || filter.person === ticket.to || ticket.voters.includes(filter.person)) &&
    (filter.agent === null || filter.agent === ticket.from) &&
    (filter.kind === null || filter.kind === ticket.kind) &&
    (filter.tier === null || filter.tier === ticket.tier)
  );
}

/** The body of a message, as Standard Webhooks shapes it. */
export function messageBody(event: HapEvent, ticket: TicketFacts, link: string | null): string {
  return JSON.stringify({
    type: event.type,
    timestamp: event.ts,
    data: { event_id: event.id, seq: event.seq, ...moreOf(event), ...ticketData(ticket), link },
  });
}

/** The body of a trial. */
export function trialBody(webhook: string, at: string): string {
  return JSON.stringify({ type: "webhook.test", timestamp: at, data: { webhook_id: webhook } });
}

/** The body of the message that the log does not verify. */
export function violationBody(violation: string, at: string): string {
  return JSON.stringify({ type: "log.violation", timestamp: at, data: { violation, read_only: true } });
}

function ticketData({ id, state, kind, from, to, priority, risk, tier, outcome }: TicketFacts): Record<string, unknown> {
  return { ticket_id: id, state, kind, from, to, priority, risk, tier, outcome };
}

function moreOf(event: HapEvent): Record<string, unknown> {
  if (event.type === "ticket.resolve") return { actor: event.resolution.actor.kind, assurance: event.resolution.assurance };
  if (event.type === "ticket.timeout") return { action_taken: event.action_taken };
  if (event.type === "intent.invalid") return { code: event.code };
  return {};
}
