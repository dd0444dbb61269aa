// The law of D20 against the real thing: one Python process, many values.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../test/support/seed.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";

const script = join(import.meta.dirname, "../test/fixtures/canonical-law.py");

/** Doubles by bit pattern: every exponent as likely as any other. */
const bits = fc
  .bigInt({ min: 0n, max: 2n ** 64n - 1n })
  .map((pattern) => new Float64Array(BigUint64Array.of(pattern).buffer)[0] as number)
  .filter(Number.isFinite);
/** Numbers around the places where the notation changes. */
const edges = fc
  .tuple(fc.constantFrom(1e15, 1e16, 2 ** 53, 1e17, 1e-4, 1e-5, 1e21, 1, 0.1), fc.integer({ min: -40, max: 40 }), fc.boolean())
  .map(([base, steps, negative]) => (negative ? -1 : 1) * (base + steps * base * Number.EPSILON));
/** Text that is likely to meet surrogate pairs, the end of the first plane, quotes, controls and DEL. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
      '"',
      "\\",
      "\0",
      "\u007f",
      "\u2028",
      "é",
      "a",
      "/",
    ),
  }),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 8 },
    fc.oneof(bits, edges, fc.maxSafeInteger(), text, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(text, tie("value"), { maxKeys: 6 }),
  ),
})).value;
const nested = fc.tuple(fc.integer({ min: 1, max: 62 }), fc.boolean(), bits).map(([levels, list, leaf]) => {
  let value: Json = leaf;
  for (let i = 0; i < levels; i++) value = list ? [value] : { "": value };
  return value;
});

test("[CANON-LAW-1] Python prints back every text that we write", () => {
  const values = [bits, edges, text, json, nested].flatMap((kind, index) =>
    fc.sample<Json>(kind, { seed: SEED + index, numRuns: 4000 }),
  );
  const lines = values.map(canonicalJson);
  const python = spawnSync("python3", [script], { input: `${lines.join("\n")}\n`, encoding: "utf8", maxBuffer: 64_000_000 });
  expect(python.stderr, `seed ${SEED}`).toBe("");
  expect(python.stdout, `seed ${SEED}`).toBe(`checked ${lines.length}\n`);
});
