// A patch is read as Codex reads it: what it would change is never less than what Codex changes.
import { expect, test } from "vitest";
import { readPatch } from "./file-change.ts";
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
