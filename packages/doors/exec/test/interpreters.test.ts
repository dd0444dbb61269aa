// What a yes to a command is bound to beyond the program itself: interpreters, and files that are read before it.
import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bindCommand } from "../src/bind-command.ts";
import { differences } from "../src/compare-binding.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hap-bind-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const script = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
  return join(folder, name);
};
const bind = (argv: string[], also: string[] = []) =>
  bindCommand({ argv, cwd: folder, environment: { from: { PATH: `${folder}:/usr/bin:/bin` }, also }, stdin: null });

test("[EXEC-BIND-2] the interpreter of a script's first line is bound, and another one is refused", () => {
  const interpreter = join(folder, "my-sh");
  copyFileSync("/bin/sh", interpreter);
  const approved = bind([script("tool", `#!${interpreter} -e\necho hi\n`)]);
  expect(Object.keys(approved.files)).toContain(interpreter);
  copyFileSync("/bin/cat", interpreter);
  expect(differences(approved, bind([join(folder, "tool")]))).toEqual([`The file ${interpreter} has changed.`]);
});

test("[EXEC-BIND-2] behind env the program that PATH leads to is bound: one that is put before it is refused", () => {
  script("tool", "#!/usr/bin/env sh\necho hi\n");
  const approved = bind(["./tool"]);
  expect(Object.keys(approved.files)).toEqual(expect.arrayContaining([realpathSync("/usr/bin/env"), realpathSync("/bin/sh")]));
  script("sh", "#!/bin/sh\necho taken over\n");
  expect(differences(approved, bind(["./tool"])).join()).toContain(`${join(folder, "sh")} was not there then`);
});

test.each(["BASH_ENV", "ENV", "LD_PRELOAD", "GIT_CONFIG_GLOBAL"])(
  "[EXEC-BIND-2] the file that %s names is bound, and the variable is not taken over by itself",
  (name) => {
    const read = script("read-first", "echo one\n");
    const approved = bind(["/bin/true"], [`${name}=${read}`]);
    expect(approved.env[name]).toBe(read);
    script("read-first", "echo two\n");
    expect(differences(approved, bind(["/bin/true"], [`${name}=${read}`]))).toEqual([`The file ${read} has changed.`]);
    const from = { PATH: "/usr/bin:/bin", [name]: read };
    expect(bindCommand({ argv: ["/bin/true"], cwd: folder, environment: { from, also: [] }, stdin: null }).env).toEqual({
      PATH: "/usr/bin:/bin",
    });
  },
);
