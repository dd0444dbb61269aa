import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findProject } from "./find-project.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hap-project-")));
afterAll(() => rmSync(root, { recursive: true }));
const make = (path: string) => mkdirSync(join(root, path), { recursive: true });
const home = join(root, "home");
for (const path of [
  "home/.hap",
  "home/.git",
  "home/code/app/.git",
  "home/code/app/src/deep",
  "home/notes",
  "elsewhere/.hap",
  "elsewhere/in",
])
  make(path);

test.for([
  ["home/code/app/src/deep", "home/code/app"],
  ["home/code/app", "home/code/app"],
  ["home/notes", null],
  ["home", null],
  ["elsewhere/in", "elsewhere"],
  [".", null],
] as const)("from %s the project is %s", ([cwd, project]) => {
  expect(findProject(join(root, cwd), home)).toBe(project === null ? null : join(root, project));
});
