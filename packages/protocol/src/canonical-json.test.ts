import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { canonicalJson, checkJson, type Json, parseJson } from "./canonical-json.ts";

/** Any JSON value with text of every plane and doubles of every size. */
const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 6 }),
  ),
})).value;

describe("writing", () => {
  test.each<[string, Json, string]>([
    [
      "keys by code point, not by UTF-16 unit",
      { "\u{10000}": 1, "\uffff": 2, b: 3, a: 4 },
      '{"a":4,"b":3,"\\uffff":2,"\\ud800\\udc00":1}',
    ],
    ["keys by code point where one is the beginning of the other", { ab: 1, a: 2, "": 3 }, '{"":3,"a":2,"ab":1}'],
    ["integer-like keys as text", { 10: 1, 9: 2, "-1": 3 }, '{"-1":3,"10":1,"9":2}'],
    ["a key called __proto__ as any other", JSON.parse('{"__proto__":{"a":1},"a":2}'), '{"__proto__":{"a":1},"a":2}'],
    ["undefined as absent", { a: undefined, b: 1 }, '{"b":1}'],
    ["no spaces", { a: [1, [], {}, { b: null }] }, '{"a":[1,[],{},{"b":null}]}'],
    ["short escapes where Python has them", '"\\\b\f\n\r\t/', '"\\"\\\\\\b\\f\\n\\r\\t/"'],
    ["other controls and DEL as \\u", "\0\u001f\u007f\u0080", '"\\u0000\\u001f\\u007f\\u0080"'],
    ["space and tilde as they are", " ~", '" ~"'],
    ["everything beyond ASCII as lower-case \\u", "é€😀", '"\\u00e9\\u20ac\\ud83d\\ude00"'],
    ["true, false and null", [true, false, null], "[true,false,null]"],
  ])("[CANON-TEXT-1] %s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test.each<[number, string]>([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [-1, "-1"],
    [1e15, "1000000000000000"],
    [2 ** 53 - 1, "9007199254740991"],
    [-(2 ** 53 - 1), "-9007199254740991"],
    [2 ** 53, "9007199254740992.0"],
    [9999999999999998, "9999999999999998.0"],
    [1e16, "1e+16"],
    [-1e16, "-1e+16"],
    [1.5e16, "1.5e+16"],
    [1e21, "1e+21"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [0.1, "0.1"],
    [0.14, "0.14"],
    [-2.5, "-2.5"],
    [123456.789, "123456.789"],
    [0.0001, "0.0001"],
    [0.00012, "0.00012"],
    [0.00001, "1e-05"],
    [0.000012, "1.2e-05"],
    [1e-7, "1e-07"],
    [1e-10, "1e-10"],
    [5e-324, "5e-324"],
    [1e100, "1e+100"],
  ])("[CANON-NUMBER-1] the number %d is %s", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test("the order of keys does not matter", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.integer(), { maxKeys: 12 }), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  test("what was written reads back as the same value, and writes the same text", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(text).toMatch(/^[ -~]*$/);
        const again = parseJson(text);
        expect(again).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(again)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("[CANON-TEXT-1] every text is the one that is found by looking at each key and each character alone", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(value)).toBe(plainRoad(value));
      }),
      { numRuns: 500 },
    );
  });

  test.each([31, 32, 33, 34])("[CANON-TEXT-1] a character is escaped wherever it stands in a text of %i characters", (length) => {
    for (const char of ['"', "\\", "\n", "\u001f", "\u007f", "é", "\u2028"]) {
      for (let at = 0; at < length; at++) {
        const text = "a".repeat(at) + char + "a".repeat(length - at - 1);
        expect(canonicalJson(text)).toBe(plainRoad(text));
      }
    }
  });

  test("texts that differ in value differ", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

/** Canonical JSON without any short cut, to compare with; numbers have tables of their own. */
function plainRoad(value: Json | undefined): string {
  if (typeof value === "string") return `"${[...value].map(plainChar).join("")}"`;
  if (Array.isArray(value)) return `[${value.map(plainRoad).join(",")}]`;
  if (typeof value !== "object" || value === null) return canonicalJson(value as Json);
  const keys = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${keys.map((key) => `${plainRoad(key)}:${plainRoad((value as Record<string, Json>)[key])}`).join(",")}}`;
}

function plainChar(char: string): string {
  const short = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[char];
  if (short !== undefined) return short;
  if (/^[ -~]$/.test(char)) return char;
  return char.split("").reduce((text, unit) => `${text}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`, "");
}

/** The value with its keys in one order, for a comparison that does not use the code under test. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce<Record<string, unknown>>((all, [key, item]) => Object.assign(all, { [`key ${key}`]: sorted(item) }), {});
}

describe("[CANON-REFUSE-1] what JSON cannot hold is refused with its place", () => {
  const deep = (levels: number): Json => (levels === 0 ? 1 : [deep(levels - 1)]);
  const cycle: Record<string, Json> = {};
  cycle.self = cycle;
  test.each<[string, unknown, string]>([
    ["NaN", { a: Number.NaN }, "a is NaN; JSON numbers are finite."],
    ["infinity", [1, Number.POSITIVE_INFINITY], "[1] is Infinity; JSON numbers are finite."],
    ["minus infinity", Number.NEGATIVE_INFINITY, "The value is -Infinity; JSON numbers are finite."],
    ["a lone high surrogate", { a: { b: "x\ud800" } }, "a.b holds half of a surrogate pair, which is no character."],
    ["a lone low surrogate", "\udc00", "The value holds half of a surrogate pair, which is no character."],
    ["swapped surrogates", ["\udc00\ud800"], "[0] holds half of a surrogate pair, which is no character."],
    ["a lone surrogate in a key", { "\ud800": 1 }, "\ufffd holds half of a surrogate pair, which is no character."],
    ["undefined in a list", [undefined], "[0] is undefined, which JSON cannot hold."],
    ["a hole in a list", new Array(1), "[0] is undefined, which JSON cannot hold."],
    ["a function", { a: () => 1 }, "a is a function, which JSON cannot hold."],
    ["a bigint", { a: 1n }, "a is a bigint, which JSON cannot hold."],
    ["a symbol", Symbol("x"), "The value is a symbol, which JSON cannot hold."],
    ["a date", { at: new Date(0) }, "at is an object of a class, which JSON cannot hold."],
    ["a map", new Map(), "The value is an object of a class, which JSON cannot hold."],
    ["65 levels", deep(65), `${"[0]".repeat(64)} is nested deeper than 64 levels.`],
    ["a cycle", cycle, `${"self.".repeat(40)}… is nested deeper than 64 levels.`],
  ])("%s", (_, value, message) => {
    expect(refusal(() => canonicalJson(value as Json))).toMatchObject({ code: "invalid_json", message });
    expect(refusal(() => checkJson(value))).toMatchObject({ code: "invalid_json", message });
  });

  test("a check refuses exactly what cannot be written, in the same words, and in a field as if it were written there", () => {
    const strange = fc.constantFrom<unknown>(undefined, Number.NaN, "\ud800", "x\udc00", 1n, new Date(0), () => 1, new Array(1));
    const anything = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "medium" },
        anyJson,
        strange,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: fc.constantFrom("a", "b", "é", "\ud800") }), tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    const outcome = (act: () => unknown) => {
      try {
        act();
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(anything, (value) => {
        expect(outcome(() => checkJson(value))).toBe(outcome(() => canonicalJson(value as Json)));
        if (value !== undefined)
          expect(outcome(() => checkJson(value, "field"))).toBe(outcome(() => canonicalJson({ field: value as Json })));
      }),
      { numRuns: 1000 },
    );
  });

  test("64 levels are taken", () => {
    expect(canonicalJson(deep(64))).toBe(`${"[".repeat(64)}1${"]".repeat(64)}`);
  });

  test("an object without a prototype is taken", () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });
});

describe("reading", () => {
  test.each<[string, string, string]>([
    [
      "an integer beyond 2^53-1",
      '{"a":9007199254740993}',
      'The text holds the integer 9007199254740993 at "a", which a double cannot hold exactly; write it as a string.',
    ],
    [
      "an even one that a double holds",
      "[9007199254740992]",
      'The text holds the integer 9007199254740992 at "0", which a double cannot hold exactly; write it as a string.',
    ],
    [
      "a negative one",
      "-9007199254740993",
      "The text holds the integer -9007199254740993, which a double cannot hold exactly; write it as a string.",
    ],
    ["a number beyond all doubles", '{"a":1e400}', "a is Infinity; JSON numbers are finite."],
    ["an escaped lone surrogate", '{"a":"\\ud800"}', "a holds half of a surrogate pair, which is no character."],
    ["deep nesting", "[".repeat(70) + "]".repeat(70), `${"[0]".repeat(64)} is nested deeper than 64 levels.`],
  ])("[CANON-REFUSE-1] %s is refused", (_, text, message) => {
    expect(refusal(() => parseJson(text))).toMatchObject({ code: "invalid_json", message });
  });

  test.each<[string]>([[""], ["{"], ["{'a':1}"], ["[1,]"], ["01"], ["NaN"], ["\ufeff1"], ['"\n"'], ["nul"], ['{"a":1}x']])(
    "[INPUT-TEXT-1] %j is not JSON, and the error names what was read and says what to check",
    (text) => {
      const { code, message } = refusal(() => parseJson(text, "--details"));
      expect(code).toBe("invalid_json");
      expect(message).toMatch(/^--details is not JSON: .+\. Check quotes, commas and brackets\.$/);
    },
  );

  test("nesting of a million levels with a long integer in it is refused, not a crash", () => {
    const text = `${"[".repeat(1_000_000)}1234567890123456${"]".repeat(1_000_000)}`;
    expect(refusal(() => parseJson(text))).toEqual({
      code: "invalid_json",
      message: "The text is nested deeper than 64 levels.",
    });
  });

  test.each<[string, Json]>([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992.0", 9007199254740992],
    ["1e+16", 1e16],
    ['"12345678901234567890"', "12345678901234567890"],
    [' {"a" : [ ] } ', { a: [] }],
  ])("%s is taken", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});
