import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { realNames } from "./policy-match.ts";

test.each([
  ["src/a.ts", "/p", ["src/a.ts", "/p/src/a.ts"]],
  ["src/../../x", "/p", ["/x"]],
  ["/p/./src//a.ts", "/p/", ["src/a.ts", "/p/src/a.ts"]],
  ["/p", "/p", ["", "/p"]],
  ["/pq/a", "/p", ["/pq/a"]],
  ["../a/", null, ["../a/"]],
  ["a/..", null, ["."]],
  ["a/../", null, ["."]],
])("%j in the project %j is called %j", (path, project, names) => {
  expect(realNames(path, project)).toEqual(names);
});

test("names of files are those that Node makes of them", () => {
  const part = fc.constantFrom("a", "..", ".", "", "b.ts", "...");
  const path = fc.tuple(fc.boolean(), fc.array(part)).map(([rooted, parts]) => `${rooted ? "/" : ""}${parts.join("/")}`);
  fc.assert(
    fc.property(path, fc.constantFrom("/", "/p", "/p/q/"), (name, project) => {
      const absolute = posix.resolve(project, name);
      const inside = posix.relative(posix.resolve(project), absolute);
      const expected = inside === ".." || inside.startsWith("../") ? [absolute] : [inside, absolute];
      expect(realNames(name, project)).toEqual(expected);
      if (name !== "" && !name.startsWith("/"))
        expect(realNames(name, null)).toEqual([posix.normalize(name).replace(/^\.\/$/, ".")]);
    }),
  );
});
