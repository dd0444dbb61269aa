import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TIERS } from "./constants.ts";
import { computeTier, EFFECT_TIERS, isEffect } from "./tier.ts";

describe("a tier follows from risk and effects", () => {
  test.each<[number, string[], string]>([
    [0, [], "routine"],
    [0.2999, ["read_inside", "write_inside"], "routine"],
    [0.3, [], "notable"],
    [0.6999, ["read_inside"], "notable"],
    [0, ["delete_inside"], "notable"],
    [0, ["read_outside"], "notable"],
    [0, ["network"], "notable"],
    [0, ["unknown"], "notable"],
    [0, ["an_effect_of_a_later_version"], "notable"],
    [0, ["constructor"], "notable"],
    [0.7, [], "critical"],
    [1, ["read_inside"], "critical"],
  ])("[TIER-ROUTINE-1] risk %d with %j is %s", (risk, effects, tier) => {
    expect(computeTier(risk, effects)).toBe(tier);
  });

  test.each([
    "delete_outside",
    "privilege",
    "credentials",
    "send_data",
    "irreversible_vcs",
    "production",
    "opaque",
    "unseen_interpreter",
  ])("[TIER-CRITICAL-1, ARTIFACT-OPAQUE-1] %s alone makes a ticket critical", (effect) => {
    expect(computeTier(0, ["read_inside", effect])).toBe("critical");
  });

  test("more risk or more effects never lower it", () => {
    const effects = fc.array(fc.constantFrom(...Object.keys(EFFECT_TIERS), "new_effect"));
    const rank = (risk: number, found: string[]) => TIERS.indexOf(computeTier(risk, found));
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        effects,
        effects,
        (a, b, some, more) => {
          expect(rank(Math.max(a, b), [...some, ...more])).toBeGreaterThanOrEqual(rank(a, some));
        },
      ),
    );
  });

  test("only words of the table are effects", () => {
    expect(["opaque", "constructor", "toString", ""].map(isEffect)).toEqual([true, false, false, false]);
  });
});
