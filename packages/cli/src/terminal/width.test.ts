import { expect, test } from "vitest";
import { displayWidth, pad, truncate } from "./width.ts";

test.for([
  ["", 0],
  ["plain ASCII", 11],
  ["naïve", 5],
  ["nai\u0308ve", 5],
  ["日本語", 6],
  ["한글", 4],
  ["ｆｕｌｌ", 8],
  ["😀", 2],
  ["👩\u200d👩\u200d👧", 2],
  ["e\u0301\u0323", 1],
  ["<U+202E>", 8],
  ["│ …", 3],
] as const)("%s takes %i columns", ([text, columns]) => {
  expect(displayWidth(text)).toBe(columns);
});

test.for([
  ["short", 10, "short"],
  ["exactly", 7, "exactly"],
  ["too long", 5, "too …"],
  ["日本語です", 6, "日本…"],
  ["日本語です", 5, "日本…"],
  ["x", 0, ""],
] as const)("%s is cut to %i columns", ([text, width, cut]) => {
  expect(truncate(text, width)).toBe(cut);
  expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
});

test("padding counts columns, not characters", () => {
  expect(pad("日本", 6)).toBe("日本  ");
  expect(pad("longer", 3)).toBe("longer");
});
