import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesCommand, matchesGlob, realNames } from "./policy-match.ts";

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

/** What the patterns mean, as a regular expression: too slow for long texts, exact for short ones. */
function asRegExp(glob: string, acrossSlashes: boolean): RegExp {
  const body = glob.replace(/\*\*\/?|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return acrossSlashes ? ".*" : "[^/]*";
    if (part === "?") return acrossSlashes ? "." : "[^/]";
    return `\\${part}`;
  });
  return new RegExp(`^${body}$`, "su");
}

test("[POLICY-GLOB-1] patterns mean what their regular expressions mean", () => {
  const glob = fc
    .array(fc.constantFrom("a", "b", "/", "*", "**", "**/", "?", ".", "é"), { maxLength: 7 })
    .map((parts) => parts.join(""));
  const text = fc.array(fc.constantFrom("a", "b", "/", ".", "é", " "), { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(glob, text, (pattern, name) => {
      // Three stars in a row are read from the left by both.
      expect(matchesGlob(pattern, name), `${pattern} ${name}`).toBe(asRegExp(pattern, false).test(name));
      if (/^[A-Za-z0-9_@%+=:,./ -]+$/.test(name.trim()))
        expect(matchesCommand(pattern, name, true)).toBe(asRegExp(pattern, true).test(name.trim()));
    }),
    { numRuns: 3000 },
  );
});

test("[POLICY-GLOB-1] a pattern with many stars does not run away on a long command", () => {
  // 529 s as a regular expression; here the product of both lengths.
  const long = "git push --forc ".repeat(4000);
  expect(matchesCommand("*git*push*--force*", long, false)).toBe(false);
  expect(matchesCommand("*git*push*--force*", `${long}--force`, false)).toBe(true);
});
