// Agents as rows: who, where, what waits, and when they were last heard of.
import type { AgentCard } from "@hap/protocol";
import { type Context, fitWidth } from "../context.ts";
import { makePaint } from "../terminal/paint.ts";
import { renderTable } from "../terminal/table.ts";
import { oneLine } from "./agent-text.ts";
import { secondsSince, shortAge } from "./time-words.ts";

const WHERE = 2;

/** The table, fitted to the terminal. */
export function chatTable(context: Context, agents: readonly AgentCard[]): string {
  const paint = makePaint(context.env, context.out.isTerminal);
  const at = (row: number) => agents[row] as AgentCard;
  const columns = [
    { heading: "Agent", paint: (cell: string) => paint.bold(cell) },
    { heading: "Runtime" },
    { heading: "Where" },
    { heading: "Group" },
    { heading: "Asks", paint: (cell: string, row: number) => (at(row).waiting > 0 ? paint.yellow(cell) : cell) },
    { heading: "Queued" },
    { heading: "Seen" },
  ];
  const rows = agents.map((card) => [
    oneLine([card.agent.replace(/^agent:/, ""), card.name === null ? "" : ` (${card.name})`].join("")),
    card.agent_runtime,
    oneLine([card.project_dir, card.label].filter((text) => text !== null).join("  ")),
    oneLine(card.group ?? ""),
    `${card.waiting}${card.listening === null ? "" : ", listening"}`,
    String(card.queued),
    `${shortAge(secondsSince(card.seen_at, context.now()))}${card.left_at === null ? "" : ", left"}`,
  ]);
  return renderTable(columns, rows, fitWidth(context), WHERE);
}
