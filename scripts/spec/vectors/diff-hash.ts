// Both hashes of a diff (D14): diff_hash of its normal form, bytes_hash of its bytes; a claim that differs is refused.
import { describeArtifact, diffFiles, hashBytes, type Json, normaliseDiff, parseCreateTicket } from "@hap/protocol";
import { type Case, invalid, type Suite, sha256, valid } from "../vector.ts";

type Input = { diff: string; diff_hash?: string; bytes_hash?: string };

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const change = (path: string, from: string, to: string, at = 1) => [
  `--- a/${path}`,
  `+++ b/${path}`,
  `@@ -${at} +${at} @@`,
  `-${from}`,
  `+${to}`,
];
const small = lines(
  "diff --git a/x.ts b/x.ts",
  "index 1111111..2222222 100644",
  "--- a/x.ts",
  "+++ b/x.ts",
  "@@ -1,3 +1,3 @@",
  " one",
  "-two",
  "+zwei",
  " three",
);
const dated = lines(
  "--- a/x.ts\t2026-01-31 10:00:00.000000000 +0000",
  "+++ b/x.ts\t2026-01-31 10:05:00.000000000 +0000",
  "@@ -1 +1 @@",
  "-a",
  "+b",
);
const undated = lines("--- a/x.ts", "+++ b/x.ts", "@@ -1 +1 @@", "-a", "+b");
const two = lines(...change("a", "1", "2"), ...change("b", "3", "4"));
const swapped = lines(...change("b", "3", "4"), ...change("a", "1", "2"));
const hunks = lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2", "@@ -10 +10 @@", "-3", "+4");
const turned = lines("--- a/x", "+++ b/x", "@@ -10 +10 @@", "-3", "+4", "@@ -1 +1 @@", "-1", "+2");

const of = (diff: string) => hashBytes("diff", diff, sha256);
const claim = (comment: string, diff: string, real: string, ...flags: string[]): Case =>
  invalid(comment, { diff, diff_hash: of(real).diff_hash }, "Claim", ...flags);

function run(input: Input): Json {
  const { diff, diff_hash, bytes_hash } = input;
  const claimed = { ...(diff_hash === undefined ? {} : { diff_hash }), ...(bytes_hash === undefined ? {} : { bytes_hash }) };
  const artifact = describeArtifact(parseCreateTicket({ diff, artifact: { type: "git_diff", ...claimed } }), sha256);
  return {
    normal_form: normaliseDiff(diff),
    diff_hash: artifact.diff_hash,
    bytes_hash: artifact.bytes_hash,
    files: diffFiles(diff),
  };
}

export const diffHash: Suite = {
  name: "diff-hash",
  description:
    "The normal form of input.diff, both hashes, and the files that it touches. Where a hash is given it must be the right one; diff_hash may also be given as the hash of the bytes.",
  flags: {
    Time: "times do not count",
    LineEnd: "CRLF and LF are the same",
    Order: "the order of files and hunks does not count",
    Path: "how a path is read",
    Shape: "shapes of diffs",
    Claim: "the caller claims a hash",
    Content: "the content differs",
    Text: "text that cannot be kept",
  },
  cases: [
    valid("a small change", { diff: small }, "Shape"),
    valid("nothing", { diff: "" }, "Shape"),
    valid("words that are no diff", { diff: "make it faster\r\n" }, "Shape"),
    valid("no newline at the end", { diff: undated.trimEnd() }, "Shape"),
    valid("a diff with times", { diff: dated }, "Time"),
    valid("the same without times", { diff: undated }, "Time"),
    valid(
      "a mailed patch with its date",
      { diff: `From: a\nDate: Sat, 31 Jan 2026 10:00:00 +0000\nSubject: x\n\n${undated}-- \n2.39.5\n` },
      "Time",
    ),
    valid("CRLF", { diff: undated.replaceAll("\n", "\r\n") }, "LineEnd"),
    valid("CRLF in the content only", { diff: undated.replace("-a\n+b\n", "-a\r\n+b\r\n") }, "LineEnd"),
    valid("a CR within a line", { diff: undated.replace("-a", "-a\ra") }, "LineEnd"),
    valid("two files", { diff: two }, "Order"),
    valid("two files the other way round", { diff: swapped }, "Order"),
    valid("two hunks", { diff: hunks }, "Order"),
    valid("two hunks the other way round", { diff: turned }, "Order"),
    valid(
      "paths by code point, not by UTF-16 unit",
      { diff: lines(...change("\u{10000}", "1", "2"), ...change("\uffff", "1", "2")) },
      "Order",
      "Path",
    ),
    valid("one file twice keeps its order", { diff: lines(...change("x", "2", "3"), ...change("x", "1", "2")) }, "Order"),
    valid(
      "a quoted path",
      {
        diff: lines(
          'diff --git "a/f\\303\\251\\t.ts" "b/f\\303\\251\\t.ts"',
          '--- "a/f\\303\\251\\t.ts"',
          '+++ "b/f\\303\\251\\t.ts"',
          "@@ -1 +1 @@",
          "-a",
          "+b",
        ),
      },
      "Path",
    ),
    valid(
      "a path with a space, as git writes it",
      { diff: lines("diff --git a/my file b/my file", "--- a/my file\t", "+++ b/my file\t", "@@ -1 +1 @@", "-a", "+b") },
      "Path",
    ),
    valid(
      "a rename",
      { diff: lines("diff --git a/old b/new", "similarity index 100%", "rename from old", "rename to new") },
      "Path",
      "Shape",
    ),
    valid(
      "a new file",
      { diff: lines("diff --git a/n b/n", "new file mode 100644", "--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+a") },
      "Path",
      "Shape",
    ),
    valid(
      "a deleted file",
      { diff: lines("diff --git a/d b/d", "deleted file mode 100644", "--- a/d", "+++ /dev/null", "@@ -1 +0,0 @@", "-a") },
      "Path",
      "Shape",
    ),
    valid("a folder called a", { diff: lines("--- a/x", "+++ a/x", "@@ -1 +1 @@", "-a", "+b") }, "Path"),
    valid(
      "removed lines that look like names",
      { diff: lines("--- a/x.sql", "+++ b/x.sql", "@@ -1,2 +1,2 @@", "--- one", "+++ two", " -- three") },
      "Shape",
    ),
    valid(
      "no newline at the end of the file",
      { diff: lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b") },
      "Shape",
    ),
    valid(
      "a binary file",
      { diff: lines("diff --git a/i b/i", "index 1..2 100644", "Binary files a/i and b/i differ") },
      "Shape",
    ),
    valid(
      "a combined diff",
      { diff: lines("diff --cc m", "index 1,2..3", "--- a/m", "+++ b/m", "@@@ -1,2 -1,2 +1,2 @@@", "- a", " -b", "++c", "  d") },
      "Shape",
    ),
    valid("a hunk that understates its length", { diff: lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b", "+c") }, "Shape"),
    valid("hunks without a file", { diff: lines("@@ -1 +1,2 @@", "-a", "+b", "+c") }, "Shape"),
    valid("a right diff_hash", { diff: dated, diff_hash: of(undated).diff_hash }, "Claim"),
    valid("the bytes' hash as diff_hash", { diff: dated, diff_hash: of(dated).bytes_hash }, "Claim"),
    valid("a right bytes_hash", { diff: dated, bytes_hash: of(dated).bytes_hash }, "Claim"),
    claim("a changed line", small.replace("zwei", "drei"), small, "Content"),
    claim("a line more", small.replace("+zwei", "+zwei\n+drei"), small, "Content"),
    claim("a line less", small.replace(" three\n", ""), small, "Content"),
    claim("a context line changed", small.replace(" one", " eins"), small, "Content"),
    claim("a mark changed", small.replace("-two", "+two"), small, "Content"),
    claim("a space at the end of a line", small.replace("+zwei", "+zwei "), small, "Content"),
    claim("a tab and a time in the content", undated.replace("+b", "+b\t2026-01-31"), undated, "Content", "Time"),
    claim("a date in the content", undated.replace("+b", "+Date: today"), undated, "Content", "Time"),
    claim("another path", small.replaceAll("x.ts", "y.ts"), small, "Content"),
    claim("another mode", small.replace("100644", "100755"), small, "Content"),
    claim("another place", undated.replace("@@ -1 +1 @@", "@@ -2 +2 @@"), undated, "Content"),
    claim("another function behind the place", undated.replace("@@ -1 +1 @@", "@@ -1 +1 @@ f()"), undated, "Content"),
    claim("a file more", two, lines(...change("a", "1", "2")), "Content"),
    claim("a hunk more", hunks, lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2"), "Content"),
    claim(
      "two patches of one file, swapped",
      lines(...change("x", "2", "3"), ...change("x", "1", "2")),
      lines(...change("x", "1", "2"), ...change("x", "2", "3")),
      "Content",
      "Order",
    ),
    claim("a CR more within a line", undated.replace("+b", "+b\rb"), undated, "Content", "LineEnd"),
    claim("no-newline mark gone", undated, undated.replace("-a\n", "-a\n\\ No newline at end of file\n"), "Content"),
    claim("white space that is not ASCII", undated.replace("+b", "+\u00a0b"), undated.replace("+b", "+ b"), "Content"),
    invalid("the normal form's hash as bytes_hash", { diff: dated, bytes_hash: of(dated).diff_hash }, "Claim"),
    invalid(
      "bytes_hash of the same diff with CRLF",
      { diff: undated, bytes_hash: of(undated.replaceAll("\n", "\r\n")).bytes_hash },
      "Claim",
      "LineEnd",
    ),
    invalid("bytes_hash of the same diff with times", { diff: undated, bytes_hash: of(dated).bytes_hash }, "Claim", "Time"),
    invalid("bytes_hash of the same files in another order", { diff: two, bytes_hash: of(swapped).bytes_hash }, "Claim", "Order"),
    invalid(
      "a right diff_hash and a wrong bytes_hash",
      { diff: dated, diff_hash: of(dated).diff_hash, bytes_hash: of(undated).bytes_hash },
      "Claim",
    ),
    invalid(
      "a wrong diff_hash and a right bytes_hash",
      { diff: dated, diff_hash: of(small).diff_hash, bytes_hash: of(dated).bytes_hash },
      "Claim",
    ),
    invalid("a hash without its algorithm", { diff: undated, diff_hash: of(undated).diff_hash.slice(7) }, "Claim"),
    invalid("a hash in upper case", { diff: undated, diff_hash: of(undated).diff_hash.toUpperCase() }, "Claim"),
    invalid("a hash that is too short", { diff: undated, diff_hash: "sha256:abc123" }, "Claim"),
    invalid("NUL", { diff: "\0" }, "Text"),
  ],
  run: (input) => run(input as unknown as Input),
};
