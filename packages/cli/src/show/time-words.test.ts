import { expect, test } from "vitest";
import { ago, shortAge, span } from "./time-words.ts";

test.for([
  [0, "0s"],
  [59.9, "59s"],
  [60, "1m"],
  [3599, "59m"],
  [3600, "1h"],
  [86_399, "23h"],
  [200_000, "2d"],
  [-5, "0s"],
] as const)("an age of %f s is %s", ([seconds, words]) => {
  expect(shortAge(seconds)).toBe(words);
});

test.for([
  [0.5, "just now"],
  [1, "1 second ago"],
  [300, "5 minutes ago"],
  [3600, "1 hour ago"],
  [172_800, "2 days ago"],
] as const)("%f s since is %s", ([seconds, words]) => {
  expect(ago(seconds)).toBe(words);
});

test.for([
  [1, "1 second"],
  [119, "119 seconds"],
  [3300, "55 minutes"],
  [3600, "60 minutes"],
  [7200, "2 hours"],
  [12_000, "3 hours 20 minutes"],
  [187_200, "2 days 4 hours"],
] as const)("a span of %i s is %s, never more than there is", ([seconds, words]) => {
  expect(span(seconds)).toBe(words);
});
