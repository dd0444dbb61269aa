import { describe, expect, it } from "vitest";
import { startIn } from "../paths/cwds.ts";
import { matchCommand } from "./match-command.ts";
import { PROVEN_PROGRAMS } from "./programs.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };
const match = (command: string, where = context) => {
  const words = command.split(" ").map((text) => ({ text, glob: false, revision: false }));
  return matchCommand({ words, inputs: [], outputs: [], afterSuccess: false, always: true }, startIn(where), where, false);
};

describe("the allowlist", () => {
  it.each([...PROVEN_PROGRAMS.keys()])("%s with an invented option is not proven", (program) => {
    if (["echo", "true", "false", ":"].includes(program)) return;
    expect(match(`${program} --invented-option`)).toBeUndefined();
  });

  it.each([...PROVEN_PROGRAMS.keys()])("%s shows no secret and no file outside", (program) => {
    if (["echo", "printf", "true", "false", ":", "tr", "which", "type", "basename", "dirname", "command"].includes(program))
      return;
    for (const path of ["/etc/passwd", "../x", "~/x", "/home/u/p2/x"]) {
      const found = match(`${program} x ${path}`);
      expect(found, `${program} x ${path}`).toBeUndefined();
    }
  });

  it.each([
    "git -c a=b status",
    "git --exec-path=x status",
    "git -C .. status",
    "git --git-dir=x log",
    "git -p log",
    "git log --textconv",
  ])("%s is refused", (command) => {
    expect(match(command)).toBeUndefined();
  });

  it.each([
    "git branch new",
    "git branch -d x",
    "git tag v1",
    "git remote add a b",
    "git stash",
    "git reflog expire",
    "git worktree add x",
    "git config a b",
    "git show :0:x",
  ])("%s changes something", (command) => {
    expect(match(command)).toBeUndefined();
  });

  it.each(["constructor", "toString", "__proto__", "valueOf"])("git %s is no row of the table", (name) => {
    expect(match(`git ${name}`)).toBeUndefined();
    expect(match(name)).toBeUndefined();
  });

  it("runs git only in the project's root", () => {
    expect(match("git status")).toBeDefined();
    expect(match("git status", { ...context, cwd: "/home/u/p/sub" })).toBeUndefined();
    expect(match("ls", { ...context, cwd: "/home/u/p/sub" })).toBeDefined();
  });

  it("is empty outside the project", () => {
    for (const cwd of ["/home/u", "/", "relative", ""]) expect(match("ls", { ...context, cwd })).toBeUndefined();
  });

  it("follows cd inside the project only", () => {
    expect(match("cd src")?.cwds.current).toEqual(["/home/u/p/src"]);
    for (const path of ["..", "/", "-", "~", "", "src ..", "-P src"]) expect(match(`cd ${path}`)).toBeUndefined();
  });
});
