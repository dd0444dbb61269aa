import { describe, expect, it } from "vitest";
import { type Rule, readByRule } from "./rule.ts";

const rule: Rule = { letters: "abn:u?", long: ["all", "lines=", "color=?"], number: true, operands: "contents" };
const contents = (...args: string[]) => readByRule(rule, args)?.contents;

describe("a rule of the harmless table", () => {
  it("reads letters alone, together, with values attached and apart", () => {
    expect(contents("-a", "-ab", "-n5", "-n", "5", "-an", "5", "-u", "-uno", "-5", "x")).toEqual(["x"]);
  });

  it("reads long options with and without values", () => {
    expect(contents("--all", "--lines=5", "--lines", "5", "--color", "--color=auto", "x")).toEqual(["x"]);
  });

  it.each(["-z", "-az", "--unknown", "--al", "--all=1", "-n", "--lines", "-a-", "-a:", "-:"])("refuses %s", (arg) => {
    expect(readByRule(rule, [arg])).toBeUndefined();
  });

  it("takes everything behind -- as an operand, and - as its input", () => {
    expect(contents("--", "-z", "--all")).toEqual(["-z", "--all"]);
    expect(contents("-")).toEqual([]);
  });

  it("looks at a value behind an operand as a path too, because some programs stop reading options there", () => {
    expect(contents("x", "-n", "/etc/passwd")).toEqual(["x", "/etc/passwd"]);
  });

  it("leaves a pattern out of the paths, unless an option gave it", () => {
    const search: Rule = { letters: "e:", operands: "contents", patternUnless: ["e"], here: true };
    expect(readByRule(search, ["pattern", "file"])?.contents).toEqual(["file"]);
    expect(readByRule(search, ["-e", "pattern", "file"])?.contents).toEqual(["file"]);
    expect(readByRule(search, ["pattern"])?.contents).toEqual(["."]);
    expect(readByRule(search, [])).toBeUndefined();
  });

  it("bounds operands by number, by look and by guard", () => {
    expect(readByRule({ operands: "contents", most: 1 }, ["a", "b"])).toBeUndefined();
    expect(readByRule({ operands: "words", like: /^\+/ }, ["2020"])).toBeUndefined();
    expect(readByRule({ operands: "none" }, ["a"])).toBeUndefined();
    expect(readByRule({ operands: "none", guard: () => false }, [])).toBeUndefined();
  });
});
