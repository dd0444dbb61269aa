// A second opinion: git applies the same diff to copies of the same files, in a folder of its own, with configuration,
// attributes, filters and hooks out of reach. Its result must be ours, byte for byte.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { type Change, readText } from "./plan-changes.ts";

export function checkWithGit(diff: string, changes: readonly Change[], path: string): void {
  const folder = mkdtempSync(join(tmpdir(), "hap-apply-"));
  try {
    for (const change of changes) if (change.before !== null) put(join(folder, change.path), change.before);
    const prefixed = /^(?:diff --git a\/|--- a\/|--- \/dev\/null\n\+\+\+ b\/)/m.test(diff);
    const { status, stderr, error } = spawnSync(
      "git",
      ["apply", prefixed ? "-p1" : "-p0", "--whitespace=nowarn", "--unidiff-zero", "-"],
      { cwd: folder, input: diff, encoding: "utf8", env: environment(folder, path) },
    );
    if (error !== undefined)
      throw new HapError(
        "store_unusable",
        "git is needed to apply a diff, and could not be started. Install it.",
        { path: "git" },
        error,
      );
    if (status !== 0) throw differs(`git refuses it: ${stderr.trim()}`);
    for (const { path: name, after } of changes) {
      const found = existsSync(join(folder, name)) ? readText(join(folder, name)) : null;
      if (found !== after) throw differs(`git makes something else of ${name}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differs(problem: string): HapError {
  return new HapError("binding_stale", `The diff was not applied: ${problem}. Nothing was changed.`, { field: "diff" });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Nothing of the user's, the system's or a repository's configuration. */
function environment(folder: string, path: string): Record<string, string> {
  return {
    PATH: path,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_0: "core.hooksPath",
    GIT_CONFIG_VALUE_0: "/dev/null",
    GIT_CONFIG_KEY_1: "core.attributesFile",
    GIT_CONFIG_VALUE_1: "/dev/null",
    GIT_CONFIG_KEY_2: "core.autocrlf",
    GIT_CONFIG_VALUE_2: "false",
  };
}
