// Numbers given as options. Ranges are the runtime's business, whose errors name them.
import { HapError, quote } from "@hap/protocol";

/** A number, or undefined when the option was not given. */
export function parseNumber(text: string | undefined, name: string, allowed: string): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new HapError("invalid_input", `${name} is ${quote(text)}; it must be ${allowed}.`, { field: name });
}
