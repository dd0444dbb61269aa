// The search for gate paths cannot be outrun by a command that makes many folders.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findGates } from "./find-gates.ts";
import { appearedGates, quarantine } from "./quarantine.ts";

test("[CONFINE-QUARANTINE-1] a flood of folders hides no gate: before a run it refuses the project, afterwards all of it is searched", () => {
  const root = mkdtempSync(join(tmpdir(), "hap-flood-"));
  const project = join(root, "app");
  mkdirSync(join(project, ".husky"), { recursive: true });
  const before = findGates(project, "", 50);
  expect(before).toHaveLength(1);
  for (let at = 0; at < 200; at++) mkdirSync(join(project, `a${at}`, "b"), { recursive: true });
  writeFileSync(join(project, "a77", "b", ".envrc"), "evil");
  mkdirSync(join(project, "zzz", ".vscode"), { recursive: true });
  const after = findGates(project, "");
  const moved = quarantine(appearedGates(before, after), before, join(root, "kept"));
  expect(moved.map(({ path }) => path.slice(project.length + 1)).sort()).toEqual(["a77/b/.envrc", "zzz/.vscode"]);
  // The next command meets a project that takes too long to scan: it does not run with gates unprotected.
  expect(() => findGates(project, "", 50)).toThrow("has more than 50 folders");
  rmSync(root, { recursive: true });
});
