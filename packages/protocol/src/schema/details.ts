// What may stand in an intent's details: any JSON that can be kept exactly and shown whole (D13, D20).
import { canonicalJson, type Json } from "../canonical-json.ts";
import { HapError } from "../errors.ts";
import { showInvisible } from "../text-safety.ts";

/** Refuse what cannot be kept: NUL, half surrogate pairs, deep nesting, what is no JSON, and the key `__proto__`. */
export function checkDetails(details: Record<string, unknown>, field: string): void {
  canonicalJson({ [field]: details as Json });
  visit(details, field);
}

function visit(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw refuse(path, "must not hold NUL");
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      if (key.includes("\0")) throw refuse(inner, "must not hold NUL");
      if (key === "__proto__") throw refuse(inner, "is a name that cannot be used");
      visit(item, inner);
    }
  }
}

function refuse(path: string, problem: string): HapError {
  const field = showInvisible(path.slice(0, 200));
  return new HapError("invalid_input", `The ticket cannot be taken: ${field}: ${problem}.`, { field });
}
