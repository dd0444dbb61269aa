// An open ticket: its head with lease and risk, which stays in place, and the rows that scroll.
import { isOpen, shortCode, type Ticket } from "@hap/protocol";
import { oneLine } from "../../show/agent-text.ts";
import { secondsSince } from "../../show/time-words.ts";
import { isLastMinute, ticketNow } from "../model/countdown.ts";
import { unseenRows } from "../model/detail.ts";
import { type Detail, detailHeight, type Model } from "../model/model.ts";
import { clock, severityBadge } from "./badges.ts";
import { fill, line, spread } from "./spread.ts";

/** Two rows of head, then the part of the rows that is in view. */
export function detailView(model: Model, detail: Detail): string[] {
  const height = detailHeight(model);
  return [...head(model, detail), ...fill(detail.rows.slice(detail.top, detail.top + height), height)];
}

function head(model: Model, detail: Detail): string[] {
  const { paint, columns, nowMs } = model;
  const [first] = detail.tickets as [Ticket];
  if (detail.tickets.length > 1) {
    const title = `${detail.tickets.length} tickets of ${oneLine(first.from)}, ${first.intent.kind}`;
    return [
      line([{ text: ` ${title}`, paint: paint.bold }], columns),
      line([{ text: "  Read all of them: one decision applies to each.", paint: paint.dim }], columns),
    ];
  }
  const ticket = ticketNow(first, detail.readAtMs, nowMs);
  const left = [
    { text: ` ${shortCode(ticket.id)}`, paint: paint.bold },
    { text: `  ${oneLine(ticket.from)}  ${ticket.ask.type === "approval" ? ticket.intent.kind : `asks: ${ticket.ask.type}`}` },
  ];
  const tone = isLastMinute(ticket) ? paint.red : ticket.lease.paused ? paint.cyan : String;
  return [
    spread(left, [{ text: "  " }, severityBadge(paint, ticket), { text: " " }], columns),
    line([{ text: `  ${leaseLine(ticket, nowMs)}`, paint: tone }], columns),
  ];
}

const TIMEOUT_WORDS = { auto_reject: "rejects itself", auto_approve: "approves itself", cancel: "is canceled" } as const;

/** What the lease does: opening a ticket pauses it for a while, and this says so (D8). */
function leaseLine({ state, lease }: Ticket, nowMs: number): string {
  if (!isOpen(state)) return "It has ended.";
  const left = clock(lease.remaining_seconds);
  const then = TIMEOUT_WORDS[lease.on_timeout];
  if (!lease.paused) return `If you do nothing, it ${then} in ${left}`;
  if (lease.ack_lapses_at === null) return `Timer paused with ${left} left, until it is decided`;
  const again = clock(-secondsSince(lease.ack_lapses_at, nowMs));
  return `Timer paused while you review (${again} left); then ${left} until it ${then}`;
}

/** Where one is, and whether a yes is possible yet. */
export function positionWords(model: Model, detail: Detail): string {
  const end = Math.min(detail.rows.length, detail.top + detailHeight(model));
  const place = `rows ${detail.top + 1}-${end} of ${detail.rows.length}`;
  if (!detail.tickets.every(({ state }) => isOpen(state))) return place;
  const unseen = unseenRows(detail);
  return unseen === 0 ? `${place}, all read` : `${place}, ${unseen} more before you can approve`;
}
