import { describe, expect, it } from "vitest";
import { show } from "./show.ts";

describe("show", () => {
  it("makes every invisible character visible", () => {
    expect(show("a\u202eb\0c\nd\u2028")).toBe("a\\u{202e}b\\u{0}c\\u{a}d\\u{2028}");
    expect(show("\ud800")).toBe("\\u{d800}");
  });

  it("cuts long texts and says so", () => {
    expect(show("a".repeat(80))).toBe("a".repeat(80));
    expect(show("a".repeat(81))).toBe(`${"a".repeat(80)}…`);
    expect(show("😀".repeat(200))).toBe(`${"😀".repeat(80)}…`);
  });
});
