// What a sandbox keeps apart, in every kind that works on this machine; bubblewrap is installed first where that is possible.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseSandbox, makeSandbox, sandboxWorks } from "../src/sandbox/choose-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { mapPath } from "../src/sandbox/sandbox.ts";
import { type IPty, spawn } from "../src/terminal/pty.ts";
import { Terminal } from "../src/terminal/terminal.ts";
import { DEFAULT_SIZE } from "../src/terminal/terminal-options.ts";
import { isAlive, processesWith, runAgent, temporaryFolder } from "./support.ts";

if (spawnSync("bwrap", ["--version"]).status !== 0 && process.getuid?.() === 0)
  spawnSync("apt-get", ["install", "--yes", "--quiet", "bubblewrap"], { stdio: "ignore" });

const kinds = (["bwrap", "userns"] as const).filter((kind) => sandboxWorks(kind));

describe.each(kinds)("%s", (kind) => {
  let base: string;
  let sandbox: Sandbox;
  let terminal: Terminal;
  /** Another terminal of the harness: whoever holds its descriptor can type there. */
  let other: IPty;
  const run = async (command: string) => {
    const { output, exitCode } = await terminal.run(command, 45_000);
    return [output, exitCode];
  };

  beforeAll(async () => {
    base = temporaryFolder();
    other = spawn("/bin/cat", [], {});
    for (const name of ["control", "work", "tests"]) mkdirSync(join(base, name));
    sandbox = await makeSandbox(kind, {
      base,
      control: join(base, "control"),
      cwd: join(base, "work"),
      mounts: [
        { host: join(base, "work"), inside: "/app", writable: true },
        { host: join(base, "tests"), inside: "/tests", writable: false },
      ],
      network: false,
      mark: `test-${kind}-${process.pid}`,
      memoryMb: 256,
      processes: 64,
      container: null,
    });
    terminal = await Terminal.start({ launch: sandbox.launch, size: DEFAULT_SIZE, outputLimitBytes: 10_000 });
  });

  afterAll(async () => {
    await terminal.close();
    await sandbox.close();
    other.kill();
  });

  test("[SANDBOX-APART-2] descriptors of the harness are not open inside, nor those of its other terminals", async () => {
    const held = "ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c /dev/ptmx";
    expect(await run(held)).toEqual(["0", 1]);
    const logPath = join(base, "descriptors");
    const test = { command: ["/bin/bash", "-c", held], cwd: "/app", env: {}, logPath, timeoutMs: 45_000 };
    expect(await sandbox.execute(test, terminal.pid)).toEqual({ exitCode: 1 });
    expect(readFileSync(logPath, "utf8")).toBe("0\n");
  });

  test("[SANDBOX-APART-1] only the work folder is writable, and only what is allowed is there", async () => {
    expect(await run("pwd; echo x > file; cat file")).toEqual(["/app\nx", 0]);
    expect(readFileSync(join(base, "work", "file"), "utf8")).toBe("x\n");
    for (const path of ["/usr/x", "/etc/x", "/x", "/tests/x", "/.term/x"]) expect((await run(`touch ${path}`))[1], path).toBe(1);
    expect(await run("ls -A /tmp /run /home/agent | grep -v : | grep .")).toEqual([
      expect.stringMatching(/^(mount)?$/),
      expect.any(Number),
    ]);
    for (const path of ["/root", "/home/*/.ssh", "/etc/shadow", "/etc/ssh", "/var/run/docker.sock", "/sys/kernel", process.cwd()])
      expect((await run(`ls ${path}`))[1], path).toBe(2);
    expect(await run("echo ok > /tmp/x && echo ok > ~/x && cat /tmp/x ~/x")).toEqual(["ok\nok", 0]);
  });

  test("[SANDBOX-APART-1] processes, network, users and privileges are its own, the environment is scrubbed", async () => {
    process.env.TERM_TEST_SECRET = "secret";
    expect(await run("env | grep -c -i -e secret -e ^SSH -e ^AWS")).toEqual(["0", 1]);
    delete process.env.TERM_TEST_SECRET;
    expect(Number((await run("ls -d /proc/[0-9]* | wc -l"))[0])).toBeLessThan(12);
    expect(await run("grep CapEff /proc/self/status")).toEqual(["CapEff:\t0000000000000000", 0]);
    expect((await run("mount -o remount,rw /usr"))[1]).not.toBe(0);
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect((await run(`(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null`))[1]).toBe(1);
    server.close();
    expect(await run("ls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '")).toEqual(["lo", 0]);
  });

  test("[SANDBOX-APART-1] memory and processes are limited, or the result says that they are not", async () => {
    expect(["cgroup", "absent"]).toContain(sandbox.limits);
    if (sandbox.limits === "cgroup") expect((await run("tail /dev/zero"))[1]).toBe(137);
    expect(await run("echo alive")).toEqual(["alive", 0]);
  });

  test("[TERM-TASK-1] tests run in the same world, beside what is still running there", async () => {
    await run("echo 42 > answer; (sleep 50 & echo $! > pid)");
    writeFileSync(
      join(base, "tests", "test.sh"),
      'kill -0 "$(cat pid)" && [ "$(cat answer)" = 42 ] && pwd && echo "$GIVEN" && exit 9\n',
    );
    const logPath = join(base, "log");
    const command = ["/bin/bash", "/tests/test.sh"];
    const ended = await sandbox.execute(
      { command, cwd: "/app", env: { GIVEN: "given" }, logPath, timeoutMs: 45_000 },
      terminal.pid,
    );
    expect([ended.exitCode, readFileSync(logPath, "utf8")]).toEqual([9, "/app\ngiven\n"]);
    const late = { command: ["sleep", "30"], cwd: "/app", env: {}, logPath, timeoutMs: 200 };
    expect(await sandbox.execute(late, terminal.pid)).toEqual({ exitCode: null });
  });
});

describe("the choice", () => {
  test("[SANDBOX-CHOICE-1] the strongest that works, never none by itself; the result says which", async () => {
    expect(kinds.length).toBeGreaterThan(0);
    expect(chooseSandbox("auto")).toBe(kinds[0]);
    expect(chooseSandbox("none")).toBe("none");
    const { result } = await runAgent("true", { agent: { kind: "null" }, sandbox: "auto" });
    expect(result.sandbox).toMatchObject({ kind: kinds[0], network: false });
    if (!sandboxWorks("docker")) expect(() => chooseSandbox("docker")).toThrow(/`docker info` must succeed/);
  });

  test("[SANDBOX-CHOICE-1] paths are mapped by the longest mount", () => {
    const mounts = [
      { host: "/a", inside: "/x", writable: true },
      { host: "/a/b", inside: "/y", writable: true },
    ];
    expect(["/a", "/a/c", "/a/b/c", "/ab"].map((path) => mapPath(mounts, path))).toEqual(["/x", "/x/c", "/y/c", "/ab"]);
  });

  test("[SANDBOX-APART-1] a sandbox dies with the harness, even when that is killed", async () => {
    const folder = temporaryFolder();
    const script = join(folder, "victim.ts");
    const source = new URL("../src/", import.meta.url).pathname;
    writeFileSync(
      script,
      `import { makeSandbox, chooseSandbox } from "${source}sandbox/choose-sandbox.ts";
import { Terminal } from "${source}terminal/terminal.ts";
import { mkdirSync } from "node:fs";
for (const name of ["control", "work"]) mkdirSync("${folder}/" + name);
const spec = { base: "${folder}", control: "${folder}/control", cwd: "${folder}/work", network: false, mark: "victim", memoryMb: null, processes: null, container: null };
const sandbox = await makeSandbox(chooseSandbox("auto"), { ...spec, mounts: [{ host: "${folder}/work", inside: "/app", writable: true }] });
const terminal = await Terminal.start({ launch: sandbox.launch, size: { columns: 80, rows: 24 }, outputLimitBytes: 1000 });
await terminal.run("setsid sleep 321 & touch started; sleep 0.2", 45_000);
process.stdout.write(String(terminal.pid));
process.kill(process.pid, "SIGKILL");
`,
    );
    const killed = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect([killed.signal, existsSync(join(folder, "work", "started"))]).toEqual(["SIGKILL", true]);
    await expect.poll(() => isAlive(Number(killed.stdout)), { timeout: 45_000 }).toBe(false);
    await expect.poll(() => processesWith("HAP_TERM_MARK=victim"), { timeout: 45_000 }).toEqual([]);
  });
});
