// Canonical JSON (D20). The law: Python's json.dumps(json.loads(T), sort_keys=True, separators=(",", ":")) == T
// for every text T written here, so that the draft's own Python verifies our log.
import { LIMITS } from "./constants.ts";
import { HapError } from "./errors.ts";
import { quote } from "./identifiers.ts";
import { showInvisible } from "./text-safety.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

const plainAscii = /^[ !#-[\]-~]*$/;
const beyondUtf16Order = /[\ud800-\uffff]/;
const mustEscape = /["\\]|[^ -~]/g;
const shortEscapes: Record<string, string> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** The one text of a value. Keys with the value `undefined` count as absent. */
export function canonicalJson(value: Json): string {
  return write(value, []);
}

/** The keys and places on the way to a value: put together only when there is something to say about it. */
type Path = (string | number)[];

function write(value: Json | undefined, path: Path): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return writeString(value, path);
    case "number":
      return writeNumber(value, path);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (path.length >= LIMITS.jsonDepth) throw refuse(path, `is nested deeper than ${LIMITS.jsonDepth} levels`);
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value as Record<string, Json>, path);
    default:
      throw refuse(path, `is ${value === undefined ? "undefined" : `a ${typeof value}`}, which JSON cannot hold`);
  }
}

function writeArray(items: readonly Json[], path: Path): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    path.push(index);
    text += index === 0 ? write(items[index], path) : `,${write(items[index], path)}`;
    path.pop();
  }
  return `${text}]`;
}

function writeObject(object: Record<string, Json | undefined>, path: Path): string {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw refuse(path, "is an object of a class, which JSON cannot hold");
  let text = "{";
  for (const key of sortKeys(Object.keys(object))) {
    const item = object[key];
    if (item === undefined) continue;
    path.push(key);
    text += `${text === "{" ? "" : ","}${writeString(key, path)}:${write(item, path)}`;
    path.pop();
  }
  return `${text}}`;
}

/** JavaScript's own order is that of code points as long as nothing lies beyond U+D7FF. */
function sortKeys(keys: string[]): string[] {
  return keys.some((key) => beyondUtf16Order.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}

function writeString(text: string, path: Path): string {
  if (plainAscii.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw refuse(path, "holds half of a surrogate pair, which is no character");
  return `"${text.replace(mustEscape, (char) => shortEscapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

function writeNumber(value: number, path: Path): string {
  if (!Number.isFinite(value)) throw refuse(path, `is ${value}; JSON numbers are finite`);
  if (Number.isSafeInteger(value)) return value === 0 ? "0" : String(value);
  return pythonFloat(value);
}

/** Python's repr of a double: shortest digits, fixed notation for exponents -4 to 15, else `d.ddde+XX`. */
function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e15) return String(value);
  const [mantissa = "", exponentText = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  return (value < 0 ? "-" : "") + (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : fixed(digits, exponent));
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function fixed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return `${digits.padEnd(exponent + 1, "0")}.0`;
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** Order by code point, as Python and UTF-8 bytes do; JavaScript's own order differs beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

const longInteger = /[0-9]{16}/;

/** Parse JSON text, refusing what canonical JSON could not print back: huge integers, half surrogate pairs, deep nesting. */
export function parseJson(text: string, name = "The text"): Json {
  let value: Json;
  try {
    value = longInteger.test(text) ? JSON.parse(text, refuseInexactInteger(name)) : JSON.parse(text);
  } catch (error) {
    if (error instanceof HapError) throw error;
    const problem =
      error instanceof RangeError
        ? `is nested deeper than ${LIMITS.jsonDepth} levels.`
        : `is not JSON: ${(error as Error).message}. Check quotes, commas and brackets.`;
    throw new HapError("invalid_json", `${name} ${problem}`, {}, error);
  }
  canonicalJson(value);
  return value;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

function refuseInexactInteger(name: string): Reviver {
  return (key, value, context) => {
    const source = context?.source ?? "";
    if (typeof value !== "number" || !/^-?[0-9]+$/.test(source) || Number.isSafeInteger(value)) return value;
    const place = key === "" ? "" : ` at ${quote(key)}`;
    const problem = `${name} holds the integer ${source.slice(0, 60)}${place}, which a double cannot hold exactly; write it as a string.`;
    throw new HapError("invalid_json", problem, { field: key });
  };
}

function refuse(path: Path, problem: string): HapError {
  const whole = path.reduce<string>(
    (before, step) => (typeof step === "number" ? `${before}[${step}]` : before === "" ? step : `${before}.${step}`),
    "",
  );
  const shown = whole.length > 200 ? `${whole.slice(0, 200)}…` : whole;
  const field = showInvisible(shown);
  return new HapError("invalid_json", `${field === "" ? "The value" : field} ${problem}.`, { field });
}
