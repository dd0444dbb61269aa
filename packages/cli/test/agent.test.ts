// hap claude and hap codex around programs of the test's own: arguments, exit codes, signals, the terminal, and what stays behind.
// The real agents are in test/hap-claude.test.ts and test/hap-codex.test.ts.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { bare, ended, HAP, World } from "./hap.ts";

/** A world with a program called claude or codex on its PATH. */
function withProgram(name: "claude" | "codex", script: string): World {
  const world = new World();
  const folder = join(world.folder, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return world;
}

const pathOf = (world: World) => ({ PATH: `${join(world.folder, "bin")}:${process.env.PATH}` });
const left = (world: World) => readdirSync(world.folder).filter((name) => /^hap\.db\.(?:agents|server)/.test(name));
const note = (world: World) => JSON.parse(readFileSync(`${world.dbPath}.server.json`, "utf8")) as { url: string; pid: number };
const untilGone = (world: World) => vi.waitFor(() => expect(left(world)).toEqual([]), { timeout: 60_000, interval: 50 });
const untilThere = (path: string) => vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: 60_000, interval: 20 });

describe("[AGENT-RUN-4] the agent is the process", () => {
  test("arguments arrive word for word, the exit code is the agent's, and what it starts acts as an agent", async () => {
    const world = withProgram("claude", `printf '%s\\n' "$HAP_AGENT_ID" "$@"; exit 7`);
    const given = ["--json", "-p", "two words", "--version", "", "--", "--bare"];
    const ran = await world.run(["claude", ...given], { env: pathOf(world) });
    expect(ran).toMatchObject({ code: 7, err: "" });
    const lines = ran.out.split("\n");
    expect(lines[0]).toBe("agent:claude-code");
    expect(lines.slice(1, 4)).toEqual(["--mcp-config", expect.stringContaining('"mcpServers"'), "--settings"]);
    expect(lines.slice(5, -1)).toEqual(given);
    await untilGone(world);
  });

  test("signals are the agent's, and so is standard input", async () => {
    const world = withProgram("claude", `read line; echo "read $line"; kill -USR1 $$`);
    const ran = await world.run(["claude"], { env: pathOf(world), input: "a line\n" });
    expect(ran).toMatchObject({ code: null, signal: "SIGUSR1", out: "read a line\n" });
  });

  test("the terminal is the agent's own, and says first where tickets are decided", async () => {
    const world = withProgram("claude", `test -t 0 && test -t 1 && echo "tty $(stty size)"`);
    const { screen, code } = await world.atTerminal(["claude"], { env: pathOf(world), columns: 90, rows: 20 });
    expect(code).toBe(0);
    expect(bare(screen)).toMatch(/HAP asks you at http:\/\/\S+ .*hap tui/);
    expect(bare(screen)).toContain("tty 20 90");
  });
});

describe("[AGENT-RUN-2] the background inbox", () => {
  test("is shared by agents, outlives the first, and ends with the last", async () => {
    const world = withProgram("claude", `touch "$FILE"; while test -e "$FILE"; do sleep 0.05; done`);
    const stop = [join(world.folder, "one"), join(world.folder, "two")];
    const runs: Promise<unknown>[] = [];
    for (const file of stop) {
      runs.push(world.run(["claude"], { env: { ...pathOf(world), FILE: file } }));
      await untilThere(file);
    }
    const { url, pid } = note(world);
    expect((await world.ok(["health", url])).trim()).toContain("is ready");
    expect(readdirSync(`${world.dbPath}.agents`)).toHaveLength(2);
    rmSync(stop[0] as string);
    await runs[0];
    await vi.waitFor(() => expect(readdirSync(`${world.dbPath}.agents`)).toHaveLength(1), { timeout: 60_000 });
    expect(note(world).pid).toBe(pid);
    rmSync(stop[1] as string);
    await runs[1];
    await untilGone(world);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000 });
  });

  test("ends when the agent is killed with SIGKILL", async () => {
    const world = withProgram("claude", `touch "$FILE"; exec sleep 600`);
    const file = join(world.folder, "started");
    const child = world.start(["claude"], { env: { ...pathOf(world), FILE: file } });
    await untilThere(file);
    const { pid } = note(world);
    child.kill("SIGKILL");
    expect(await ended(child)).toMatchObject({ signal: "SIGKILL" });
    await untilGone(world);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000 });
  });

  test("that was killed itself leaves two notes, which the next start clears", async () => {
    const world = withProgram("claude", `touch "$FILE"; exec sleep 600`);
    const file = join(world.folder, "started");
    const child = world.start(["claude"], { env: { ...pathOf(world), FILE: file } });
    await untilThere(file);
    process.kill(note(world).pid, "SIGKILL");
    child.kill("SIGKILL");
    await ended(child);
    expect(left(world)).toEqual(["hap.db.agents", "hap.db.server.json"]);
    writeFileSync(join(world.folder, "bin", "claude"), "#!/bin/sh\nexit 0\n");
    await world.ok(["claude"], { env: pathOf(world) });
    await untilGone(world);
  });
});

describe("[AGENT-RUN-5] what would pass by the gate is refused", () => {
  const world = withProgram("claude", "echo started");
  writeFileSync(join(world.folder, "bin", "codex"), "#!/bin/sh\necho started\n");
  chmodSync(join(world.folder, "bin", "codex"), 0o755);
  const hooks = JSON.stringify({ hooks: {} });
  test.each([
    [["claude", "--bare"], {}, "--bare runs no hooks"],
    [["claude", "--safe-mode", "-p", "x"], {}, "--safe-mode runs no hooks"],
    [["claude", "--cloud=do it"], {}, "--cloud runs elsewhere"],
    [["claude", "--settings", hooks], {}, "must not hold hooks"],
    [["claude", "--settings=/nowhere.json"], {}, "no such file"],
    [["claude"], { CLAUDE_CODE_SIMPLE: "1" }, "CLAUDE_CODE_SIMPLE is set"],
    [["claude"], { HAP_URL: "https://hap.example" }, "hap init claude"],
    [["claude"], { HAP_AGENT_ID: "agent:x" }, "agents do not start agents"],
    [["codex", "-c", "features.hooks=false"], {}, "changes Codex's hooks"],
    [["codex", "exec", "--config=hooks.state={}"], {}, "changes Codex's hooks"],
    [["codex", "--disable", "hooks"], {}, "changes Codex's hooks"],
    [["codex", "-cfeatures={hooks=false}"], {}, "changes Codex's hooks"],
    [["codex", "cloud"], {}, "runs elsewhere"],
    [["codex"], {}, "did not say which hooks it would run"],
    [["claude"], { PATH: "/nowhere" }, "no program claude on your PATH"],
  ] as const)("%j %j", async (args, env, words) => {
    const ran = await world.run(args, { env: { ...pathOf(world), ...env } });
    expect(ran.out).toBe("");
    expect(ran.code).not.toBe(0);
    expect(ran.err).toContain(words);
    expect(left(world)).toEqual([]);
  });

  test("settings of the person's own are merged with the gate's", async () => {
    const place = withProgram("claude", `printf '%s\\n' "$@"`);
    const out = await place.ok(["claude", "--settings", '{"model":"opus"}', "-p", "x"], { env: pathOf(place) });
    const settings = JSON.parse(out.split("\n")[3] as string);
    expect(settings).toMatchObject({ model: "opus", disableAllHooks: false });
    expect(settings.hooks.PreToolUse[0].hooks[0]).toMatchObject({
      onFailure: "block",
      command: expect.stringContaining("hap-hook"),
    });
    expect(out.split("\n").slice(4, -1)).toEqual(["-p", "x"]);
  });
});

test("[AGENT-RUN-4] hap claude --help is HAP's, and hap claude -- --help the agent's", async () => {
  const world = withProgram("claude", `printf '%s\\n' "$@" | tail -n 1`);
  expect(await world.ok(["claude", "--help"])).toContain("Run Claude Code behind the gate");
  const child = spawn(process.execPath, [HAP, "claude", "--", "--help"], {
    env: world.environment(pathOf(world)),
    stdio: ["pipe", "pipe", "pipe"],
  });
  expect((await ended(child)).out).toBe("--help\n");
  await untilGone(world);
});
