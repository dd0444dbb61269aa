import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../test/sha256.ts";
import { hashBytes } from "./artifact.ts";
import { diffFiles, normaliseDiff } from "./diff.ts";

type File = { path: string; hunks: { start: number; body: string[] }[] };

const body = fc.array(
  fc
    .tuple(fc.constantFrom(" ", "+", "-"), fc.string({ unit: fc.constantFrom("a", "-", "+", " ", "\t", "é", "@", "\\") }))
    .map(([mark, text]) => mark + text),
  { minLength: 1, maxLength: 6 },
);
const anyFile: fc.Arbitrary<Omit<File, "path">> = fc.record({
  hunks: fc
    .array(body, { minLength: 1, maxLength: 4 })
    .map((bodies) => bodies.map((lines, index) => ({ start: index * 10 + 1, body: lines }))),
});
const anyDiff = fc
  .dictionary(fc.string({ unit: fc.constantFrom("a", "b", "x", "/", ".", "é"), minLength: 1 }), anyFile, {
    minKeys: 1,
    maxKeys: 4,
  })
  .map((files) => Object.entries(files).map(([path, file]): File => ({ path: `src/${path}`, ...file })));

const print = (files: readonly File[], { time = "", eol = "\n" } = {}) =>
  files
    .flatMap((file) => [
      `diff --git a/${file.path} b/${file.path}`,
      `--- a/${file.path}${time}`,
      `+++ b/${file.path}${time}`,
      ...file.hunks.flatMap(({ start, body }) => {
        const count = (mark: string) => body.filter((line) => !line.startsWith(mark)).length;
        return [`@@ -${start},${count("+")} +${start},${count("-")} @@`, ...body];
      }),
    ])
    .map((line) => line + eol)
    .join("");
const hash = (diff: string) => hashBytes("diff", diff, sha256).diff_hash;

describe("[ARTIFACT-DIFF-1] diff_hash", () => {
  test("does not change with times, line ends, or the order of files and hunks", () => {
    fc.assert(
      fc.property(anyDiff, fc.string({ unit: "grapheme-ascii" }), (files, time) => {
        const shuffled = files.toReversed().map((file) => ({ ...file, hunks: file.hunks.toReversed() }));
        const wanted = hash(print(files));
        expect(hash(print(files, { time: `\t${time}` }))).toBe(wanted);
        expect(hash(print(files, { eol: "\r\n" }))).toBe(wanted);
        expect(hash(print(shuffled))).toBe(wanted);
        expect(hash(normaliseDiff(print(files)))).toBe(wanted);
      }),
    );
  });

  test("changes with any line's content, mark or place", () => {
    fc.assert(
      fc.property(anyDiff, fc.nat(), fc.constantFrom("content", "mark", "gone", "twice"), (files, pick, change) => {
        const original = print(files);
        const all = files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.body.map((_, index) => ({ hunk, index }))));
        const { hunk, index } = all[pick % all.length] as (typeof all)[number];
        const line = hunk.body[index] as string;
        if (change === "content") hunk.body[index] = `${line}x`;
        else if (change === "mark") hunk.body[index] = (line.startsWith("+") ? "-" : "+") + line.slice(1);
        else if (change === "gone") hunk.body.splice(index, 1);
        else hunk.body.splice(index, 0, line);
        expect(hash(print(files))).not.toBe(hash(original));
      }),
    );
  });

  test("counts every line of what was printed", () => {
    fc.assert(
      fc.property(anyDiff, (files) => {
        const count = (file: File, mark: string) =>
          file.hunks.flatMap((hunk) => hunk.body).filter((line) => line.startsWith(mark)).length;
        expect(diffFiles(print(files))).toEqual(
          files.map((file) => ({ path: file.path, added: count(file, "+"), removed: count(file, "-") })),
        );
      }),
    );
  });

  test("bytes_hash changes with every byte", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    expect(hashBytes("diff", diff.replaceAll("\n", "\r\n"), sha256).bytes_hash).not.toBe(
      hashBytes("diff", diff, sha256).bytes_hash,
    );
  });
});
