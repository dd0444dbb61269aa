import * as fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth } from "./width.ts";
import { wrapLines } from "./wrap.ts";

test("without a width, lines stay as they are", () => {
  expect(wrapLines(`a\t${"b".repeat(300)}\nc`, null)).toEqual([`a\t${"b".repeat(300)}`, "c"]);
});

test("lines break at a space near the end, else anywhere", () => {
  expect(wrapLines("one two three four", 10)).toEqual(["one two ", "three four"]);
  expect(wrapLines("abcdefghijklmno", 10)).toEqual(["abcdefghij", "klmno"]);
  expect(wrapLines("日本語日本語", 8)).toEqual(["日本語日", "本語"]);
});

test("tabs become spaces up to the next stop", () => {
  expect(wrapLines("a\tb", 40)).toEqual(["a       b"]);
});

test("no row is wider than asked for, and nothing is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, width) => {
      fc.pre(!/[\t\n\r]/.test(text));
      const rows = wrapLines(text, width);
      expect(rows.join("")).toBe(text);
      for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(width);
    }),
  );
});
