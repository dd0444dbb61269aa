import fc from "fast-check";
import { expect, test } from "vitest";
import { compareCodePoints, orderKeys } from "./key-order.ts";

const keysOf = (names: readonly string[]) => Object.keys(Object.fromEntries(names.map((name) => [name, 1])));

test("keys come in the order of code points, whether or not their like was seen before", () => {
  // Few letters, so that lists of the same lengths and first letters, which share a place, come up often.
  const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "é", "\uffff", "😀"), maxLength: 3 }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(names, (given) => {
      const sorted = [...given].sort(compareCodePoints);
      expect(orderKeys(keysOf(given)).keys).toEqual(sorted);
      expect(orderKeys(keysOf(given).reverse()).keys).toEqual(sorted);
    }),
    { numRuns: 2000 },
  );
});

test("names are ready-made for what needs no escape, and null for the rest", () => {
  const a = { bare: ',"a":', opens: ',"a":"', closes: '","a":', both: '","a":"' };
  expect(orderKeys(["é", 'q"', "a"])).toMatchObject({ keys: ["a", 'q"', "é"], names: [a, null, null] });
});

test("what was seen before is kept while there is room for it, and only where it is small", () => {
  const again = (keys: string[]) => {
    const first = orderKeys([...keys]);
    return orderKeys([...keys]) === first;
  };
  expect(again(["b", "a"])).toBe(true);
  expect(again(Array.from({ length: 65 }, (_, i) => `k${i}`))).toBe(false);
  expect(again(["x".repeat(2_001)])).toBe(false);
  const before = orderKeys(["b", "a"]);
  for (let i = 0; i < 1_000; i++) orderKeys(["k".repeat(i)]);
  expect(orderKeys(["b", "a"])).not.toBe(before);
  expect(orderKeys(["b", "a"])).toEqual(before);
});

test("compareCodePoints orders as UTF-8 bytes do", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    {
      numRuns: 500,
      examples: [
        ["\uffff", "\u{10000}"],
        ["a\ue000", "a😀"],
        ["", "a"],
        ["😀", "😁"],
      ],
    },
  );
});
