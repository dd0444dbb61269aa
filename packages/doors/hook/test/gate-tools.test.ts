// What the gate says about tools other than a shell, and about sessions of another kind.
import { spawn } from "node:child_process";
import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeCall } from "../src/describe-call.ts";
import { judge } from "../src/judge.ts";
import { withinTime } from "../src/within-time.ts";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { codexPayloads as codex } from "./fixtures/codex-payloads.ts";
import { prepareProject } from "./prepared-project.ts";
import { decided, World } from "./world.ts";

const { home, project, remove } = prepareProject();
afterAll(remove);
// As the kernel reads it, sub/up/../hooks is plain/hooks; without the text `up/..` it is a link to git's hooks.
mkdirSync(join(project, "plain/deep"), { recursive: true });
mkdirSync(join(project, "plain/hooks"));
mkdirSync(join(project, "sub"));
symlinkSync("../plain/deep", join(project, "sub/up"));
symlinkSync("../.git/hooks", join(project, "sub/hooks"));
mkdirSync(join(project, "cafe\u0301"));
symlinkSync(".git/hooks", join(project, "caf\u00e9"));
mkdirSync(join(project, "half/objects"), { recursive: true });
writeFileSync(join(project, "half/HEAD"), "ref: refs/heads/main\n");

async function answer(name: string, input: Record<string, unknown>, where = project): Promise<string> {
  const around = {
    agent: "agent:x",
    cwd: where,
    project,
    home,
    path: `/usr/bin:/bin:${join(project, "tools")}`,
    gate: [join(project, "hook")],
  };
  return judge(await describeCall({ name, input }, around)).verdict;
}

describe("[GATE-READ-1] searching", () => {
  test.each([
    ["Grep", { pattern: "KEY", glob: ".env*", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "**/.en?" }],
    ["Grep", { pattern: "KEY", glob: "*.{pem,ts}" }],
    ["Grep", { pattern: "KEY", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "*.ts .env", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "*.ts,.env", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "!x .env", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "{x,{y,.env}}", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "\\.en\\v", output_mode: "content" }],
    ["Grep", { pattern: "KEY", glob: "*", output_mode: "content" }],
    ["Read", { file_path: join(home, "server.key ") }],
    ["Grep", { pattern: "x", path: "/etc" }],
    ["Grep", { pattern: "x", path: "out" }],
    ["Glob", { pattern: "**/.env" }],
    ["Glob", { pattern: "**/id_*" }],
    ["Read", { file_path: join(home, ".claude/settings.json") }],
    ["Read", { file_path: join(home, ".hap/hap.db") }],
    ["Read", { file_path: join(project, "same-as-env") }],
    ["Read", { file_path: "/proc/self/environ" }],
  ])("%s %j asks", async (tool, input) => {
    expect(await answer(tool, input)).toBe("ask_engine");
  });

  test.each([
    ["Grep", { pattern: "export", glob: "*.ts", output_mode: "content" }],
    ["Grep", { pattern: "export", path: "src", output_mode: "content" }],
    ["Grep", { pattern: "export" }],
    ["Grep", { pattern: "export", type: "ts", output_mode: "content" }],
    ["Glob", { pattern: "**/*.ts" }],
    ["Glob", { pattern: "**/*" }],
    ["Read", { file_path: join(project, "src/a.ts") }],
    ["Read", { file_path: join(project, ".claude/settings.json") }],
  ])("%s %j needs nobody", async (tool, input) => {
    expect(await answer(tool, input)).toBe("allow");
  });

  test("a secret that version control ignores is left out of a search", async () => {
    writeFileSync(join(project, ".gitignore"), ".env\n.envrc\n.envrc.gz\nsecrets.json\n");
    expect(await answer("Grep", { pattern: "KEY", output_mode: "content" })).toBe("allow");
  });
});

describe("[GATE-PLAN-1] a plan of Claude Code", () => {
  const plans = join(home, ".claude/plans");
  const written = (path: string) => answer("Write", { file_path: path, content: "# Plan\n".repeat(300) });

  test("needs nobody, however long it is", async () => {
    mkdirSync(plans, { recursive: true });
    expect(await written(join(plans, "a-new-plan.md"))).toBe("allow");
    writeFileSync(join(plans, "a-plan.md"), "# Plan\n");
    expect(await answer("Edit", { file_path: join(plans, "a-plan.md"), old_string: "# Plan", new_string: "# B" })).toBe("allow");
  });

  test("is a plain file in that folder; anything else there asks", async () => {
    writeFileSync(join(home, ".claude/settings.json"), "{}");
    symlinkSync("../settings.json", join(plans, "link.md"));
    linkSync(join(home, ".claude/settings.json"), join(plans, "hard.md"));
    const others = ["link.md", "hard.md", "x.sh", "deep/x.md", "../settings.json", "../x.md", "a b.md"];
    for (const name of others) expect(await written(`${plans}/${name}`), name).toBe("ask_engine");
    expect(await written(join(project, ".claude/plans/x.md"))).toBe("ask_engine");
  });
});

describe("[GATE-WEB-1] a file: address", () => {
  const fetched = (url: string) => answer("WebFetch", { url, prompt: "?" });

  test("names a file of the project, which needs nobody", async () => {
    expect(await fetched(`file://${project}/a.txt`)).toBe("allow");
  });

  test.each([
    ["credentials", () => `file://${project}/.env`],
    ["a file outside", () => "file:///etc/hostname"],
    ["a folder", () => `file://${project}`],
    ["another machine", () => `file://x.example${project}/a.txt`],
    ["a hidden separator", () => `file://${project}/sub%2f..%2f.env`],
  ])("to %s asks", async (_, url) => {
    expect(await fetched(url())).toBe("ask_engine");
  });
});

describe("[GATE-FILE-1] writing", () => {
  const lines = (count: number) => "x\n".repeat(count);
  test.each([
    ["a long new file", { file_path: join(project, "long.ts"), content: lines(220) }],
    ["git's own files", { file_path: join(project, ".git/commondir"), content: "x" }],
    ["a hard link to git's configuration", { file_path: join(project, "same-as-config"), content: "x" }],
    ["a link that leads out", { file_path: join(project, "out/x"), content: "x" }],
    ["a dangling link to a hook", { file_path: join(project, "later-hook"), content: "x" }],
    ["editor tasks", { file_path: join(project, ".vscode/tasks.json"), content: "x" }],
    ["the hook itself", { file_path: join(project, "hook/main.cjs"), content: "x" }],
    ["another agent's settings", { file_path: join(project, ".cursor/mcp.json"), content: "x" }],
    ["a gate path behind a blank, which the host trims", { file_path: " .git/hooks/pre-commit", content: "x" }],
    ["a gate path before a blank, which the host trims", { file_path: `${join(project, ".mcp.json")}\u00a0`, content: "x" }],
    [
      "a path whose `..` the host removes from the text",
      { file_path: `${join(project, "sub/up")}/../hooks/pre-commit`, content: "x" },
    ],
    ["a name that the host composes", { file_path: join(project, "cafe\u0301/pre-commit"), content: "x" }],
    ["a repository of another name", { file_path: join(project, "bare/config"), content: "x" }],
    ["what completes a repository of another name", { file_path: join(project, "half/refs/x"), content: "x" }],
    ["a folder that leads to another repository", { file_path: join(project, "half/commondir"), content: "x" }],
    ["a field that HAP does not know", { file_path: join(project, "short.ts"), content: "x", _also: { file: "x" } }],
    ["a program in the place of a system program", { file_path: join(project, "tools/git"), content: "x" }],
  ])("%s asks", async (_, input) => {
    expect(await answer("Write", input)).toBe("ask_engine");
  });

  test("a field that HAP does not know keeps a command from being proven or confined", async () => {
    expect(await answer("Bash", { command: "npm test" })).toBe("confine");
    expect(await answer("Bash", { command: "npm test", _simulated: {} })).toBe("ask_engine");
    expect(await answer("Bash", { command: "pwd", _simulated: {} })).toBe("ask_engine");
  });

  test("a new file below 200 lines needs nobody", async () => {
    expect(await answer("Write", { file_path: join(project, "short.ts"), content: lines(190) })).toBe("allow");
  });

  test("[GATE-PATCH-1] a command of Codex whose folder is not told proves nothing about relative paths", async () => {
    expect(await answer("exec_command", { cmd: "cat a.txt" })).toBe("confine");
    expect(await answer("exec_command", { cmd: "cat a.txt", workdir: project })).toBe("allow");
    expect(await answer("exec_command", { cmd: "echo x > .git/config" })).toBe("ask_engine");
  });
});

describe("[GATE-PROJECT-1] a session without version control", () => {
  const world = new World();
  const folder = join(world.home, "plain");
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.txt"), "x");
  symlinkSync("/etc", join(folder, "out"));
  const run = (cwd: string, command: string, more: object = {}) =>
    world.run("claude", { ...claude.bash(cwd, command), ...more }, { env: { HAP_HOST_PROJECT: folder } });

  test.each(["ls", "git status", "cat a.txt"])("%s needs nobody", async (command) => {
    expect(decided(await run(folder, command)).decision).toBe("allow");
  });

  test("its folder stays the project when the agent changes folders", async () => {
    expect(decided(await run(join(folder, "sub"), "cat ../a.txt")).decision).toBe("allow");
    const transcript = join(world.home, "session.jsonl");
    writeFileSync(transcript, `{"type":"user","cwd":${JSON.stringify(realpathSync(folder))}}\n`);
    const env = { env: { HAP_HOST_PROJECT: "" } };
    const there = { ...claude.bash(join(folder, "sub"), "cat ../a.txt"), transcript_path: transcript };
    expect(decided(await world.run("claude", there, env)).decision).toBe("allow");
  });
});

describe("[GATE-TIME-1] time", () => {
  test("60 kB of open substitutions are refused at once", async () => {
    const world = new World();
    for (const opening of ["$(", "<("]) {
      const ran = await world.run("claude", claude.bash(world.project, opening.repeat(30_000)));
      expect(ran.code).toBe(2);
      expect(ran.err).toContain("substitutions");
    }
  });

  test("a main thread that does not answer is ended from another one, with a reason", async () => {
    const watchdog = new URL("../src/watchdog.ts", import.meta.url).href;
    const source = `const { startWatchdog } = await import(${JSON.stringify(watchdog)}); await startWatchdog(300); for (;;);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk));
    const signal = await new Promise((resolve) => child.on("close", (_code, how) => resolve(how)));
    expect(signal).toBe("SIGKILL");
    expect(said).toContain("HAP refuses this call");
  });

  test("work that takes too long is stopped, also inside a regular expression, and other errors pass", () => {
    const text = `${"a".repeat(40)}c`;
    expect(() => withinTime(() => /^(a+)+b/.test(text), 200)).toThrow("took longer than 0.2 s. Make the call shorter.");
    expect(() => withinTime(() => JSON.parse("{"))).toThrow(SyntaxError);
    expect(withinTime(() => 7)).toEqual({ result: 7, unusual: false });
  });

  test.each([
    ["a command", "Bash", "command"],
    ["a patch", "apply_patch", "command"],
    ["a file that is read", "Read", "file_path"],
    ["a search", "Grep", "glob"],
    ["a file that is written", "Write", "content"],
    ["an edit", "Edit", "old_string"],
    ["a page", "WebFetch", "url"],
  ])("reading %s is stopped when it takes too long", async (_, name, field) => {
    const input = Object.defineProperty({ file_path: "a", old_string: "b", new_string: "c", note: "*" }, field, {
      enumerable: false,
      get: () => /^(a+)+b/.test(`${"a".repeat(40)}c`),
    });
    const around = { agent: "agent:x", cwd: project, project, home, path: "/usr/bin", gate: [], limitMs: 50 };
    await expect(describeCall({ name, input }, around)).rejects.toThrow("Reading the call took longer");
  });

  test("a patch with a megabyte of blanks is read as fast as any other", async () => {
    const world = new World();
    const blanks = " ".repeat(1_000_000);
    const patch = `*** Begin Patch\n*** Update File: src/a.ts\n+${blanks}x\n*** End Patch`;
    expect((await world.run("codex", codex.patch(world.project, patch))).out).toBe("{}\n");
  });

  test("a main thread that answers is left alone", async () => {
    const watchdog = new URL("../src/watchdog.ts", import.meta.url).href;
    const source = `const { startWatchdog } = await import(${JSON.stringify(watchdog)}); await startWatchdog(3000); console.log("done")`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(0);
  });
});
