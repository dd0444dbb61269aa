// A patch is read as Codex reads it: what it would change is never less than what Codex changes. Changed lines are counted.
import { expect, test } from "vitest";
import { countChanges } from "./count-changes.ts";
import { patchedLines, readPatch, roughlyChanged, statedLines } from "./file-change.ts";
import { HookError } from "./hook-error.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

test.each([
  ["a file", patch("*** Add File: a", "+x"), ["a"]],
  ["blanks before a header", patch("  *** Update File: .git/config", "@@", "-a", "+b"), [".git/config"]],
  ["tabs and line ends behind it", patch("*** Delete File: a\t\r"), ["a"]],
  [
    "a context line that is a header once it is trimmed",
    patch("*** Update File: a", "@@", " *** Add File: .envrc", "+x"),
    ["a", ".envrc"],
  ],
  ["a move", patch("*** Update File: a", " *** Move to: .mcp.json", "@@", "-a", "+b"), ["a", ".mcp.json"]],
  ["a here-document around it", `<<'EOF'\n${patch("*** Add File: a", "+x")}\nEOF`, ["a"]],
  ["blanks around all of it", `\n\n  ${patch("*** Add File: a", "+x")}  \n`, ["a"]],
  ["a next line of another standard", patch("\u0085*** Add File: a\u0085", "+x"), ["a"]],
  ["added lines that look like headers", patch("*** Add File: a", "+*** Add File: b"), ["a"]],
])("[GATE-PATCH-1] %s", (_, text, paths) => {
  expect(readPatch(text)?.map(({ path }) => path)).toEqual(paths);
});

test.each([patch("*** Rename File: a"), patch("*** Add File: a", "+x", " *** Run: b"), patch("***")])(
  "[GATE-PATCH-1] a header that is not known refuses the patch",
  (text) => {
    expect(() => readPatch(text)).toThrow(HookError);
  },
);

test("[GATE-PATCH-1] what is no patch is none", () => {
  for (const text of ["", "x", "*** Add File: a", patch()]) expect(readPatch(text)).toBeNull();
});

const lines = (count: number, what: string) => Array.from({ length: count }, (_, at) => `${what} ${at}\n`).join("");

test.each([
  ["a new file", "", lines(250, "new"), 250, 250],
  ["every line replaced", lines(250, "old"), lines(250, "new"), 250, 250],
  ["every line deleted", lines(250, "old"), "", 250, 250],
  ["more lines than before", lines(100, "old"), lines(250, "new"), 250, 250],
  ["one line at either end of 400", lines(400, "a"), `x\n${lines(400, "a")}y\n`, 402, 2],
  ["two lines replaced far apart", `a\n${lines(400, "b")}c\n`, `x\n${lines(400, "b")}y\n`, 402, 2],
  ["half of the lines moved", lines(150, "a") + lines(150, "b"), lines(150, "b") + lines(150, "a"), 300, 300],
])("[GATE-LARGE-1] %s", (_, before, after, rough, exact) => {
  expect(roughlyChanged(before, after)).toBe(rough);
  expect(countChanges(before, after, rough)).toBe(exact);
});

test("[GATE-LARGE-1] what cannot be compared counts with what the call holds, and with no limit where it may fit anywhere", () => {
  expect(statedLines([{ old_string: "a\nb", new_string: "c" }, { new_string: "d\ne\nf" }], true)).toBe(5);
  expect(statedLines([{ content: lines(300, "x") }], true)).toBe(300);
  expect(statedLines([{ old_string: "a", new_string: "b", replace_all: true }], true)).toBe(Number.POSITIVE_INFINITY);
});

test("[GATE-LARGE-1] in a patch, lines that replace others count once, and those of different places are added up", () => {
  const replaced = ["-a", "-b", "+c", " d", "+e", "+f", " g", "-h"];
  expect(patchedLines(patch("*** Update File: a", "@@", ...replaced))).toBe(5);
  expect(patchedLines(patch("*** Delete File: a", ...replaced, "*** Add File: b", ...Array(300).fill("+x")))).toBe(305);
});
