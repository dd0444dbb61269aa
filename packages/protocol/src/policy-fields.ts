// Readers for the fields of a policy file: each returns the value as it counts, and says what is wrong with it.
import { parseHumanId, quote } from "./identifiers.ts";

/** What is wrong, and where. */
export type Problem = { field: string; problem: string };
/** Returns the value as it counts; what is wrong with it goes to `problems`. */
export type Read = (value: unknown, field: string, problems: Problem[]) => unknown;

/** A value that `fits`, or a problem in those words. */
export function check(words: string, fits: (value: unknown) => boolean): Read {
  return (value, field, problems) => {
    if (!fits(value)) problems.push({ field, problem: `must be ${words} (${whatCame(value)})` });
    return value;
  };
}

function whatCame(value: unknown): string {
  if (value === undefined) return "it is missing";
  if (typeof value === "string") return value.length <= 60 ? `got ${quote(value)}` : `got ${value.length} characters`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "got a list" : "got an object";
  return `got ${value}`;
}

/** An object with these keys and no others; keys in `required` must be there. */
export function object(shape: Record<string, Read>, required: readonly string[] = []): Read {
  return (value, field, problems) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      problems.push({ field, problem: `must be an object (${whatCame(value)})` });
      return value;
    }
    const at = (key: string) => (field === "" ? key : `${field}.${key}`);
    const given = value as Record<string, unknown>;
    for (const key of required) if (!Object.hasOwn(given, key)) shape[key]?.(undefined, at(key), problems);
    return Object.fromEntries(
      Object.entries(given).map(([key, part]) => {
        if (Object.hasOwn(shape, key)) return [key, shape[key]?.(part, at(key), problems)];
        problems.push({ field, problem: `has the unknown key ${quote(key)}; known are ${Object.keys(shape).join(", ")}` });
        return [key, part];
      }),
    );
  };
}

/** A list whose items `read` takes. */
export function list(read: Read, least = 0): Read {
  return (value, field, problems) => {
    if (!Array.isArray(value) || value.length < least) {
      problems.push({ field, problem: `must be a list${least > 0 ? " that is not empty" : ""} (${whatCame(value)})` });
      return value;
    }
    return value.map((item, index) => read(item, `${field}.${index}`, problems));
  };
}

/** One value, or a list of at least one. */
export function oneOrMore(read: Read): Read {
  const several = list(read, 1);
  return (value, field, problems) => (Array.isArray(value) ? several : read)(value, field, problems);
}

/** One of these words. */
export function oneOf(words: readonly string[]): Read {
  const named = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return check(named, (value) => words.includes(value as string));
}

/** Any text; true or false; a factor; one pattern or several. */
export const text = check("a text", (value) => typeof value === "string");
export const flag = check("true or false", (value) => typeof value === "boolean");
export const factor = check("a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1);
export const globs = oneOrMore(check("a pattern", (value) => typeof value === "string" && value !== ""));

/** A person by name. */
export const person: Read = (value, field, problems) => {
  try {
    if (typeof value === "string") return parseHumanId(value, "person");
    problems.push({ field, problem: `must be human:NAME (${whatCame(value)})` });
  } catch (error) {
    problems.push({ field, problem: (error as Error).message.replace(/\.$/, "") });
  }
  return value;
};
