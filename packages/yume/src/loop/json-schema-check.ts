// Values against a JSON Schema. Loaded only when a schema is given.
import { Ajv } from "ajv";

/** A function that says why a value does not fit, or null. Throws for a schema that is none. */
export function compileSchema(schema: Record<string, unknown>): (value: unknown) => string | null {
  const check = new Ajv({ allErrors: true, strict: false }).compile(schema);
  return (value) =>
    check(value) ? null : (check.errors ?? []).map((error) => `${error.instancePath || "the value"} ${error.message}`).join("; ");
}
