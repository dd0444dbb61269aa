// The arguments of a call as a model wrote them. Whole means: a JSON object, which cannot be the beginning of a longer one.
import type { ToolInput } from "../model/types.ts";

/** The input, or null when the text is no whole JSON object. Nothing at all is a call without arguments. */
export function parseArguments(text: string): ToolInput | null {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  // Some servers encode twice.
  const inner = typeof value === "string" ? parseJson(value) : value;
  if (inner === null) return {};
  return isObject(inner) ? inner : null;
}

/** True when these arguments are there and whole, so that more text cannot belong to them. */
export function areWhole(text: string): boolean {
  // Only what ends like one is worth parsing: this is asked for each delta.
  return /[}"]\s*$/.test(text.slice(-64)) && parseArguments(text) !== null;
}

/** A JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value, or undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
