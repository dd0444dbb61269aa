// Canonical JSON (D20). The law: Python's json.dumps(json.loads(T), sort_keys=True, separators=(",", ":")) == T
// for every text T written here, so that the draft's own Python verifies our log.
import { LIMITS } from "./constants.ts";
import { HapError } from "./errors.ts";
import { quote } from "./identifiers.ts";
import { nameKey, orderKeys } from "./key-order.ts";
import { showInvisible } from "./text-safety.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

const anyEscape = /["\\]|[^ -~]/;
const beyondAscii = /[^ -~]/g;
const anyChar = /^./;

/** The one text of a value. Keys with the value `undefined` count as absent. */
export function canonicalJson(value: Json): string {
  const text = write(value, [], 0);
  // A text that was put together lies in pieces until it is read, and everyone who builds on it gathers them anew.
  if (typeof value === "object") anyChar.test(text);
  return text;
}

/** Refuse what could not be written, and write nothing. In a field, its place is named and its depth counted from there. */
export function checkJson(value: unknown, field?: string): void {
  const path = field === undefined ? [] : [field];
  // Which of several problems is told of, the writer decides.
  if (!canBeWritten(value, path.length)) write(value as Json, path, path.length);
}

function canBeWritten(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "boolean";
  if (value === null) return true;
  if (depth >= LIMITS.jsonDepth) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!canBeWritten(value[index], depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined && !(key.isWellFormed() && canBeWritten(item, depth + 1))) return false;
  }
  return true;
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The keys and places on the way to a value, as many as it lies deep: put together only when there is something to say. */
type Path = (string | number)[];

function write(value: Json | undefined, path: Path, depth: number): string {
  if (typeof value === "string") return writeString(value, path, depth);
  if (value === null) return "null";
  switch (typeof value) {
    case "number":
      return writeNumber(value, path, depth);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (depth >= LIMITS.jsonDepth) throw refuse(path, depth, `is nested deeper than ${LIMITS.jsonDepth} levels`);
      return Array.isArray(value) ? writeArray(value, path, depth) : writeObject(value as Record<string, Json>, path, depth);
    default:
      throw refuse(path, depth, `is ${value === undefined ? "undefined" : `a ${typeof value}`}, which JSON cannot hold`);
  }
}

function writeArray(items: readonly Json[], path: Path, depth: number): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    path[depth] = index;
    if (index > 0) text += ",";
    text += write(items[index], path, depth + 1);
  }
  return `${text}]`;
}

function writeObject(object: Record<string, Json | undefined>, path: Path, depth: number): string {
  if (!isPlainObject(object)) throw refuse(path, depth, "is an object of a class, which JSON cannot hold");
  const { keys, names } = orderKeys(Object.keys(object));
  let text = "";
  // Fewer pieces cost less: the closing quote of a plain text is written with the name that follows it.
  let open = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key];
    if (item === undefined) continue;
    path[depth] = key;
    const name = names[i] ?? nameKey(writeString(key, path, depth + 1));
    const plain = typeof item === "string" && isPlain(item);
    if (text === "") text = `{${(plain ? name.opens : name.bare).slice(1)}`;
    else if (open) text += plain ? name.both : name.closes;
    else text += plain ? name.opens : name.bare;
    text += plain ? item : write(item, path, depth + 1);
    open = plain;
  }
  if (text === "") return "{}";
  return open ? `${text}"}` : `${text}}`;
}

function writeString(text: string, path: Path, depth: number): string {
  if (isPlain(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw refuse(path, depth, "holds half of a surrogate pair, which is no character");
  return JSON.stringify(text).replace(beyondAscii, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** True for printable ASCII without quotes and backslashes. On a short text, to call a pattern costs more than to look. */
function isPlain(text: string): boolean {
  if (text.length > 32) return !anyEscape.test(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

function writeNumber(value: number, path: Path, depth: number): string {
  if (!Number.isFinite(value)) throw refuse(path, depth, `is ${value}; JSON numbers are finite`);
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
  checkJson(value);
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

function refuse(path: Path, depth: number, problem: string): HapError {
  const whole = path
    .slice(0, depth)
    .reduce<string>(
      (before, step) => (typeof step === "number" ? `${before}[${step}]` : before === "" ? step : `${before}.${step}`),
      "",
    );
  const shown = whole.length > 200 ? `${whole.slice(0, 200)}…` : whole;
  const field = showInvisible(shown);
  return new HapError("invalid_json", `${field === "" ? "The value" : field} ${problem}.`, { field });
}
