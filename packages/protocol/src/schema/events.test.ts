import { expect, test } from "vitest";
import { EVENT_TYPES, eventSchema } from "./events.ts";

test.each(EVENT_TYPES)("the schema of %s is made once", (type) => {
  expect(eventSchema(type).shape.type.value).toBe(type);
  expect(eventSchema(type)).toBe(eventSchema(type));
});
