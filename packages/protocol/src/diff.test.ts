import { describe, expect, test } from "vitest";
import { diffFiles, normaliseDiff } from "./diff.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

describe("what a diff touches", () => {
  test.each<[string, string, ReturnType<typeof diffFiles>]>([
    ["nothing in an empty text", "", []],
    ["nothing in words", "just some words\nand more\n", []],
    [
      "git's usual form",
      lines(
        "diff --git a/x.ts b/x.ts",
        "index 1..2 100644",
        "--- a/x.ts",
        "+++ b/x.ts",
        "@@ -1,2 +1,3 @@ f()",
        " a",
        "-b",
        "+c",
        "+d",
      ),
      [{ path: "x.ts", added: 2, removed: 1 }],
    ],
    [
      "diff -u with times",
      lines(
        "--- old/x\t2026-01-31 10:00:00.000000000 +0100",
        "+++ new/x\t2026-01-31 10:01:00.000000000 +0100",
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      [{ path: "new/x", old_path: "old/x", added: 1, removed: 1 }],
    ],
    [
      "diff -ru, one entry a file",
      lines(
        "diff -ru a/x b/x",
        "--- a/x\tnow",
        "+++ b/x\tnow",
        "@@ -1 +1 @@",
        "-a",
        "+b",
        "diff -ru a/y b/y",
        "--- a/y\tnow",
        "+++ b/y\tnow",
        "@@ -1 +0,0 @@",
        "-a",
      ),
      [
        { path: "x", added: 1, removed: 1 },
        { path: "y", added: 0, removed: 1 },
      ],
    ],
    [
      "svn's form",
      lines(
        "Index: src/x",
        "===================",
        "--- src/x\t(revision 1)",
        "+++ src/x\t(working copy)",
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      [{ path: "src/x", added: 1, removed: 1 }],
    ],
    [
      "svn's form with git's lines in it, once",
      lines(
        "Index: x",
        "===================",
        "diff --git a/x b/x",
        "--- a/x\t(revision 1)",
        "+++ b/x\t(working copy)",
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      [{ path: "x", added: 1, removed: 1 }],
    ],
    [
      "a new file",
      lines("diff --git a/n b/n", "new file mode 100644", "--- /dev/null", "+++ b/n", "@@ -0,0 +1,2 @@", "+a", "+b"),
      [{ path: "n", added: 2, removed: 0 }],
    ],
    [
      "a deleted file",
      lines("diff --git a/d b/d", "deleted file mode 100644", "--- a/d", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"),
      [{ path: "d", added: 0, removed: 2 }],
    ],
    [
      "a rename without a change",
      lines("diff --git a/old name b/new", "similarity index 100%", "rename from old name", "rename to new"),
      [{ path: "new", old_path: "old name", added: 0, removed: 0 }],
    ],
    [
      "a rename with a change",
      lines(
        "diff --git a/old b/new/x",
        "rename from old",
        "rename to new/x",
        "--- a/old",
        "+++ b/new/x",
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      [{ path: "new/x", old_path: "old", added: 1, removed: 1 }],
    ],
    [
      "a copy",
      lines("diff --git a/x b/y", "similarity index 100%", "copy from x", "copy to y"),
      [{ path: "y", added: 0, removed: 0 }],
    ],
    [
      "a change of mode",
      lines("diff --git a/my file b/my file", "old mode 100644", "new mode 100755"),
      [{ path: "my file", added: 0, removed: 0 }],
    ],
    [
      "a quoted path",
      lines('diff --git "a/f\\303\\251 \\"x\\"\\t.ts" "b/f\\303\\251 \\"x\\"\\t.ts"', "index 1..2"),
      [{ path: 'fé "x"\t.ts', added: 0, removed: 0 }],
    ],
    [
      "a path that is quoted on one side",
      lines('diff --git a/x "b/\\360\\237\\230\\200"', "rename from x", 'rename to "\\360\\237\\230\\200"'),
      [{ path: "😀", old_path: "x", added: 0, removed: 0 }],
    ],
    [
      "a quoted path that is no UTF-8, with its escapes",
      lines('--- "a/\\377"', '+++ "b/\\377"', "@@ -1 +1 @@", "-a", "+b"),
      [{ path: "\\377", added: 1, removed: 1 }],
    ],
    [
      "a path with a percent sign in quotes",
      lines('--- "a/50%\\t"', '+++ "b/50%\\t"', "@@ -1 +1 @@", "-a", "+b"),
      [{ path: "50%\t", added: 1, removed: 1 }],
    ],
    [
      "a folder called a, without git's prefixes",
      lines("diff --git a/x a/x", "--- a/x", "+++ a/x", "@@ -1 +1 @@", "-a", "+b"),
      [{ path: "a/x", added: 1, removed: 1 }],
    ],
    [
      "git's mnemonic prefixes",
      lines("diff --git i/x w/x", "--- i/x", "+++ w/x", "@@ -1 +1 @@", "-a", "+b"),
      [{ path: "x", added: 1, removed: 1 }],
    ],
    [
      "a binary file",
      lines("diff --git a/i.png b/i.png", "index 1..2 100644", "Binary files a/i.png and b/i.png differ"),
      [{ path: "i.png", added: 0, removed: 0 }],
    ],
    [
      "a binary patch",
      lines(
        "diff --git a/i b/i",
        "GIT binary patch",
        "literal 3",
        "Kcmd;LVPIeY0ssI2",
        "",
        "literal 0",
        "HcmV?d00001",
        "",
        "diff --git a/j b/j",
        "old mode 100644",
        "new mode 100755",
      ),
      [
        { path: "i", added: 0, removed: 0 },
        { path: "j", added: 0, removed: 0 },
      ],
    ],
    [
      "a combined diff",
      lines(
        "diff --cc m",
        "index 1,2..3",
        "--- a/m",
        "+++ b/m",
        "@@@ -1,3 -1,3 +1,4 @@@",
        "- a",
        " -b",
        "++c",
        "  d",
        "+ --- e",
        " ++++ f",
      ),
      [{ path: "m", added: 3, removed: 2 }],
    ],
    [
      "removed and added lines that look like names",
      lines("--- a/x.sql", "+++ b/x.sql", "@@ -1,3 +1,3 @@", "--- old comment", "+++ new comment", " -- kept", "--- b", "+++ c"),
      [{ path: "x.sql", added: 2, removed: 2 }],
    ],
    [
      "a line that says there is no newline",
      lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b", "\\ No newline at end of file"),
      [{ path: "x", added: 1, removed: 1 }],
    ],
    [
      "context lines whose space was lost",
      lines("--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@", " a", "", "-b", "+c"),
      [{ path: "x", added: 1, removed: 1 }],
    ],
    ["no newline at the end of the text", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", [{ path: "x", added: 1, removed: 1 }]],
    ["CRLF throughout", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", [{ path: "x", added: 1, removed: 1 }]],
    [
      "a mailed patch, its signature not counted",
      lines(
        "From 1 Mon Sep 17 00:00:00 2001",
        "Subject: x",
        "---",
        " x | 2 +-",
        "",
        "diff --git a/x b/x",
        "--- a/x",
        "+++ b/x",
        "@@ -1 +1 @@",
        "-a",
        "+b",
        "-- ",
        "2.39.5",
        "",
      ),
      [{ path: "x", added: 1, removed: 1 }],
    ],
    ["hunks without a file", lines("@@ -1 +1,2 @@", "-a", "+b", "+c"), [{ path: "", added: 2, removed: 1 }]],
    ["lines without a hunk", lines("- old", "+ new", "+ newer"), [{ path: "", added: 2, removed: 1 }]],
    [
      "a hunk that understates its length",
      lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b", "+c", "-d"),
      [{ path: "x", added: 2, removed: 2 }],
    ],
    [
      "a hunk that overstates its length and ends at the next file",
      lines(
        "--- a/x",
        "+++ b/x",
        "@@ -1,9 +1,9 @@",
        "-a",
        "+b",
        "diff --git a/y b/y",
        "--- a/y",
        "+++ b/y",
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      [
        { path: "x", added: 1, removed: 1 },
        { path: "y", added: 1, removed: 1 },
      ],
    ],
  ])("%s", (_, diff, files) => {
    expect(diffFiles(diff)).toEqual(files);
  });

  test("half a million short lines are no trouble", () => {
    const diff = `--- a/x\n+++ b/x\n@@ -0,0 +1,300000 @@\n${"+\n".repeat(300_000)}`;
    expect(diffFiles(diff)).toEqual([{ path: "x", added: 300_000, removed: 0 }]);
    expect(normaliseDiff(diff)).toBe(diff);
  });
});

test.each<[string, string]>([
  ["a header of short lines", `diff --git a/x b/x\n${"z\n".repeat(300_000)}`],
  ["names and nothing else", "--- a\n+++ b\n".repeat(80_000)],
  ["openings and nothing else", "diff --git a b\n".repeat(60_000)],
  ["hunks and nothing else", "@@ -1 +1 @@\n".repeat(80_000)],
  ["one long line", `diff --git ${'"a\\" "'.repeat(160_000)}`],
])("a megabyte of %s is read in no time", (_, diff) => {
  // Time at work, which others on the machine do not take part in.
  const start = process.cpuUsage();
  diffFiles(diff);
  normaliseDiff(diff);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(30_000);
});

describe("[ARTIFACT-DIFF-1] the normal form", () => {
  test.each<[string, string, string]>([
    ["an empty text stays empty", "", ""],
    ["a missing last newline is added", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"],
    [
      "times behind names go",
      "--- x\t2026-01-01 00:00:00\n+++ x\t2026-01-02\n@@ -1 +1 @@\n-a\tt\n+b\tt\n",
      "--- x\n+++ x\n@@ -1 +1 @@\n-a\tt\n+b\tt\n",
    ],
    [
      "the date of a mailed patch goes",
      "From: a\nDate: today\nSubject: x\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+Date: b\nDate: c\n",
      "From: a\nSubject: x\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+Date: b\n",
    ],
    ["text that is no diff keeps all its lines", "Date: today\r\n--- x\tnow\r\n\r\n", "Date: today\n--- x\tnow\n\n"],
    [
      "files by path, hunks by line",
      lines(
        "--- a/b",
        "+++ b/b",
        "@@ -9 +9 @@",
        "-3",
        "+4",
        "@@ -1 +1 @@",
        "-1",
        "+2",
        "--- a/a",
        "+++ b/a",
        "@@ -1 +1 @@",
        "-1",
        "+2",
      ),
      lines(
        "--- a/a",
        "+++ b/a",
        "@@ -1 +1 @@",
        "-1",
        "+2",
        "--- a/b",
        "+++ b/b",
        "@@ -1 +1 @@",
        "-1",
        "+2",
        "@@ -9 +9 @@",
        "-3",
        "+4",
      ),
    ],
    [
      "files by decoded path",
      lines(
        '--- "a/\\303\\251"',
        '+++ "b/\\303\\251"',
        "@@ -1 +1 @@",
        "-1",
        "+2",
        "--- a/z",
        "+++ b/z",
        "@@ -1 +1 @@",
        "-1",
        "+2",
      ),
      lines(
        "--- a/z",
        "+++ b/z",
        "@@ -1 +1 @@",
        "-1",
        "+2",
        '--- "a/\\303\\251"',
        '+++ "b/\\303\\251"',
        "@@ -1 +1 @@",
        "-1",
        "+2",
      ),
    ],
    [
      "two patches of one file keep their order",
      lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-2", "+3", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2"),
      lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-2", "+3", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2"),
    ],
    [
      "lines after the hunks stay after them",
      lines("--- x", "+++ x", "@@ -1 +1 @@", "-a", "+b", "-- ", "2.39"),
      lines("--- x", "+++ x", "@@ -1 +1 @@", "-a", "+b", "-- ", "2.39"),
    ],
    ["one CR of each CRLF goes", "+a\r\r\n", "+a\r\n"],
    ["a CR within a line stays", "+a\rb\n", "+a\rb\n"],
  ])("%s", (_, diff, normal) => {
    expect(normaliseDiff(diff)).toBe(normal);
  });
});
