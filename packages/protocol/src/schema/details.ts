// What may stand in an intent's details: any JSON that can be kept exactly and shown whole (D13, D20).
import { checkJson } from "../canonical-json.ts";
import { HapError } from "../errors.ts";
import { showInvisible } from "../text-safety.ts";

/** Refuse what cannot be kept: NUL, half surrogate pairs, deep nesting, what is no JSON, and the key `__proto__`. */
export function checkDetails(details: Record<string, unknown>, field: string): void {
  checkJson(details, field);
  visit(details, field);
}

function visit(value: object, path: string): void {
  for (const key of Object.keys(value)) {
    if (key.includes("\0")) throw refuse(below(value, path, key), "must not hold NUL");
    if (key === "__proto__") throw refuse(below(value, path, key), "is a name that cannot be used");
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "string") {
      if (item.includes("\0")) throw refuse(below(value, path, key), "must not hold NUL");
    } else if (typeof item === "object" && item !== null) visit(item, below(value, path, key));
  }
}

function below(value: object, path: string, key: string): string {
  return Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
}

function refuse(path: string, problem: string): HapError {
  const field = showInvisible(path.slice(0, 200));
  return new HapError("invalid_input", `The ticket cannot be taken: ${field}: ${problem}.`, { field });
}
