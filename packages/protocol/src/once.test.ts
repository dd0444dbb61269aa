import { expect, test, vi } from "vitest";
import { once } from "./once.ts";

test("makes nothing before it is asked, and the same thing ever after", () => {
  const make = vi.fn(() => undefined);
  const get = once(make);
  expect(make).not.toHaveBeenCalled();
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledOnce();
});
