// A zod schema as JSON Schema, draft-07. Apart from the index, so that only those who publish schemas pay for it.
import * as z from "zod";

/** A schema of this package. */
export type Schema = z.ZodType;
/** A JSON Schema, or a part of one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What `schema` takes (`input`) or gives (`output`). Readers ignore unknown fields, so no object is closed. */
export function toJsonSchema(schema: Schema, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}
