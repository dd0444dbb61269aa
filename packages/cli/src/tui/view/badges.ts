// Risk and time on a card: readable without colours too.
import { effectWords, isOpen, type Ticket, tierOfEffect, worstFirst } from "@hap/protocol";
import { riskNumber } from "../../show/risk-words.ts";
import { type Paint, paintTier } from "../../terminal/paint.ts";
import { isLastMinute } from "../model/countdown.ts";
import type { Part } from "./spread.ts";

/** `[notable 0.54]`; an exclamation mark where a yes must be confirmed. A question has no risk. */
export function severityBadge(paint: Paint, { risk, tier, ask }: Ticket): Part {
  const question = ask.type !== "approval";
  const words = question ? (tier === "critical" ? "critical question" : "question") : `${tier} ${riskNumber(risk)}`;
  return { text: `[${tier === "critical" ? "! " : ""}${words}]`, paint: (shown) => paintTier(paint, tier, shown) };
}

/** What it does, worst first; the harmless is not named. */
export function effectSummary({ effects, ask }: Ticket): string {
  if (ask.type !== "approval") return "";
  return worstFirst(effects)
    .filter((effect) => tierOfEffect(effect) !== "routine")
    .map(effectWords)
    .join(", ");
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
