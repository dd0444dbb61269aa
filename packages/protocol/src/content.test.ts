import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../test/sha256.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { findRefs, findRefsInText, isRef, makeRef, mapStrings, refDigest, refMedia, refOf, SALT_BYTES } from "./content.ts";

const digest = "ab".repeat(32);

test("[CONTENT-DIGEST-1] a reference names its media and the salted digest", () => {
  const ref = makeRef("text", digest);
  expect(ref).toBe(`text:sha256:${digest}`);
  expect([isRef(ref), refDigest(ref), refMedia(ref)]).toEqual([true, `sha256:${digest}`, "text"]);
  expect([refDigest(makeRef("json", digest)), refMedia(makeRef("json", digest))]).toEqual([`sha256:${digest}`, "json"]);
  expect(SALT_BYTES).toBe(16);
});

test("[CONTENT-DIGEST-1] the digest covers the salt and then the text's UTF-8, so that equal texts under other salts differ", () => {
  const salt = Uint8Array.from({ length: SALT_BYTES }, (_, index) => index);
  const wanted = createHash("sha256").update(salt).update("LGTM é", "utf8").digest("hex");
  expect(refOf("text", salt, "LGTM é", sha256)).toBe(`text:sha256:${wanted}`);
  expect(refOf("json", salt, "LGTM é", sha256)).toBe(`json:sha256:${wanted}`);
  expect(refOf("text", salt.toReversed(), "LGTM é", sha256)).not.toBe(`text:sha256:${wanted}`);
});

test.each<[string, unknown]>([
  ["a bare hash", `sha256:${digest}`],
  ["another media", `html:sha256:${digest}`],
  ["upper-case hex", `text:sha256:${digest.toUpperCase()}`],
  ["a digit too few", `text:sha256:${digest.slice(1)}`],
  ["a digit too many", `text:sha256:${digest}0`],
  ["a newline after it", `text:sha256:${digest}\n`],
  ["a token of full length", "text:sha256:".padEnd(64, "0")],
  ["a number", 5],
  ["null", null],
])("%s is no reference", (_, value) => {
  expect(isRef(value)).toBe(false);
});

test("references are found wherever they stand, in order and each time", () => {
  const [a, b] = [makeRef("text", digest), makeRef("json", "cd".repeat(32))];
  expect(findRefs({ x: a, list: ["no", { deep: b }, a], n: 1, nothing: null, gone: undefined })).toEqual([a, b, a]);
  expect(findRefs([])).toEqual([]);
});

test("strings are replaced at any depth, keys and other values are not", () => {
  const payload = JSON.parse('{"a":"x","list":["x",1,null,true,{"x":"y"}],"__proto__":"x"}');
  const replaced = mapStrings(payload, (text) => (text === "x" ? { words: "X" } : text));
  expect(JSON.stringify(replaced)).toBe(
    '{"a":{"words":"X"},"list":[{"words":"X"},1,null,true,{"x":"y"}],"__proto__":{"words":"X"}}',
  );
});

test("[VERIFY-ROWS-1] the same references are found in a payload's text as in the payload, whatever strings surround them", () => {
  const near = fc.constantFrom(
    `text:sha256:${digest}`,
    `json:sha256:${digest}`,
    `sha256:${digest}`,
    `text:sha256:${digest}0`,
    `xtext:sha256:${digest}`,
    `text:sha256:${digest.toUpperCase()}`,
    `"text:sha256:${digest}"`,
    `\\"json:sha256:${digest}\\"`,
    `:sha256::sha256:${digest}`,
    "text:sha256:",
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, near, fc.string(), fc.integer(), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(fc.string({ maxLength: 5 }), tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(value, (payload) => {
      const text = canonicalJson(payload as Json);
      expect(findRefsInText(text)).toEqual(findRefs(JSON.parse(text)));
    }),
    { numRuns: 1000 },
  );
});
