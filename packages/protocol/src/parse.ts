// Parse at the edge, once: everything from outside goes through a schema, and an error names the field.
import type * as z from "zod";
import { type ErrorCode, HapError } from "./errors.ts";
import { quote } from "./identifiers.ts";
import { plainProblem } from "./plain-problem.ts";

/** Parse `input` or throw an error that names the first wrong field, what came, and what is allowed. */
export function parseWith<T>(schema: z.ZodType<T>, input: unknown, what: string, code: ErrorCode = "invalid_input"): T {
  const parsed = schema.safeParse(input, { error: plainProblem });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 5)
    .map((issue) => ({ field: issue.path.map(String).join("."), problem: issue.message + whatCame(input, issue) }));
  const list = issues.map(({ field, problem }) => sentence(field === "" ? "the value" : field, problem)).join("; ");
  throw new HapError(code, `${what} cannot be taken: ${list}.`, { field: issues[0]?.field ?? "", issues });
}

/** `comment has 1001 characters; ...`, or `risk: must be from 0 to 1 (got 9)`. */
function sentence(field: string, problem: string): string {
  return problem.startsWith("has ") ? `${field} ${problem}` : `${field}: ${problem}`;
}

/** What stood where the problem is, in a few words. */
function whatCame(input: unknown, issue: z.core.$ZodIssue): string {
  // The problem itself says how many there are.
  if (issue.message.startsWith("has ") && issue.message.includes(";")) return "";
  let value = input;
  for (const key of issue.path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return " (it is missing)";
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  if (typeof value === "string") return value.length <= 60 ? ` (got ${quote(value)})` : ` (got ${[...value].length} characters)`;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return ` (got ${value})`;
  return issue.code === "invalid_type" ? ` (got ${Array.isArray(value) ? "a list" : typeof value})` : "";
}
