// A call's input against its tool's schema: required fields, types and enums, with words from which a model can recover.
// What the schema does not name passes through untouched.
import type { ToolInput, ToolSpec } from "../model/types.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
};

/** What is wrong with an input, or null. */
export function checkInput(spec: ToolSpec, input: ToolInput): string | null {
  const problems = check(spec.input_schema as Schema, input, "");
  if (problems.length === 0) return null;
  const fields = Object.keys((spec.input_schema as Schema).properties ?? {}).join(", ");
  return `The input of ${spec.name} is wrong: ${problems.join("; ")}. Its fields are: ${fields}. Correct the call and make it again.`;
}

/** Numbers and booleans that a model wrote as text (`"offset": "2"`) as what they are; everything else as it is. */
export function readInput(spec: ToolSpec, input: ToolInput): ToolInput {
  const { properties = {} } = spec.input_schema as Schema;
  const read = Object.entries(input).map(([field, value]) => [field, typed(properties[field], value)]);
  return Object.fromEntries(read) as ToolInput;
}

function typed(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if ((schema?.type === "integer" || schema?.type === "number") && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  if (schema?.type === "boolean" && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === "true";
  return value;
}

function check(schema: Schema, value: unknown, path: string): string[] {
  const name = path === "" ? "the input" : path;
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${name} must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`];
  if (schema.type !== undefined && !isOf(schema.type, value))
    return [`${name} must be of type ${schema.type}, not ${kindOf(value)}`];
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems)
      return [`${name} must have ${schema.minItems} or more items`];
    return schema.items === undefined
      ? []
      : value.flatMap((item, index) => check(schema.items as Schema, item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  const given = value as Record<string, unknown>;
  const join = (field: string) => (path === "" ? field : `${path}.${field}`);
  const missing = (schema.required ?? [])
    .filter((field) => given[field] === undefined)
    .map((field) => `${join(field)} is missing`);
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([field, rule]) =>
    // null for "not given" is common among models.
    given[field] === undefined || (given[field] === null && !schema.required?.includes(field))
      ? []
      : check(rule, given[field], join(field)),
  );
  return [...missing, ...wrong];
}

function isOf(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
