// One event of the whole log as a line for people: when, which ticket, and what happened.
import { type Json, shortCode } from "@hap/protocol";
import type { Paint } from "../terminal/paint.ts";
import { oneLine } from "./agent-text.ts";
import { describeEvent } from "./history.ts";
import { moment } from "./time-words.ts";

const CODE_WIDTH = 6;

type Message = Record<string, Json>;
const part = (value: Json | undefined) =>
  (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Message;

/** `2026-11-18 10:01:05  7k2m9x  opened by agent:ci for human:alex: Refactor auth`. */
export function eventLine(event: Json, paint: Paint): string {
  const message = part(event);
  const opened = part(message.ticket);
  const id = [message.ticket_id, opened.id, part(message.intent).ticket_id, message.ticket, message.taken_by].find(
    (value) => typeof value === "string" && value.startsWith("tk_"),
  );
  const code = typeof id === "string" ? shortCode(id) : "";
  const summary = part(opened.intent).summary;
  const about = typeof summary === "string" ? `: ${oneLine(summary)}` : "";
  const at = typeof message.ts === "string" ? moment(message.ts) : "";
  return `${paint.dim(at)}  ${paint.bold(code.padEnd(CODE_WIDTH))}  ${describeEvent(message)}${about}`;
}
