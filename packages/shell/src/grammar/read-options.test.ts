import { describe, expect, it } from "vitest";
import { exactly } from "./argument.ts";
import { readOptions } from "./read-options.ts";

const read = (text: string, stopAtOperand = false) =>
  readOptions(text.split(" ").map(exactly), "o:X:", ["output="], stopAtOperand);

describe("readOptions", () => {
  it("reads values attached, apart and behind an equals sign", () => {
    for (const text of ["-o f", "-of", "-so f", "-sof"]) expect(read(text).values("o")[0]?.text, text).toBe("f");
    for (const text of ["--output f", "--output=f"]) expect(read(text).values("output")[0]?.text, text).toBe("f");
  });

  it("knows abbreviations of long options", () => {
    expect(read("--forc").has("force")).toBe(true);
    expect(read("--fo").has("force")).toBe(true);
    expect(read("-f").has("force")).toBe(false);
    expect(read("--force-with-lease").has("force")).toBe(false);
  });

  it("ends at -- and, where told, at the first operand", () => {
    expect(read("a -b -- -c").words).toEqual(["a", "-c"]);
    expect(read("-b a -c", true).words).toEqual(["a", "-c"]);
    expect(read("-b a -c", true).has("c")).toBe(false);
  });
});
