import { expect, test } from "vitest";
import * as z from "zod";
import { toJsonSchema } from "./json-schema.ts";
import { words } from "./schema/primitives.ts";

const schema = z.object({ summary: words(200, 1), list: z.array(z.object({ n: z.int().default(1) })) });

test("[VERSION-IGNORE-1] objects are open at every depth, in what is taken and in what is given", () => {
  for (const io of ["input", "output"] as const)
    expect(JSON.stringify(toJsonSchema(schema, io))).not.toContain("additionalProperties");
});

test("a default is optional in what is taken and always there in what is given", () => {
  expect(toJsonSchema(schema, "input")).not.toHaveProperty("properties.list.items.required");
  expect(toJsonSchema(schema, "output")).toHaveProperty("properties.list.items.required", ["n"]);
});

test("limits of text are told, though code checks them by its own rules", () => {
  expect(toJsonSchema(schema, "input").properties?.summary).toEqual({ type: "string", minLength: 1, maxLength: 200 });
});
