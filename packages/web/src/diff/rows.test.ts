import { parseDiff } from "@hap/protocol";
import { expect, test } from "vitest";
import { linesOf, onlyBlanks, pairsOf, partnersOf } from "./rows.ts";
import { changedParts } from "./words.ts";

const diff =
  "--- a/x\n+++ b/x\n@@ -3,4 +3,5 @@ head\n same\n-old line here\n-gone\n+new line here\n+more\n+most\n last\n\\ No newline at end of file\n";
const hunk = parseDiff(diff).files[0]?.hunks[0];

test("[WEB-PARTS-1] every line of a hunk is there once, with its numbers", () => {
  const lines = linesOf(hunk as NonNullable<typeof hunk>);
  expect(lines.map(({ kind, oldNumber, newNumber, text }) => [kind, oldNumber, newNumber, text])).toEqual([
    ["same", 3, 3, "same"],
    ["removed", 4, null, "old line here"],
    ["removed", 5, null, "gone"],
    ["added", null, 4, "new line here"],
    ["added", null, 5, "more"],
    ["added", null, 6, "most"],
    ["same", 6, 7, "last"],
    ["note", null, null, "\\ No newline at end of file"],
  ]);
});

test("[WEB-PARTS-1] side by side shows each line once, old beside what replaces it", () => {
  const lines = linesOf(hunk as NonNullable<typeof hunk>);
  const pairs = pairsOf(lines);
  expect(pairs.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
    ["same", "same"],
    ["old line here", "new line here"],
    ["gone", "more"],
    [null, "most"],
    ["last", "last"],
    ["\\ No newline at end of file", null],
  ]);
  const partners = partnersOf(lines);
  const removed = lines[1] as (typeof lines)[number];
  expect(
    changedParts(removed, partners.get(removed.at))
      ?.filter(({ changed }) => changed)
      .map(({ text }) => text),
  ).toEqual(["old"]);
});

test("[WEB-PARTS-1] a change of blanks alone is known as one", () => {
  const [lines] = [linesOf(parseDiff("@@ -1,1 +1,1 @@\n-a  b\n+a b\n").files[0]?.hunks[0] as never)];
  expect(onlyBlanks(lines[0] as never, lines[1])).toBe(true);
});
