import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const anyPosition = fc.record({
  space: fc.stringMatching(/^[a-z0-9][a-z0-9_.:-]{0,63}$/),
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  mark: fc.stringMatching(/^[0-9a-f]{16}$/),
});
const encoded = (text: string) => `cur_${Buffer.from(text).toString("base64url")}`;
const mark = "0123456789abcdef";

test("a cursor reads back as the position it was made from", () => {
  fc.assert(
    fc.property(anyPosition, (position) => {
      expect(decodeCursor(encodeCursor(position))).toEqual(position);
    }),
  );
});

test("a cursor is one word that needs no quoting in a shell or a URL", () => {
  fc.assert(
    fc.property(anyPosition, (position) => {
      expect(encodeCursor(position)).toMatch(/^cur_[A-Za-z0-9_-]+$/);
    }),
  );
});

test("a cursor with any character changed is refused or names another position", () => {
  fc.assert(
    fc.property(anyPosition, fc.nat(), fc.stringMatching(/^[A-Za-z0-9_ =.-]$/), (position, at, char) => {
      const cursor = encodeCursor(position);
      const index = at % cursor.length;
      const changed = cursor.slice(0, index) + char + cursor.slice(index + 1);
      fc.pre(changed !== cursor);
      try {
        expect(decodeCursor(changed)).not.toEqual(position);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_cursor" });
      }
    }),
  );
});

describe("what HAP did not make is refused, and the message says how to go on", () => {
  test.each<[string, string]>([
    ["nothing", ""],
    ["only the prefix", "cur_"],
    ["a number", "17"],
    ["no base64", "cur_%%%"],
    ["another prefix", encoded(`default/1/${mark}`).replace("cur_", "crs_")],
    ["padding", `${encoded(`default/1/${mark}`)}=`],
    ["white space inside", encoded(`default/1/${mark}`).replace("cur_", "cur_ ")],
    ["the standard alphabet", `cur_${Buffer.from(`a?~/1/${mark}`).toString("base64")}`],
    [
      "bits left over at the end",
      encoded(`default/10/${mark}`).replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    ],
    ["seq 0", encoded(`default/0/${mark}`)],
    ["seq with a leading zero", encoded(`default/01/${mark}`)],
    ["seq that is negative", encoded(`default/-1/${mark}`)],
    ["seq that a double cannot hold", encoded(`default/9007199254740993/${mark}`)],
    ["a mark in upper case", encoded(`default/1/${mark.toUpperCase()}`)],
    ["a mark that is too short", encoded("default/1/0123")],
    ["a space that is no token", encoded(`De fault/1/${mark}`)],
    ["a fourth part", encoded(`default/1/${mark}/x`)],
  ])("%s", (_, cursor) => {
    expect(refusal(() => decodeCursor(cursor))).toEqual({
      code: "invalid_cursor",
      message: `The cursor ${JSON.stringify(cursor)} was not made by HAP; leave it out to start from the first event.`,
      field: "cursor",
    });
  });
});
