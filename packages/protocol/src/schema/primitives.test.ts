import { describe, expect, test } from "vitest";
import {
  base64urlSchema,
  hashSchema,
  refSchema,
  riskSchema,
  ticketIdSchema,
  timeSchema,
  tokenSchema,
  ttlSchema,
  words,
} from "./primitives.ts";

const problem = (
  schema: { safeParse: (input: unknown) => { error?: { issues: { message: string }[] } | undefined } },
  input: unknown,
) => schema.safeParse(input).error?.issues[0]?.message;

describe("[INPUT-ERROR-1] shapes say what is allowed", () => {
  test.each<[string, Parameters<typeof problem>[0], unknown, string | undefined]>([
    ["a time", timeSchema(), "2026-01-31T10:01:05Z", undefined],
    ["a time with a fraction", timeSchema(), "2026-01-31T10:01:05.123456789Z", undefined],
    ["29 February of a leap year", timeSchema(), "2028-02-29T00:00:00Z", undefined],
    ["29 February of another year", timeSchema(), "2026-02-29T00:00:00Z", "must be a time that exists"],
    ["the hour 24", timeSchema(), "2026-01-31T24:00:00Z", "must be a time that exists"],
    ["the month 13", timeSchema(), "2026-13-01T00:00:00Z", "must be a time that exists"],
    ["a time with an offset", timeSchema(), "2026-01-31T10:01:05+01:00", "must be a time such as 2026-01-31T10:01:05Z"],
    ["a day alone", timeSchema(), "2026-01-31", "must be a time such as 2026-01-31T10:01:05Z"],
    ["a number for a time", timeSchema(), 0, "must be a time such as 2026-01-31T10:01:05Z"],
    ["a token that names a person", tokenSchema(), "human:alex", "must not name a person"],
    ["a token with a space", tokenSchema(), "a b", "must be 1 to 64 of a-z, 0-9, _ . : and -, starting with a letter or digit"],
    ["a hash without its algorithm", hashSchema(), "0".repeat(64), "must be sha256: and 64 lower-case hexadecimal digits"],
    ["a hash for a reference", refSchema(), `sha256:${"0".repeat(64)}`, "must be a content reference"],
    ["a risk of 9", riskSchema(), 9, "must be a number from 0 to 1"],
    ["a risk that is no number", riskSchema(), Number.NaN, "must be a number from 0 to 1"],
    ["a risk in words", riskSchema(), "0.5", "must be a number from 0 to 1"],
    ["no time at all", ttlSchema(), 0, "must be a whole number of seconds from 1 to 604800 (7 days)"],
    ["more than seven days", ttlSchema(), 604_801, "must be a whole number of seconds from 1 to 604800 (7 days)"],
    ["half a second", ttlSchema(), 0.5, "must be a whole number of seconds from 1 to 604800 (7 days)"],
    ["a short ticket id", ticketIdSchema(), "tk_9f", "must be tk_ and 3 or more of a-z and 0-9"],
    ["base64 with padding", base64urlSchema(), "YQ==", "must be base64url without padding, at most 8192 characters"],
    ["bytes that look like a person", base64urlSchema(), "human:x", "must be base64url without padding, at most 8192 characters"],
  ])("[INPUT-RANGE-1] %s", (_, schema, input, expected) => {
    expect(problem(schema, input)).toBe(expected);
  });

  test.each<[string, unknown, string | undefined]>([
    ["nothing", "", "must be 1 to 5 characters"],
    ["only spaces", " \t\n", "must be 1 to 5 characters"],
    ["one character", "x", undefined],
    ["five characters that are ten units", "😀😀😀😀😀", undefined],
    ["six characters", "sixsix", "must be 1 to 5 characters"],
    ["six characters that are twelve units", "😀😀😀😀😀😀", "must be 1 to 5 characters"],
    ["NUL", "a\0", "must not hold NUL"],
    ["half a surrogate pair", "\ud83d", "must not hold half of a surrogate pair"],
    ["a number", 5, "must be text"],
  ])("[INPUT-TEXT-1] words of 1 to 5: %s", (_, input, expected) => {
    expect(problem(words(5, 1), input)).toBe(expected);
  });
});
