import { expect, test } from "vitest";
import { TRUST_CLASSES } from "../constants.ts";
import { EVENT_TYPES, eventSchema } from "./events.ts";

test.each(EVENT_TYPES)("the schema of %s is made once", (type) => {
  expect(eventSchema(type).shape.type.value).toBe(type);
  expect(eventSchema(type)).toBe(eventSchema(type));
});

test("[TRUST-CLASS-3] every event that names a trust class names one of the three", () => {
  const labelled = EVENT_TYPES.map((type) => eventSchema(type).shape).filter((shape) => "trust" in shape);
  expect(labelled.length).toBeGreaterThan(5);
  for (const { trust } of labelled as unknown as { trust: { safeParse: (value: unknown) => { success: boolean } } }[]) {
    for (const known of TRUST_CLASSES) expect(trust.safeParse(known).success).toBe(true);
    for (const unknown of ["nonsense", "", null, "Open"]) expect(trust.safeParse(unknown).success).toBe(false);
  }
});
