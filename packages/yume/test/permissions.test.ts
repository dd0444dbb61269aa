// The gate: the table as the documentation shows it, rules, and confinement on real folders.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Gate } from "../src/permissions/gate.ts";
import { PERMISSION_MODES, type PermissionMode } from "../src/permissions/mode.ts";
import { parseRules, splitRules } from "../src/permissions/rules.ts";
import { splitCommand } from "../src/permissions/split-command.ts";
import { CALL_CLASSES, lookUp } from "../src/permissions/table.ts";
import { bashTool } from "../src/tools/bash/bash.ts";
import { editTool } from "../src/tools/files/edit.ts";
import { readTool } from "../src/tools/files/read.ts";
import { writeTool } from "../src/tools/files/write.ts";
import type { CallFacts } from "../src/tools/tool.ts";
import { makePlace, runYume, says, uses } from "./support/place.ts";
import { toolWorld } from "./support/tool-world.ts";

const page = readFileSync(new URL("../../../docs/yume.md", import.meta.url), "utf8");

describe("the table of modes", () => {
  const rows: [string, PermissionMode, "yume" | "claude"][] = PERMISSION_MODES.flatMap((mode) =>
    mode === "auto"
      ? ([
          ["auto (flat)", mode, "yume"],
          ["auto (claude)", mode, "claude"],
        ] as [string, PermissionMode, "yume" | "claude"][])
      : [[mode, mode, "yume"] as [string, PermissionMode, "yume"]],
  );

  it.each(rows)("[YUME-PERMIT-1] %s stands in the documentation as it is enforced", (name, mode, dialect) => {
    const verdicts = CALL_CLASSES.map((callClass) => lookUp(mode, callClass, dialect));
    expect(page).toContain(`| \`${name}\` | ${verdicts.join(" | ")} |`);
  });
});

function gate(
  mode: PermissionMode,
  rules: { allow?: string[]; ask?: string[]; deny?: string[] } = {},
  cwd = "/home/me/app",
): Gate {
  const parsed = { allow: parseRules(rules.allow ?? []), ask: parseRules(rules.ask ?? []), deny: parseRules(rules.deny ?? []) };
  return new Gate({ mode, dialect: "yume", roots: { cwd, home: "/home/me" }, rules: parsed, asker: () => null });
}
const command = (text: string): CallFacts => ({ callClass: "command", subject: { tool: "Bash", command: text }, summary: text });
const file = (tool: string, path: string, callClass: CallFacts["callClass"] = "edit"): CallFacts => ({
  callClass,
  subject: { tool, path },
  summary: path,
});

describe("rules", () => {
  it.each<[string, string[], CallFacts, string]>([
    ["a tool", ["Bash"], command("anything | at && all"), "allow"],
    ["a beginning", ["Bash(git diff:*)"], command("git diff HEAD"), "allow"],
    ["a beginning, not a longer word", ["Bash(git diff:*)"], command("git difftool"), "ask"],
    ["an exact command", ["Bash(npm test)"], command("npm test"), "allow"],
    ["an exact command, no more", ["Bash(npm test)"], command("npm test --danger"), "ask"],
    ["a star", ["Bash(npm run *)"], command("npm run lint"), "allow"],
    ["each part of a chain", ["Bash(npm test)", "Bash(git diff:*)"], command("npm test && git diff"), "allow"],
    ["not a chain with another part", ["Bash(git diff:*)"], command("git diff; rm -rf x"), "ask"],
    ["not what a substitution hides", ["Bash(echo:*)"], command("echo $(rm -rf x)"), "ask"],
    ["not what backticks hide", ["Bash(echo:*)"], command("echo `rm x`"), "ask"],
    ["not a redirection", ["Bash(echo:*)"], command("echo x > ~/.bashrc"), "ask"],
    ["not a second line", ["Bash(echo:*)"], command("echo x\nrm x"), "ask"],
    ["a folder's files", ["Edit(src/**)"], file("Write", "/home/me/app/src/a/b.ts"), "allow"],
    ["not another folder's", ["Edit(src/**)"], file("Edit", "/home/me/app/lib/a.ts"), "ask"],
    ["a name at any depth", ["Edit(*.md)"], file("Edit", "/home/me/app/docs/x.md"), "allow"],
    ["an absolute path", ["Read(//etc/hosts)"], file("Read", "/etc/hosts", "read_outside"), "allow"],
    ["home", ["Read(~/notes/**)"], file("Read", "/home/me/notes/a", "read_outside"), "allow"],
    ["a bare rule not beyond the workspace", ["Write"], file("Write", "/etc/passwd", "edit_outside"), "ask"],
    ["a bare rule not on guarded files", ["Write"], file("Write", "/home/me/app/.env", "guarded"), "ask"],
    ["a server's tools", ["mcp__sums"], { callClass: "mcp", subject: { tool: "mcp__sums__add" }, summary: "" }, "allow"],
    ["not another server's", ["mcp__sum"], { callClass: "mcp", subject: { tool: "mcp__sums__add" }, summary: "" }, "ask"],
    [
      "a host",
      ["WebFetch(domain:example.com)"],
      { callClass: "network", subject: { tool: "WebFetch", host: "example.com" }, summary: "" },
      "allow",
    ],
    [
      "not a host that ends so",
      ["WebFetch(domain:example.com)"],
      { callClass: "network", subject: { tool: "WebFetch", host: "evilexample.com" }, summary: "" },
      "ask",
    ],
  ])("[YUME-PERMIT-2] allow: %s", (_, allow, facts, verdict) => {
    expect(gate("default", { allow }).judge(facts).verdict).toBe(verdict);
  });

  it.each<[string, CallFacts]>([
    ["any part of a chain", command("echo x && rm -rf y")],
    ["what stands in a substitution's command", command("rm -rf y")],
  ])("[YUME-PERMIT-2] deny: %s, in every mode", (_, facts) => {
    for (const mode of PERMISSION_MODES)
      expect(gate(mode, { allow: ["Bash"], deny: ["Bash(rm:*)"] }).judge(facts).verdict).toBe("deny");
  });

  it("[YUME-PERMIT-2] no allow rule opens plan or deny; an ask rule asks even when everything else is allowed", () => {
    for (const mode of ["plan", "deny"] as const)
      expect(gate(mode, { allow: ["Bash", "Edit"] }).judge(command("touch x")).verdict).toBe("deny");
    expect(gate("bypassPermissions", { ask: ["Bash(git push:*)"] }).judge(command("git push")).verdict).toBe("ask");
    expect(gate("dontAsk", { ask: ["Bash(git push:*)"] }).judge(command("git push")).verdict).toBe("deny");
  });

  it("[YUME-PERMIT-2] are split outside brackets only, and commands outside quotes only", () => {
    expect(splitRules("Bash(git log, x), Edit Read(a b)")).toEqual(["Bash(git log, x)", "Edit", "Read(a b)"]);
    expect(splitCommand("echo 'a;b' && ls | wc")).toEqual({ parts: ["echo 'a;b'", "ls", "wc"], plain: true });
    expect(splitCommand('echo "a;$(b)"').plain).toBe(false);
    expect(splitCommand("echo 'unclosed").plain).toBe(false);
  });
});

describe("classes of calls", () => {
  it("[YUME-CONFINE-1] follow links and .. before they compare, whether or not the file exists", async () => {
    const { folder, context } = toolWorld();
    mkdirSync(join(folder, "sub"));
    symlinkSync("/etc", join(folder, "out"));
    symlinkSync("/nowhere/at/all", join(folder, "dangling"));
    writeFileSync(join(folder, ".env"), "");
    const edit = async (file_path: string) => (await editTool.classify({ file_path }, context)).callClass;
    expect(await edit("sub/new.txt")).toBe("edit");
    expect(await edit("sub/../../x")).toBe("edit_outside");
    expect(await edit("out/passwd")).toBe("edit_outside");
    expect(await edit("out/deep/new")).toBe("edit_outside");
    expect(await edit("dangling")).toBe("edit_outside");
    expect(await edit("~/x")).toBe("edit_outside");
    expect(await edit(".env")).toBe("guarded");
    expect(await edit(".git/hooks/pre-commit")).toBe("guarded");
    expect(await edit(".hap/policy.json")).toBe("guarded");
    expect((await readTool([]).classify({ file_path: ".env" }, context)).callClass).toBe("guarded");
    expect((await readTool([]).classify({ file_path: "/etc/passwd" }, context)).callClass).toBe("read_outside");
    expect((await writeTool.classify({ file_path: `${folder}-beside/x`, content: "" }, context)).callClass).toBe("edit_outside");
  });

  it("[YUME-CONFINE-1] of commands are the shell parser's", async () => {
    const { context } = toolWorld();
    const of = async (text: string) => (await bashTool.classify({ command: text }, context)).callClass;
    expect(await of("git status")).toBe("harmless_command");
    expect(await of("npm test")).toBe("command");
    expect(await of("rm -rf ~")).toBe("command_outside");
    expect(await of("cat .env")).toBe("command_outside");
    expect(await of("sudo ls")).toBe("command_outside");
  });
});

describe("modes on the real command", () => {
  const calls = uses(
    ["Read", { file_path: "note.txt" }],
    ["Write", { file_path: "made.txt", content: "x" }],
    ["Bash", { command: "touch touched.txt" }],
    ["Write", { file_path: "../beyond.txt", content: "x" }],
  );
  it.each<[string, boolean[]]>([
    ["default", [true, false, false, false]],
    ["acceptEdits", [true, true, false, false]],
    ["plan", [true, false, false, false]],
    ["auto", [true, true, true, false]],
    ["deny", [true, false, false, false]],
    ["dontAsk", [true, false, false, false]],
    ["bypassPermissions", [true, true, true, true]],
  ])("[YUME-PERMIT-1] %s runs exactly what it may, and lists the rest", async (mode, ran) => {
    const place = await makePlace([calls, says("Done.")]);
    writeFileSync(join(place.work, "note.txt"), "a note\n");
    const { frames } = await runYume(place, ["--provider", "openai", "--permission-mode", mode, "--prompt", "Go"]);
    expect(frames[0]).toMatchObject({ permissionMode: mode });
    expect(frames.filter(({ type }) => type === "tool_result").map(({ is_error }) => is_error === false)).toEqual(ran);
    expect(frames.at(-2)?.permission_denials).toHaveLength(ran.filter((one) => !one).length);
  });
});
