// Risk and time on a card: readable without colours too.
import { isOpen, riskWord, type Ticket } from "@hap/protocol";
import { riskNumber } from "../../show/risk-words.ts";
import { type Paint, paintRisk } from "../../terminal/paint.ts";
import { isLastMinute } from "../model/countdown.ts";
import type { Part } from "./spread.ts";

/** `[high 0.82]`; an exclamation mark where a yes must be confirmed. */
export function riskBadge(paint: Paint, { risk, tier }: Ticket): Part {
  const text = `[${tier === "critical" ? "! " : ""}${riskWord(risk)} ${riskNumber(risk)}]`;
  return { text, paint: (shown) => paint.bold(tier === "critical" ? paint.red(shown) : paintRisk(paint, risk, shown)) };
}

/** What is left of the lease, or how it ended. */
export function countdown(paint: Paint, ticket: Ticket): Part {
  if (!isOpen(ticket.state)) return { text: ticket.state.toLowerCase().replace("_", " "), paint: paint.dim };
  const { remaining_seconds: left, paused } = ticket.lease;
  if (paused) return { text: `paused ${clock(left)}`, paint: paint.cyan };
  if (isLastMinute(ticket)) return { text: clock(left), paint: (shown) => paint.bold(paint.red(shown)) };
  return { text: clock(left), paint: left < 300 ? paint.yellow : String };
}

/** 0:45, 12:30, 3h20m, 2d4h. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 3600) return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (whole < 172_800) return `${Math.floor(whole / 3600)}h${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}m`;
  return `${Math.floor(whole / 86_400)}d${Math.floor((whole % 86_400) / 3600)}h`;
}
