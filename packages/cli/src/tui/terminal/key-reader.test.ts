import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyReader, type Typed } from "./key-reader.ts";

const ESC = "\u001b";
const names = (typed: readonly Typed[]) => typed.map((one) => (one.type === "key" ? one.key.name : `paste:${one.text}`));
const read = (text: string) => {
  const reader = new KeyReader();
  return names([...reader.feed(text), ...reader.flush()]);
};

test("[TUI-KEYS-1] letters, control keys and sequences get their names", () => {
  expect(read("jG ?é")).toEqual(["j", "G", "space", "?", "é"]);
  expect(read("\r\n\t\u007f\u0003\u0015")).toEqual(["enter", "newline", "tab", "backspace", "ctrl-c", "ctrl-u"]);
  expect(read(`${ESC}[A${ESC}[B${ESC}OC${ESC}OD${ESC}[5~${ESC}[6~${ESC}[Z${ESC}[H${ESC}[4~`)).toEqual([
    "up",
    "down",
    "right",
    "left",
    "pageup",
    "pagedown",
    "backtab",
    "home",
    "end",
  ]);
  expect(read(`${ESC}[1;5A${ESC}[24~x`)).toEqual(["up", "x"]);
  expect(read(`${ESC}\rx`)).toEqual(["newline", "x"]);
});

test("[TUI-KEYS-1] a lone Esc is a key once nothing more comes", () => {
  const reader = new KeyReader();
  expect(reader.feed(ESC)).toEqual([]);
  expect(reader.waits).toBe(true);
  expect(names(reader.flush())).toEqual(["escape"]);
  expect(names([...reader.feed(ESC), ...reader.feed("[A")])).toEqual(["up"]);
  expect(read(`${ESC}j`)).toEqual(["escape", "j"]);
  expect(read(`${ESC}[1;`)).toEqual([]);
});

test("[TUI-PASTE-1] pasted text is one thing, whatever keys it holds", () => {
  expect(read(`a${ESC}[200~q\ra${ESC}[Ax${ESC}[201~b`)).toEqual(["a", `paste:q\ra${ESC}[Ax`, "b"]);
  const reader = new KeyReader();
  expect(reader.feed(`${ESC}[200~q`)).toEqual([]);
  // However long it takes: half of a paste is never flushed as keys.
  expect(reader.waits).toBe(false);
  expect(names(reader.feed(`r${ESC}[201~`))).toEqual(["paste:qr"]);
});

test("[TUI-KEYS-1] it does not matter where a slow line cuts the bytes", () => {
  const pieces = fc.constantFrom("j", "\r", `${ESC}[A`, `${ESC}OB`, `${ESC}[5~`, `${ESC}[200~x\ry${ESC}[201~`, " ", "\t");
  fc.assert(
    fc.property(fc.array(pieces), fc.array(fc.nat(40)), (typed, cuts) => {
      const text = typed.join("");
      const reader = new KeyReader();
      const got: Typed[] = [];
      let from = 0;
      for (const cut of [...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length]) {
        got.push(...reader.feed(text.slice(from, cut)));
        from = cut;
      }
      expect(names(got)).toEqual(names(new KeyReader().feed(text)));
    }),
  );
});
