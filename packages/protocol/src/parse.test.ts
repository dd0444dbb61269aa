import { describe, expect, test } from "vitest";
import * as z from "zod";
import { refusal } from "../test/refusal.ts";
import { parseWith } from "./parse.ts";

const schema = z.object(
  {
    n: z.number({ error: "must be a number" }).max(9, { error: "must be at most 9" }),
    list: z.array(z.string({ error: "must be text" })).optional(),
  },
  { error: "must be an object" },
);

describe("[INPUT-ERROR-1] a check without words of its own is refused in plain words", () => {
  const plain = z.object({
    comment: z.string().max(5),
    names: z.array(z.string()).max(1),
    count: z.int().min(2),
    kind: z.enum(["ssh", "passkey"]),
    code: z.string().regex(/^[a-z]+$/),
    on: z.boolean(),
  });
  const good = { comment: "", names: [], count: 2, kind: "ssh", code: "a", on: true };
  test.each<[object, string]>([
    [{ comment: "😀".repeat(6) }, "comment has 6 characters; at most 5 are allowed"],
    [{ names: ["a", "b"] }, "names has 2 entries; at most 1 are allowed"],
    [{ count: 1 }, "count: must be at least 2 (got 1)"],
    [{ count: 1.5 }, "count: must be a whole number (got 1.5)"],
    [{ kind: "gpg" }, 'kind: must be one of ssh, passkey (got "gpg")'],
    [{ code: "1" }, 'code has the wrong form (got "1")'],
    [{ on: "yes" }, 'on: must be true or false (got "yes")'],
    [{ comment: 5 }, "comment: must be text (got 5)"],
  ])("%j", (wrong, problem) => {
    const { message } = refusal(() => parseWith(plain, { ...good, ...wrong }, "The body"));
    expect(message).toBe(`The body cannot be taken: ${problem}.`);
    expect(message).not.toMatch(/Too big|Invalid input|expected/);
  });
});

test("[VERSION-IGNORE-1] what fits is returned, without the fields that nobody knows", () => {
  expect(parseWith(schema, { n: 1, later: true }, "The thing")).toEqual({ n: 1 });
});

describe("[INPUT-ERROR-1] what does not fit is refused with field, problem and what came", () => {
  test.each<[unknown, string, string]>([
    [{ n: 10 }, "n", "n: must be at most 9 (got 10)"],
    [{ n: "x" }, "n", 'n: must be a number (got "x")'],
    [{ n: "\u202e" }, "n", 'n: must be a number (got "\\u202e")'],
    [{ n: "😀".repeat(61) }, "n", "n: must be a number (got 61 characters)"],
    [{ n: null }, "n", "n: must be a number (got null)"],
    [{ n: [1] }, "n", "n: must be a number (got a list)"],
    [{ n: {} }, "n", "n: must be a number (got object)"],
    [{}, "n", "n: must be a number (it is missing)"],
    [{ n: 1, list: ["a", 5] }, "list.1", "list.1: must be text (got 5)"],
    [{ n: 10, list: [false] }, "n", "n: must be at most 9 (got 10); list.0: must be text (got false)"],
    [7, "", "the value: must be an object (got 7)"],
  ])("%j", (input, field, list) => {
    expect(refusal(() => parseWith(schema, input, "The thing"))).toEqual({
      code: "invalid_input",
      message: `The thing cannot be taken: ${list}.`,
      field,
    });
  });

  test("no more than five problems are told, under the code that is asked for", () => {
    const { code, message } = refusal(() =>
      parseWith(schema, { n: 1, list: [1, 2, 3, 4, 5, 6, 7] }, "The policy", "invalid_policy"),
    );
    expect(code).toBe("invalid_policy");
    expect(message.match(/must be text/g)).toHaveLength(5);
  });
});
