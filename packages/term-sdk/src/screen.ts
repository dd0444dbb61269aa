// The extension of the protocol for interactive programs and for tokens. Agents that do not use it never see it.

/** Keys to type: text, or the name of a key (`Escape`, `C-c`, `Up`, as in tmux), with the seconds to wait afterwards (1 unless given). */
export type Keys = string | { keys: string; wait?: number };

/** The screen of the terminal after keystrokes. Rows and columns count from 1. */
export type Screen = {
  text: string;
  cursor: { row: number; column: number };
  /** True while a full-screen program has the terminal. */
  fullScreen: boolean;
  rows: number;
  columns: number;
};

/** Tokens and cost of the model call behind a response. Leave out what you do not know. */
export type Usage = {
  /** All input tokens, cached ones included. */
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  cost_usd?: number;
};

/** Read the screen of a request; undefined if it is not one. */
export function readScreen(value: unknown): Screen | undefined {
  if (!isObject(value) || !isObject(value.cursor)) return undefined;
  const { text, full_screen, rows, columns } = value;
  const { row, column } = value.cursor;
  if (typeof text !== "string" || typeof full_screen !== "boolean") return undefined;
  if (![rows, columns, row, column].every((number) => Number.isInteger(number))) return undefined;
  const whole = { rows: rows as number, columns: columns as number };
  return { text, cursor: { row: row as number, column: column as number }, fullScreen: full_screen, ...whole };
}

/** Read the keystrokes in a model's answer: text or a list; null if they cannot be typed. */
export function readKeys(value: unknown): Keys[] | null {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value) || value.length === 0) return null;
  const fits = (entry: unknown): entry is Keys =>
    typeof entry === "string" ||
    (isObject(entry) && typeof entry.keys === "string" && ["number", "undefined"].includes(typeof entry.wait));
  return value.every(fits) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
