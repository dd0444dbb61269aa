// Descriptors that a host leaves open lead out of no sandbox of commands.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const outside = mkdtempSync(join(tmpdir(), "hap-descriptors-"));
afterAll(() => rmSync(outside, { recursive: true }));

/** Reads a folder and a file, and writes one, by the descriptors 100 to 102 of any process that can be seen. */
const ATTACK = [
  "for p in /proc/self /proc/[0-9]*; do cat $p/fd/100/secret $p/fd/101; echo evil >> $p/fd/102; done 2>/dev/null",
  "cat <&101; echo evil >&102; echo done",
].join("; ");

test("[YUME-BASH-6] descriptors that the host left open reach neither bubblewrap nor Landlock", () => {
  const workspace = join(outside, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(outside, "secret"), "SECRET");
  writeFileSync(join(outside, "written"), "");
  const fixture = fileURLToPath(new URL("fixtures/sandboxed.ts", import.meta.url));
  const open = 'cd "$1"; exec 100< . 101< secret 102>> written; shift; exec "$@"';
  const words = ["-c", open, "bash", outside, process.execPath, fixture, workspace, ATTACK];
  const { stdout, stderr } = spawnSync("bash", words, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.match(/done/g)).toHaveLength(2);
  expect(stdout).not.toContain("SECRET");
  expect(readFileSync(join(outside, "written"), "utf8")).toBe("");
});
