import { expect, test } from "vitest";
import { commentWords, readReview, writeReview } from "./review.ts";
import { words } from "./schema/primitives.ts";
import { commentSchema } from "./schema/ticket.ts";

const review = {
  text: "Two things.",
  lines: [
    { file: "src/a.ts", line: 3, text: "Use a map" },
    { file: "src/b.ts", line: 9, text: "Keep this", side: "old" as const },
  ],
};

test("[REVIEW-LINES-1] comments on lines are canonical JSON in the comment, and come back as they were", () => {
  const comment = writeReview(review);
  expect(comment).toBe(
    '{"hap_review":1,"lines":[{"file":"src/a.ts","line":3,"text":"Use a map"},{"file":"src/b.ts","line":9,"side":"old","text":"Keep this"}],"text":"Two things."}',
  );
  expect(readReview(comment)).toEqual(review);
  expect(commentWords(comment)).toBe("Two things.\nsrc/a.ts:3: Use a map\nsrc/b.ts:9 (removed line): Keep this");
  expect(writeReview({ text: "Only words", lines: [] })).toBe("Only words");
});

test.each([
  ["plain words", "Looks wrong"],
  ["other JSON", '{"lines":[]}'],
  ["broken JSON", '{"hap_review":1,'],
  ["no lines", '{"hap_review":1,"lines":[],"text":""}'],
  ["a line without a number", '{"hap_review":1,"lines":[{"file":"a","text":"b"}],"text":""}'],
  ["not canonical", '{"hap_review":1, "lines":[{"file":"a","line":1,"text":"b"}],"text":""}'],
  ["a field more", '{"hap_review":1,"lines":[{"file":"a","line":1,"more":1,"text":"b"}],"text":""}'],
])("[REVIEW-LINES-2] %s is a plain comment", (_, comment) => {
  expect(readReview(comment)).toBeNull();
  expect(commentWords(comment)).toBe(comment);
});

test("[REVIEW-LIMIT-1] only a review may be longer than a plain comment", () => {
  const long = "x".repeat(1001);
  expect(words(1000).safeParse(long).success).toBe(false);
  expect(commentSchema().safeParse(long).success).toBe(false);
  const lines = [{ file: "a.ts", line: 1, text: long }];
  expect(commentSchema().safeParse(writeReview({ text: "", lines })).success).toBe(true);
  const huge = [{ file: "a.ts", line: 1, text: "x".repeat(40_000) }];
  expect(commentSchema().safeParse(writeReview({ text: "", lines: huge })).success).toBe(false);
});
