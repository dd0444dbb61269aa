// A call's input as a line can show it: long texts are cut, and a mark in each says where all of it is.
import type { ToolInput } from "../model/types.ts";
import { cutText, lineBytes } from "./cut-text.ts";

/** More than this is not shown; with what stands around it a line stays under 100 kB. */
export const INPUT_BYTES = 90_000;
const FIRST_LIMIT = 16_000;
const LEAST_LIMIT = 250;

/** The input itself when it fits; else its texts cut as far as needed. `note` ends each text that was cut. */
export function fitInput(input: ToolInput, bytes: number, note: string): ToolInput {
  if (lineBytes(input) <= bytes) return input;
  for (let limit = FIRST_LIMIT; limit >= LEAST_LIMIT; limit /= 2) {
    const shown = cutAll(input, limit, note) as ToolInput;
    if (lineBytes(shown) <= bytes) return shown;
  }
  return { left_out: note };
}

function cutAll(value: unknown, limit: number, note: string): unknown {
  if (typeof value === "string") return value.length <= limit ? value : `${cutText(value, limit)}\n${note}`;
  if (Array.isArray(value)) return value.map((one) => cutAll(one, limit, note));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cutAll(one, limit, note)]));
}
