// Fields of a provider's JSON, read tolerantly.
import { isObject } from "../call-arguments.ts";

/** A number of tokens; what is none counts as 0. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/** An id as text: some servers send numbers. What is neither is none. */
export function idOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** A place in a list; some servers send it as text. */
export function indexOf(value: unknown): number | null {
  const index = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof index === "number" && Number.isInteger(index) ? index : null;
}

/** Text, or the text of a list of parts. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((part) => (isObject(part) ? textOf(part.text) : "")).join("");
  return "";
}
