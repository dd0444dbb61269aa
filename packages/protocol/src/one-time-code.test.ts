import { describe, expect, it } from "vitest";
import { CODE, makeCode, readCode } from "./one-time-code.ts";

describe("a one-time code", () => {
  it("[CODE-SHAPE-1] holds all 40 bits of its five bytes", () => {
    expect(CODE.bytes * 8).toBe(40);
    expect(makeCode(new Uint8Array(5))).toBe("0000-0000");
    expect(makeCode(new Uint8Array(5).fill(255))).toBe("ZZZZ-ZZZZ");
    expect(makeCode(Uint8Array.of(0, 0, 0, 0, 1))).toBe("0000-0001");
    expect(makeCode(Uint8Array.of(128, 0, 0, 0, 0))).toBe("G000-0000");
  });

  it.each([
    ["abcd-efgh", "ABCD-EFGH"],
    ["  ab cd ef gh ", "ABCD-EFGH"],
    ["il0o-1234", "1100-1234"],
  ])("[CODE-SHAPE-1] is read however it is typed: %s", (typed, code) => {
    expect(readCode(typed)).toBe(code);
  });

  it.each(["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFGU", "ÄBCD-EFGH", "ABCD_EFGH"])(
    "[CODE-SHAPE-1] is refused when it cannot be one: %j",
    (typed) => {
      expect(() => readCode(typed)).toThrow(/eight letters and digits/);
    },
  );
});
