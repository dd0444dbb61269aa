// Numbers given as options. Ranges are the runtime's business, whose errors name them.
import { HapError, quote } from "@hap/protocol";

/** A number, or undefined when the option was not given. */
export function parseNumber(text: string | undefined, name: string, allowed: string): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new HapError("invalid_input", `${name} is ${quote(text)}; it must be ${allowed}.`, { field: name });
}

/** A whole number that was given. */
export function parseWhole(text: string, name: string): number {
  if (/^[0-9]{1,9}$/.test(text.trim())) return Number(text);
  throw new HapError("invalid_input", `${name} is ${quote(text)}; it must be a whole number.`, { field: name });
}
