import { expect, test } from "vitest";
import { fileFrom, fileRows } from "./file-rows.ts";

const rows = [
  "What will happen",
  "│ diff --git a/one b/one",
  "│ \u001b[31m--- a/one\u001b[39m",
  "│ \u001b[32m+++ b/one\u001b[39m",
  "│ @@ -1 +1 @@",
  "│ --- a removed line that looks like a name",
  "│ +++ an added one",
  "│ --- a/two",
  "│ +++ b/two",
  "│ @@ -1 +1 @@",
];

test("[TUI-FILES-1] files of a diff are found with and without git's line, and jumps go from one to the next", () => {
  expect(fileRows(rows)).toEqual([1, 5, 7]);
  expect(fileFrom(rows, 0, 1)).toBe(1);
  expect(fileFrom(rows, 1, 1)).toBe(5);
  expect(fileFrom(rows, 7, 1)).toBeNull();
  expect(fileFrom(rows, 7, -1)).toBe(5);
  expect(fileFrom(rows, 0, -1)).toBeNull();
});
