import fc from "fast-check";
import { expect, test } from "vitest";
import { type Span, uncovered, withSpan } from "./spans.ts";

test("[WEB-READ-1] spans cover what was in view, in any order, and nothing else", () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (all) => {
      const shares = all.map(([from, to]): Span => [(from as number) / 100, (to as number) / 100]);
      const merged = shares.reduce<Span[]>((before, one) => withSpan(before, one), []);
      const hundredths = Array.from({ length: 100 }, (_, at) =>
        all.some(([from, to]) => at >= (from as number) && at < (to as number)),
      );
      expect(uncovered(merged)).toBeCloseTo(hundredths.filter((inView) => !inView).length / 100, 6);
    }),
  );
});
