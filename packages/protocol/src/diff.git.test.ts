// Against git itself: paths and line counts of a diff are those that `git diff --numstat` gives.
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainGit } from "../../../test/support/plain-git.ts";
import { type DiffFile, diffFiles, normaliseDiff } from "./diff.ts";

test("[ARTIFACT-DIFF-1] files and counts agree with git's own, and git's order is already the normal one", () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-diff-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: plainGit(folder),
    });
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
  try {
    git("init", "-q");
    const long = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join("");
    for (const name of ["changed.txt", "renamed from.txt", "deleted.txt", "é ü.txt", 'quo"te.txt', "tab\t.txt"])
      write(name, long);
    write("comment.sql", "-- one\n-- two\n++ three\n");
    write("binary.bin", Uint8Array.of(0, 1, 2));
    write("crlf.txt", "a\r\nb\r\n");
    write("no-newline.txt", "a");
    git("add", "-A");
    git("commit", "-qm", "before");
    write("changed.txt", long.replace("line 3\n", "line three\n").replace("line 50\n", ""));
    renameSync(join(folder, "renamed from.txt"), join(folder, "renamed to.txt"));
    rmSync(join(folder, "deleted.txt"));
    for (const name of ["é ü.txt", 'quo"te.txt', "tab\t.txt"]) write(name, `first\n${long}`);
    write("comment.sql", "-- one\n++ four\n");
    write("binary.bin", Uint8Array.of(0, 1, 3));
    write("crlf.txt", "a\r\nc\r\n");
    write("no-newline.txt", "b");
    write("new.txt", "x\n");
    git("add", "-A");
    const wanted = readNumstat(git("diff", "--cached", "-M", "--numstat", "-z"));
    const diff = git("diff", "--cached", "-M");
    expect(wanted).toHaveLength(11);
    expect(diffFiles(diff)).toEqual(wanted);
    expect(normaliseDiff(diff)).toBe(diff.replaceAll("\t\n", "\n").replaceAll("\r\n", "\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** `added TAB removed TAB path NUL`; a rename has an empty path, then NUL, the old and the new one; a binary file has `-`. */
function readNumstat(text: string): DiffFile[] {
  const parts = text.split("\0").slice(0, -1);
  const found: DiffFile[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [, added, removed, path] = /^(\S+)\t(\S+)\t([\s\S]*)$/.exec(parts[at] as string) as RegExpExecArray;
    const moved = path === "" ? { path: parts[at + 2] as string, old_path: parts[at + 1] as string } : { path: path as string };
    if (path === "") at += 2;
    found.push({ ...moved, added: Number(added) || 0, removed: Number(removed) || 0 });
  }
  return found;
}
