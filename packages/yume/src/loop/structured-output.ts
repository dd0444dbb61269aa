// An answer that must fit a JSON Schema: given through a tool whose input is the schema, checked here, whatever the provider.
import type { ToolSpec } from "../model/types.ts";
import { YumeError } from "../yume-error.ts";

export const STRUCTURED_OUTPUT = "StructuredOutput";
export const MOST_TRIES = 5;

/** Why a value does not fit, or null. */
export type Validate = (value: unknown) => string | null;

/** The tool by which the model answers. */
export function structuredOutputSpec(schema: Record<string, unknown>): ToolSpec {
  return {
    name: STRUCTURED_OUTPUT,
    description: "Gives the final answer in the form that was asked for. Call it once, at the end.",
    input_schema: schema,
  };
}

/** A checker for a schema; a schema that is none is an error at the start. */
export async function makeValidate(schema: Record<string, unknown>): Promise<Validate> {
  const { compileSchema } = await import("./json-schema-check.ts");
  try {
    return compileSchema(schema);
  } catch (error) {
    throw new YumeError("usage", `--json-schema is no JSON Schema: ${(error as Error).message}`, error);
  }
}

/** JSON in a text: the text itself, or its only fenced block. */
export function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return undefined;
  }
}
