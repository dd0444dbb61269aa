// Whose words a row holds: a bar at its left marks the agent's, so that no agent can write a row that passes for ours.
import type { Paint } from "../terminal/paint.ts";
import { wrapLines } from "../terminal/wrap.ts";

/** How rows are made: colours, and the columns to fit into or null. */
export type Style = { paint: Paint; width: number | null };

const AGENT = "│ ";
const OURS = "  ";

/** The colour of a line's rows, chosen by the whole line. */
export type Tint = (line: string) => (row: string) => string;
const untinted: Tint = () => (row) => row;

/** Rows of an agent's text, each with the bar. */
export function agentRows(text: string, { paint, width }: Style, tint: Tint = untinted): string[] {
  return text.split("\n").flatMap((line) => wrapLines(line, inner(width)).map((row) => paint.cyan(AGENT) + tint(line)(row)));
}

/** Rows of our own text. */
export function ownRows(text: string, { width }: Style): string[] {
  return wrapLines(text, inner(width)).map((row) => OURS + row);
}

/** The mark alone, for a row whose parts are coloured one by one. */
export function mark(origin: "agent" | "runtime", paint: Paint): string {
  return origin === "agent" ? paint.cyan(AGENT) : OURS;
}

/** The columns between the mark and the edge. */
export function inner(width: number | null): number | null {
  return width === null ? null : width - AGENT.length;
}
