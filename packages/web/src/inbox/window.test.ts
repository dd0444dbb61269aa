import fc from "fast-check";
import { expect, test } from "vitest";
import { offsetsOf, windowOf } from "./window.ts";

test("[WEB-PARTS-1] the window holds every item that the view touches, and few more", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 200 }),
      fc.nat(20_000),
      fc.integer({ min: 1, max: 900 }),
      (heights, top, height) => {
        const offsets = offsetsOf(heights);
        const [first, end] = windowOf(offsets, top, height, 0);
        const touched = heights.flatMap((_, at) =>
          (offsets[at] as number) < top + height && (offsets[at + 1] as number) > top ? [at] : [],
        );
        for (const at of touched) expect(at >= first && at < end).toBe(true);
        expect(end - first).toBeLessThanOrEqual(touched.length + 2);
      },
    ),
  );
});
