// The three parts that read the terminal's stream give the same whatever its chunks are.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CutMiddle } from "./cut-middle.ts";
import { FindMarks, type Part } from "./find-marks.ts";
import { keyBytes } from "./key-names.ts";
import { TextFilter } from "./text-filter.ts";

/** Text of a terminal: words, line ends, escape sequences, parts of them, and bytes that are no text. */
const stream = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\r\n",
        "\r",
        "\n",
        "\u001b",
        "\u001b[31m",
        "\u001b[",
        "\u001b]0;title\u0007",
        "\u001bP+q\u001b\\",
        "\u001b(B",
        "\u0007",
        "\0",
      ),
      fc.string(),
      fc.string({ unit: "grapheme" }),
    ),
  )
  .map((parts) => Buffer.from(parts.join("")));

function pieces(bytes: Buffer, cuts: number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

describe("chunks do not matter", () => {
  test("[TERM-OUTPUT-1] to the text filter, which leaves no control character but line end, tab and return", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), (bytes, cuts) => {
        const whole = Buffer.from(new TextFilter().write(bytes));
        const filter = new TextFilter();
        expect(Buffer.concat(pieces(bytes, cuts).map((piece) => filter.write(piece)))).toEqual(whole);
        expect([...whole].some((byte) => (byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte)) || byte === 0x7f)).toBe(false);
        expect(whole.includes("\r\n")).toBe(false);
      }),
    );
  });

  test("[TERM-OUTPUT-1] to the cut, which keeps both ends and says exactly what it dropped", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 8, max: 120 }),
        fc.array(fc.nat()),
        (text, limit, cuts) => {
          const bytes = Buffer.from(text);
          const whole = new CutMiddle(limit);
          whole.write(bytes);
          const cut = new CutMiddle(limit);
          for (const piece of pieces(bytes, cuts)) cut.write(piece);
          const { text: read, omittedBytes } = cut.read();
          expect(whole.read()).toEqual({ text: read, omittedBytes });
          const shown = text.replace(/[\u0080-\u009f]/g, "\ufffd");
          if (omittedBytes === 0) expect(read).toBe(shown);
          else {
            const [before = "", after = ""] = read.split(`\n[... ${omittedBytes} bytes omitted ...]\n`);
            expect(shown.startsWith(before) && shown.endsWith(after)).toBe(true);
            expect(Buffer.byteLength(before) + Buffer.byteLength(after)).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  test("[TERM-SHELL-1] to the marks, which other nonces and half marks are not", () => {
    const bytes = Buffer.from(
      "a\u001b]6973;n1;go;1;n1\u0007b\u001b]6973;n2;prompt;0;/;n2\u0007c\u001b]6973;n1;prompt;130;/a b;c\r\nd;n1\u0007\u001b]69",
    );
    const read = (parts: Part[]) => {
      const marks = parts.flatMap((part) => ("mark" in part ? [part.mark] : []));
      return { marks, text: parts.map((part) => ("bytes" in part ? part.bytes.toString() : "|")).join("") };
    };
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const find = new FindMarks("n1");
        const found = read(pieces(bytes, cuts).flatMap((piece) => find.write(piece)));
        expect(found.marks).toEqual([
          { kind: "go", number: 1 },
          { kind: "prompt", exitCode: 130, cwd: "/a b;c\nd" },
        ]);
        expect(found.text).toBe("a|b\u001b]6973;n2;prompt;0;/;n2\u0007c|");
      }),
    );
  });
});

describe("keys", () => {
  test("[TERM-LEGACY-1] are verbatim, unless the text is a key's name", () => {
    const keys = (...names: string[]) => names.map((name) => keyBytes(name, false));
    expect(keys("ls\n", "C-c", "C-D", "M-x", "Enter", "Up", "Escape", "F1")).toEqual([
      "ls\n",
      "\u0003",
      "\u0004",
      "\u001bx",
      "\r",
      "\u001b[A",
      "\u001b",
      "\u001bOP",
    ]);
    expect(keys("Up\n", "C-cc", "constructor", "")).toEqual(["Up\n", "C-cc", "constructor", ""]);
    expect([keyBytes("Up", true), keyBytes("PageUp", true)]).toEqual(["\u001bOA", "\u001b[5~"]);
  });
});
