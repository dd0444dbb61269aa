// What is wrong with a value, in plain words, for checks that bring no words of their own. Zod's default messages are for developers.
import type * as z from "zod";

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const COUNTED: Record<string, string> = { string: "characters", array: "entries", set: "entries" };

/** The problem that an issue is, as the end of a sentence that begins with the field. */
export function plainProblem(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.join(", ")}`;
    case "too_big":
      return size(issue.origin, issue.input, `at most ${issue.maximum}`);
    case "too_small":
      return size(issue.origin, issue.input, `at least ${issue.minimum}`);
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.slice(0, 5).join(", ")}`;
    case "invalid_format":
      return issue.format === "regex" ? "has the wrong form" : `must be a valid ${issue.format}`;
    default:
      return "has the wrong form";
  }
}

function size(origin: string, input: unknown, allowed: string): string {
  const unit = COUNTED[origin];
  if (unit === undefined) return `must be ${allowed}`;
  const count = typeof input === "string" ? [...input].length : Array.isArray(input) ? input.length : null;
  return count === null ? `must have ${allowed} ${unit}` : `has ${count} ${unit}; ${allowed} are allowed`;
}
