// The real path against what the kernel itself opens.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { nodeDisk } from "../node-disk.ts";
import { classifyPath } from "./classify-path.ts";
import { realPath } from "./real-path.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hap-real-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "a/b/c"), { recursive: true });
mkdirSync(join(root, "d e"));
writeFileSync(join(root, "a/b/f"), "");
writeFileSync(join(root, "a/.env"), "");
symlinkSync("b/c", join(root, "a/l"));
symlinkSync("../d e", join(root, "a/m n"));
symlinkSync("../nowhere/x", join(root, "a/gone"));
symlinkSync("loop", join(root, "a/loop"));
symlinkSync(join(root, "a"), join(root, "absolute"));
linkSync(join(root, "a/.env"), join(root, "a/twin"));

test("[GATE-PATH-1] a path is the one that the kernel opens", () => {
  const part = fc.constantFrom("a", "b", "c", "f", "l", "m n", "..", ".", "absolute", "d e", "loop");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const path = `${root}/${parts.join("/")}`;
      const found = realPath(path, nodeDisk(""));
      let kernel: string | undefined;
      try {
        kernel = execFileSync("realpath", ["-e", "--", path], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
        }).trimEnd();
      } catch {
        kernel = undefined;
      }
      if (kernel === undefined) expect(found?.entry ?? null).toBeNull();
      else expect(found).toMatchObject({ path: kernel, entry: { kind: expect.any(String) } });
    }),
    { numRuns: 150 },
  );
});

test("[GATE-PATH-1] a dangling link leads to what would be made, and a loop nowhere", () => {
  const disk = nodeDisk("");
  expect(realPath(`${root}/a/gone`, disk)).toEqual({ path: `${root}/nowhere/x`, entry: null });
  expect(realPath(`${root}/a/gone`, disk, "keep")).toMatchObject({ path: `${root}/a/gone`, entry: { kind: "link" } });
  expect(realPath(`${root}/a/loop`, disk)).toBeUndefined();
  expect(realPath(`${root}/a/missing/../b`, disk)).toBeUndefined();
  expect(realPath("relative", disk)).toBeUndefined();
});

test("[GATE-PATH-1] a hard link is as secret as the file that it is", () => {
  const context = { cwd: join(root, "a"), projectRoot: join(root, "a"), home: "/home/u", disk: nodeDisk("") };
  expect(classifyPath("twin", context)).toMatchObject({ secret: true, inside: true });
  expect(classifyPath("b/f", context)).toMatchObject({ secret: false, inside: true });
  expect(classifyPath("m n/x", context)).toMatchObject({ inside: false });
  // Inside by the kernel's reading and outside by the text's: what reads texts may differ, so it counts as outside.
  expect(classifyPath("l/../../.env", context)).toMatchObject({ secret: true, inside: false });
});
