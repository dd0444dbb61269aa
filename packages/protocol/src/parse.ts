// Parse at the edge, once: everything from outside goes through a schema, and an error names the field.
import type * as z from "zod";
import { type ErrorCode, HapError } from "./errors.ts";

/** Parse `input` or throw an error that names the first wrong field, what came, and what is allowed. */
export function parseWith<T>(schema: z.ZodType<T>, input: unknown, what: string, code: ErrorCode = "invalid_input"): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 5)
    .map((issue) => ({ field: issue.path.map(String).join("."), problem: issue.message }));
  const list = issues.map((issue) => `${issue.field === "" ? "the value" : issue.field}: ${issue.problem}`).join("; ");
  throw new HapError(code, `${what} cannot be taken: ${list}.`, { field: issues[0]?.field ?? "", issues });
}
