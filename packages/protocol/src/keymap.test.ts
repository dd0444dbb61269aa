import { expect, test } from "vitest";
import { actionOfKey, KEYMAP, keysOf } from "./keymap.ts";

test("[KEYMAP-ONE-1] every key has one action, and every action a face that describes it", () => {
  const keys = Object.values(KEYMAP).flatMap(({ keys: of }) => [...of] as string[]);
  expect(keys).toHaveLength(new Set(keys).size);
  const described = new Set([...keysOf("page"), ...keysOf("terminal")].map(({ action }) => action));
  expect(Object.keys(KEYMAP).filter((action) => !described.has(action as never))).toEqual([]);
});

test("[KEYMAP-ONE-1] a key that both faces offer does the same thing in both", () => {
  expect(actionOfKey("a")).toBe("approve");
  expect(actionOfKey("down")).toBe("next");
  expect(actionOfKey("y")).toBeNull();
  const shown = (face: "page" | "terminal") => new Map(keysOf(face).map(({ action, shown: keys }) => [action, keys]));
  for (const [action, keys] of shown("page")) expect(shown("terminal").get(action) ?? keys).toBe(keys);
});
