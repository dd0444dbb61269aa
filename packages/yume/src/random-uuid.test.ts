import { expect, test } from "vitest";
import { randomUuid } from "./random-uuid.ts";

test("ids are random UUIDs, and no two are the same", () => {
  const ids = Array.from({ length: 1_000 }, randomUuid);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every free digit of an id takes every value", () => {
  const ids = Array.from({ length: 1_000 }, () => randomUuid().replaceAll("-", ""));
  for (const [place, values] of Array.from({ length: 32 }, (_, at) => [at, new Set(ids.map((id) => id[at]))] as const))
    expect([place, values.size]).toEqual([place, place === 12 ? 1 : place === 16 ? 4 : 16]);
});
