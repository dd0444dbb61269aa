import { describe, expect, it } from "vitest";
import { allInside, enter, rejoin, startIn } from "./cwds.ts";

const context = { cwd: "/p/a", projectRoot: "/p" };

describe("where a list of commands may stand", () => {
  it("is one folder at the start, and both after a cd that may have failed", () => {
    const moved = enter(startIn(context), "../b", undefined);
    expect(moved.current).toEqual(["/p/b"]);
    expect(rejoin(moved).current).toEqual(["/p/a", "/p/b"]);
    expect(rejoin(enter(rejoin(moved), "c", undefined)).current).toEqual(["/p/a", "/p/b", "/p/a/c", "/p/b/c"]);
  });

  it("is unknown after an unknown folder, and stays unknown", () => {
    const lost = enter(startIn(context), undefined, undefined);
    expect(lost.current).toBeUndefined();
    expect(rejoin(enter(lost, "/p", undefined)).current).toBeUndefined();
    expect(allInside(lost, context)).toBe(false);
  });

  it("is unknown when there are too many possibilities", () => {
    let cwds = startIn(context);
    for (const folder of ["1", "2", "3", "4", "5"]) cwds = rejoin(enter(cwds, folder, undefined));
    expect(cwds.current).toBeUndefined();
  });

  it("is inside only when every possibility is", () => {
    const moved = enter(startIn(context), "../../x", undefined);
    expect(allInside(moved, context)).toBe(false);
    expect(allInside(rejoin(enter(startIn(context), "b", undefined)), context)).toBe(true);
  });
});
