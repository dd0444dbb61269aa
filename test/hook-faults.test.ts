// The fault matrix: whatever breaks, nothing runs without a decision on a host that can fail closed. The host here does what
// Claude Code was measured to do: exit 2 blocks, a decision counts, everything else lets the tool run, unless `onFailure` is
// "block", which closes it for a hook that is missing, killed or too slow, but not for one that says nothing.
import { spawn } from "node:child_process";
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connectAgent } from "@hap/sdk/agent";
import { describe, expect, test } from "vitest";
import { guardedCommand } from "../packages/doors/hook/src/install/guard-command.ts";
import { claudePayloads as claude } from "../packages/doors/hook/test/fixtures/claude-payloads.ts";
import { codexPayloads as codex } from "../packages/doors/hook/test/fixtures/codex-payloads.ts";
import { decided, ended, HOOK, World } from "../packages/doors/hook/test/world.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { needProgram } from "./support/system-package.ts";

type Entry = { command: string; onFailure?: "block"; timeoutMs: number };
type Broken = Partial<Parameters<typeof guardedCommand>[0]>;
type Fault = {
  name: string;
  /** What standard error says: the fault is the one that is meant. */
  says: RegExp;
  break: (world: World, later: (undo: () => void) => void) => Broken | Promise<Broken>;
  during?: (pid: number) => void;
  /** The host has to give up on it. */
  hangs?: true;
};

/** Runs one tool call as a host does: the hook first, then, if it lets it, the tool, which leaves a mark. */
async function hostRuns(
  world: World,
  entry: Entry,
  payload: object,
  during?: (pid: number) => void,
): Promise<{ ran: boolean; err: string }> {
  const mark = join(world.home, "ran");
  rmSync(mark, { force: true });
  const child = spawn("/bin/sh", ["-c", entry.command], { cwd: world.project, stdio: ["pipe", "pipe", "pipe"], detached: true });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  let late = false;
  let timer: NodeJS.Timeout | undefined;
  const losePatience = () => {
    timer = setTimeout(() => {
      late = true;
      process.kill(-(child.pid as number), "SIGKILL");
    }, entry.timeoutMs);
  };
  if (during === undefined) losePatience();
  // Only a hook that has opened its ticket waits; the host's patience is counted from what happens then.
  else
    void world.nextTicket().then(() => {
      during(child.pid as number);
      losePatience();
    });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  const failed = late || code === null || (code !== 0 && code !== 2);
  const runs = failed ? entry.onFailure !== "block" : code === 0 && !/"permissionDecision":"deny"/.test(out);
  if (runs) appendFileSync(mark, "ran\n");
  return { ran: existsSync(mark), err };
}

/** The process that the guard started. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

/** In the hook's place another program. */
function hookThat(runs: string): Fault["break"] {
  return (world) => {
    const hook = join(world.home, "other-hook.cjs");
    writeFileSync(hook, runs);
    return { hook };
  };
}

const faults: Fault[] = [
  { name: "the hook's file is missing", says: /Cannot find module/, break: () => ({ hook: "/nowhere/hap-hook.cjs" }) },
  { name: "Node is missing", says: /nowhere\/node/, break: () => ({ node: "/nowhere/node" }) },
  {
    name: "the hook crashes while it loads",
    says: /broken/,
    break: hookThat("throw new Error('broken')"),
  },
  {
    name: "the hook says nothing and exits 0",
    says: /^hap-hook: no decision, so the call is refused$/m,
    break: hookThat("process.exit(0)"),
  },
  {
    name: "the hook says something else than JSON and exits 0",
    says: /^hap-hook: no decision, so the call is refused$/m,
    break: hookThat("console.log('all fine')"),
  },
  {
    name: "the store is locked by another process",
    says: /store_busy|took longer/,
    break: async (world, later) => {
      await (await world.person()).inbox();
      const database = new DatabaseSync(world.store);
      database.exec("BEGIN IMMEDIATE");
      // Named there, or it would be collected, and the lock with it.
      later(() => database.close());
      return {};
    },
  },
  {
    name: "the store is no database",
    says: /gate failed/,
    break: (world) => {
      writeFileSync(world.store, "not a database, but long enough to be taken for one".repeat(100));
      return {};
    },
  },
  {
    name: "the store's folder cannot be made",
    says: /gate failed/,
    break: () => ({ store: "/dev/null/hap.db" }),
  },
  {
    name: "the hook is killed while it waits",
    says: /^(Killed\n)?hap-hook: no decision/,
    break: () => ({}),
    during: (pid) => process.kill(childOf(pid), "SIGKILL"),
  },
  {
    name: "the hook is asked to end while it waits",
    says: /SIGTERM/,
    break: () => ({}),
    during: (pid) => process.kill(childOf(pid), "SIGTERM"),
  },
  {
    name: "the hook hangs",
    says: /^$/,
    break: () => ({}),
    hangs: true,
    during: (pid) => process.kill(childOf(pid), "SIGSTOP"),
  },
  {
    name: "the guard itself is killed",
    says: /^$/,
    break: () => ({}),
    during: (pid) => process.kill(-pid, "SIGKILL"),
  },
  {
    name: "the policy is broken",
    says: /policy\.json/,
    break: (world) => {
      world.write(".hap/policy.json", "{");
      return {};
    },
  },
  {
    name: "the server does not listen",
    says: /gate failed/,
    break: () => ({ server: { url: "http://127.0.0.1:9", apiKey: "none" } }),
  },
];

describe("0 executions without a decision", () => {
  // Most of their time is waiting.
  test.concurrent.for(faults)("[HOOK-CLOSED-1, HOOK-GUARD-1] $name", async (fault, { onTestFinished }) => {
    const { during, hangs, says } = fault;
    const world = new World();
    const broken = await fault.break(world, onTestFinished);
    const installed = {
      host: "claude" as const,
      node: process.execPath,
      hook: HOOK,
      home: world.home,
      store: world.store,
      to: "human:alex",
      ...broken,
    };
    const command = guardedCommand({ ...installed, waitSeconds: 25 });
    const entry: Entry = { command, onFailure: "block", timeoutMs: hangs ? 1_000 : 40_000 };
    const { ran, err } = await hostRuns(world, entry, claude.bash(world.project, "npm test"), during);
    expect(ran).toBe(false);
    expect(err).toMatch(says);
  });

  test("[HOOK-CLOSED-1] the same host, without a fault, runs what is harmless and what a person approved", async () => {
    const world = new World();
    const command = guardedCommand({
      host: "claude",
      node: process.execPath,
      hook: HOOK,
      home: world.home,
      store: world.store,
      to: "human:alex",
      waitSeconds: 25,
    });
    const entry: Entry = { command, onFailure: "block", timeoutMs: 40_000 };
    expect((await hostRuns(world, entry, claude.bash(world.project, "ls src"))).ran).toBe(true);
    const running = hostRuns(world, entry, claude.bash(world.project, "npm test"));
    const { id } = await world.nextTicket();
    await approveTyped(await world.person(), id);
    expect((await running).ran).toBe(true);
    const refused = hostRuns(world, entry, claude.bash(world.project, "npm publish"));
    const next = await world.nextTicket();
    await (await world.person()).reject(next.id);
    expect((await refused).ran).toBe(false);
  });

  test("[HOOK-CLOSED-1] the disk is full while the ticket is opened", async () => {
    needProgram("strace");
    const world = new World();
    const wrapper = join(world.home, "full.sh");
    writeFileSync(
      wrapper,
      `#!/bin/sh\nexec strace -f -qq --seccomp-bpf -o /dev/null -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=3+ '${process.execPath}' "$@"\n`,
    );
    chmodSync(wrapper, 0o755);
    const command = guardedCommand({
      host: "claude",
      node: wrapper,
      hook: HOOK,
      home: world.home,
      store: world.store,
      to: "human:alex",
      waitSeconds: 25,
    });
    const entry: Entry = { command, onFailure: "block", timeoutMs: 50_000 };
    const { ran, err } = await hostRuns(world, entry, claude.bash(world.project, "npm test"));
    expect(ran).toBe(false);
    expect(err).toContain("store_full");
  });

  test("[HOOK-CLOSED-1, HOOK-CONSUME-1] a yes that was used by somebody else meanwhile is not passed on", async () => {
    const world = new World();
    const child = world.start("claude", claude.bash(world.project, "npm test"));
    const running = ended(child);
    const { id } = await world.nextTicket();
    child.kill("SIGSTOP");
    await approveTyped(await world.person(), id);
    const other = await connectAgent({ agent: "agent:claude-code", dbPath: world.store, home: world.home });
    await other.consume(id, `sha256:${"0".repeat(64)}`);
    await other.close();
    child.kill("SIGCONT");
    expect(decided(await running)).toMatchObject({ decision: "deny", reason: expect.stringContaining("was used by") });
  });
});

describe("what the model is told", () => {
  const world = new World();

  test.each([
    ["no JSON", "{oops", "must hold the host's JSON"],
    ["an array", "[]", "must hold a JSON object"],
    ["no event", "{}", "no hook_event_name"],
    ["no folder", '{"hook_event_name":"PreToolUse"}', "cwd is undefined"],
    ["no tool", '{"hook_event_name":"PreToolUse","cwd":"/"}', "no tool_name"],
    ["no input", '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash"}', "tool_input of Bash"],
    ["no command", '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{}}', "has no command"],
    ["an unknown event", '{"hook_event_name":"PreCompact","cwd":"/"}', "is not made for the event PreCompact"],
    ["nothing", "", "must hold the host's JSON"],
  ])("[HOOK-CLOSED-2] bad input, %s: exit 2 with the reason", async (_, input, reason) => {
    const ran = await world.run("claude", input);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain(reason);
    expect(ran.err).toContain("hap doctor");
  });

  test.each([
    [["--stor", "x"], "--stor is no option"],
    [["--wait", "soon"], "whole number of seconds"],
    [["--store"], "--store needs a value"],
  ])("[HOOK-CLOSED-2] wrong options %j: exit 2", async (argv, reason) => {
    const ran = await world.run("claude", claude.bash(world.project, "ls"), { argv });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(reason);
  });

  test("[HOOK-CLOSED-2] on PermissionRequest, where exit 2 means nothing, a failure is a no in JSON", async () => {
    const argv = ["--store", "/dev/null/hap.db"];
    for (const [host, payload] of [
      ["claude", claude.permission(world.project, "npm test")],
      ["codex", codex.permission(world.project, "npm test")],
    ] as const) {
      const ran = await world.run(host, payload, { argv });
      expect(ran.code).toBe(0);
      expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining("the gate failed") });
    }
  });

  test("[HOOK-CLOSED-2] a host that never sends its input is answered", async () => {
    const child = world.start("claude", null);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    child.stdin?.end();
    expect(code).toBe(2);
  });

  test("[HOOK-STORE-1] --store wins over HAP_DB_PATH, which counts without it", async () => {
    const elsewhere = join(world.home, "elsewhere.db");
    const argv = ["--wait", "1", "--to", "human:alex"];
    await world.run("claude", claude.bash(world.project, "npm test"), {
      argv: [...argv, "--store", world.store],
      env: { HAP_DB_PATH: elsewhere },
    });
    expect([existsSync(world.store), existsSync(elsewhere)]).toEqual([true, false]);
    await world.run("claude", claude.bash(world.project, "npm test"), { argv, env: { HAP_DB_PATH: elsewhere } });
    expect(existsSync(elsewhere)).toBe(true);
  });

  test("[HOOK-NODE-1] an old Node says so and exits 2", async () => {
    const folder = join(world.home, "old", "bin");
    mkdirSync(folder, { recursive: true });
    copyFileSync(HOOK, join(folder, "hap-hook.cjs"));
    const pretend = join(world.home, "pretend.cjs");
    writeFileSync(pretend, "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });");
    const child = spawn(process.execPath, ["--require", pretend, join(folder, "hap-hook.cjs"), "claude"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
    expect(err).toContain("Node 24 or newer is needed");
  });
});
