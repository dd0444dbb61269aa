import { expect, test } from "vitest";
import { sha256 } from "../test/sha256.ts";
import { GENESIS_HASH } from "./constants.ts";
import { eventHash, hashJson, prefixedHash } from "./hash.ts";

test("[CHAIN-HASH-1] an event's hash is sha256 over the previous hash, two bars and the text", () => {
  expect(GENESIS_HASH).toBe("0".repeat(64));
  expect(eventHash(GENESIS_HASH, '{"a":1}', sha256)).toBe(sha256(`${"0".repeat(64)}||{"a":1}`));
  expect(eventHash("", "", sha256)).toBe(sha256("||"));
});

test("every part of the link changes the hash", () => {
  const hash = eventHash(GENESIS_HASH, '{"a":1}', sha256);
  expect(eventHash(`1${GENESIS_HASH.slice(1)}`, '{"a":1}', sha256)).not.toBe(hash);
  expect(eventHash(GENESIS_HASH, '{"a":2}', sha256)).not.toBe(hash);
});

test("a hash of bytes and of their text is the same, and carries its algorithm", () => {
  expect(prefixedHash("é", sha256)).toBe("sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  expect(prefixedHash(Uint8Array.of(0xc3, 0xa9), sha256)).toBe(prefixedHash("é", sha256));
});

test("a value is hashed by its canonical JSON, so that the order of keys does not matter", () => {
  expect(hashJson({ b: 1, a: [0.5] }, sha256)).toBe(prefixedHash('{"a":[0.5],"b":1}', sha256));
  expect(hashJson({ a: [0.5], b: 1 }, sha256)).toBe(hashJson({ b: 1, a: [0.5] }, sha256));
});
