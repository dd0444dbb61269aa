import { expect, test } from "vitest";
import { frameUpdate } from "./frame-update.ts";

test("[TUI-DRAW-1] only rows that changed are sent, and nothing when nothing changed", () => {
  const shown = { rows: ["one", "two", "three"], cursor: null };
  expect(frameUpdate(shown, { rows: ["one", "two", "three"], cursor: null })).toBe("");
  const bytes = frameUpdate(shown, { rows: ["one", "2", "three"], cursor: null });
  expect(bytes).toContain("\u001b[2;1H");
  expect(bytes).not.toContain("\u001b[1;1H");
  expect(bytes).not.toContain("three");
  expect(frameUpdate(null, shown)).toMatch(/one.*two.*three/s);
  expect(frameUpdate(shown, { ...shown, cursor: { row: 1, column: 4 } })).toContain("\u001b[2;5H\u001b[?25h");
});
