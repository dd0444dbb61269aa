import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLookAlikes, hasInvisible, quoteShown, showInvisible } from "./text-safety.ts";

describe("[PRESENT-VISIBLE-1] hidden characters", () => {
  test.each<[string, string, string]>([
    ["words stay", "Refactor\tauth\nmiddleware — née Ωμέγα 日本語 😀", "Refactor\tauth\nmiddleware — née Ωμέγα 日本語 😀"],
    ["a right-to-left override", "a\u202egpj.exe", "a<U+202E>gpj.exe"],
    ["isolates", "\u2066x\u2069", "<U+2066>x<U+2069>"],
    ["a zero-width space", "rm\u200b-rf", "rm<U+200B>-rf"],
    ["carriage return, escape and NUL", "\r\u001b[2K\0", "<U+000D><U+001B>[2K<U+0000>"],
    ["a byte order mark", "\ufeffx", "<U+FEFF>x"],
    ["tags that nobody sees", "\u{e0041}", "<U+E0041>"],
    ["an empty Braille cell", "\u2800", "<U+2800>"],
    ["a Hangul filler", "\u3164", "<U+3164>"],
    ["private use", "\ue000\u{10fffd}", "<U+E000><U+10FFFD>"],
    ["half a surrogate pair", "a\ud800b", "a\ufffdb"],
  ])("%s", (_, text, shown) => {
    expect(showInvisible(text)).toBe(shown);
    expect(hasInvisible(text)).toBe(text !== shown);
  });

  test("every control, format, ignorable, private or impossible character is shown, but for a few that have a shape", () => {
    const suspicious =
      /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
    const missed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const char = String.fromCodePoint(code);
      if (suspicious.test(char) && !hasInvisible(char)) missed.push(code.toString(16));
    }
    // Tab and newline; Arabic, Syriac and Kaithi signs that enclose or mark digits.
    expect(missed).toEqual([
      "9",
      "a",
      "600",
      "601",
      "602",
      "603",
      "604",
      "605",
      "6dd",
      "70f",
      "890",
      "891",
      "8e2",
      "110bd",
      "110cd",
    ]);
  });

  test("what is shown holds nothing hidden, and showing it again changes nothing", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
            fc.constantFrom("\u202e", "a"),
          ),
        }),
        (text) => {
          const shown = showInvisible(text);
          expect(hasInvisible(shown)).toBe(false);
          expect(showInvisible(shown)).toBe(shown);
        },
      ),
    );
  });
});

describe("look-alikes", () => {
  test.each<[string, string, string[]]>([
    ["plain English", "Deploy to example.com, then /etc/hosts.", []],
    ["plain Russian, with a full stop", "Удалить файл. Да-да, 2 раза.", []],
    ["plain Greek", "Διαγραφή αρχείου.", []],
    ["accents and other scripts", "née naïve 日本語abc", []],
    ["a Cyrillic letter in a Latin name", "cat /еtc/passwd", ["/еtc/passwd"]],
    ["a Cyrillic name in a Latin domain", "https://аррlе.com/x", ["//аррlе.com/x"]],
    ["Greek omicron", "gοοgle.com", ["gοοgle.com"]],
    ["full-width letters", "ｃurl x", ["ｃurl"]],
    ["mathematical letters", "𝐜url x", ["𝐜url"]],
    ["each word once", "pаy pаy", ["pаy"]],
  ])("%s", (_, text, found) => {
    expect(findLookAlikes(text)).toEqual(found);
  });

  test("a megabyte without a space takes no time", () => {
    // Time at work, which others on the machine do not take part in.
    const start = process.cpuUsage();
    expect(findLookAlikes(`${"a".repeat(1_000_000)}й`)).toHaveLength(1);
    expect(findLookAlikes("0f".repeat(500_000))).toEqual([]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(30_000);
  });
});

test("a quoted text is one line in quotes that it cannot leave, and is cut", () => {
  expect(quoteShown('a" b\n\tc\u202e', 60)).toBe('"a<U+0022> b<U+000A><U+0009>c<U+202E>"');
  expect(quoteShown("😀😀😀", 2)).toBe('"😀😀…"');
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(quoteShown(text, 20).slice(1, -1)).not.toMatch(/["\n\r\t\u2028\u2029]/);
    }),
  );
});
