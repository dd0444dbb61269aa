// What differs between systems, with an injected one: signals, the watch on a file, permissions, syncing, and which sandbox is chosen.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, type FSWatcher, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { become } from "../packages/cli/src/agent/become.ts";
import { tokenChecks } from "../packages/cli/src/doctor/token-check.ts";
import { openDatabase } from "../packages/core/src/store/sqlite/open.ts";
import { FileBell } from "../packages/core/src/waiting/wake.ts";
import { tryConfinement } from "../packages/sandbox/src/confined/availability.ts";
import { bubblewrapWorks, landlockWorks } from "../packages/sandbox/src/index.ts";
import { signalGroup } from "../packages/yume/src/tools/bash/process-group.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

afterEach(() => void vi.useRealTimers());

test("a signal goes to a group, and on Windows, which has none, to its first process [INSTALL-PLATFORM-1]", async () => {
  const sent: unknown[] = [];
  const note = (pid: number, signal: string) => sent.push([pid, signal]);
  signalGroup(41, "SIGTERM", "darwin", note);
  signalGroup(42, "SIGTERM", "linux", note);
  signalGroup(43, "SIGKILL", "win32", note);
  expect(sent).toEqual([
    [-41, "SIGTERM"],
    [-42, "SIGTERM"],
    [43, "SIGKILL"],
  ]);
  // The way of Windows is the real one here, too: the process ends by the signal.
  const child: ChildProcess = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const ended = once(child, "exit");
  signalGroup(child.pid as number, "SIGTERM", "win32");
  expect(await ended).toEqual([null, "SIGTERM"]);
  // A group that is gone is no error.
  signalGroup(child.pid as number, "SIGTERM", "win32");
});

test("where a process cannot be replaced, its exit code comes from the program that it starts [INSTALL-PLATFORM-1]", async () => {
  expect(await become(process.execPath, ["-e", "process.exit(7)"], process.env, "win32")).toBe(7);
});

test("a waiter hears of a commit by its own look where files cannot be watched [INSTALL-PLATFORM-1]", () => {
  vi.useFakeTimers();
  const store = join(temporaryFolder(), "hap.db");
  const unsupported = () => {
    throw Object.assign(new Error("watch is not supported"), { code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM" });
  };
  const bell = new FileBell(store, unsupported);
  const heard = vi.fn();
  const stop = bell.listen(heard);
  expect(heard).not.toHaveBeenCalled();
  vi.advanceTimersToNextTimer();
  expect(heard).toHaveBeenCalledOnce();
  stop();
  bell.close();
});

test("a waiter goes on by its own look when the watch fails later, as on a full system [INSTALL-PLATFORM-1]", () => {
  vi.useFakeTimers();
  let fail: (error: Error) => void = () => {};
  const close = vi.fn();
  const failing = { on: (_: string, listener: typeof fail) => (fail = listener), close, ref() {}, unref() {} };
  const bell = new FileBell(join(temporaryFolder(), "hap.db"), () => failing as unknown as FSWatcher);
  const heard = vi.fn();
  bell.listen(heard);
  fail(new Error("EMFILE"));
  expect(close).toHaveBeenCalledOnce();
  vi.advanceTimersToNextTimer();
  expect(heard).toHaveBeenCalledOnce();
  bell.close();
});

test("permissions of a token's file count where the system has them [INSTALL-PLATFORM-1]", () => {
  const folder = temporaryFolder();
  const file = join(folder, "login.json");
  writeFileSync(file, '{"https://hap.example.org":{"person":"human:alex","token":"t"}}');
  chmodSync(file, 0o644);
  const levels = (platform: NodeJS.Platform) => tokenChecks({ HAP_LOGIN_FILE: file }, platform).map(({ status }) => status);
  expect(levels("darwin")).toEqual(["fail"]);
  expect(levels("win32")).toEqual(["warn"]);
});

test.each([
  ["darwin", 1],
  ["linux", 0],
] as const)(
  "a commit on %s is synced through the disk's own cache where that takes a setting [INSTALL-PLATFORM-1]",
  (platform, set) => {
    const database = openDatabase({ path: join(temporaryFolder(), "hap.db"), busyMs: 1_000, platform });
    expect(database.prepare("PRAGMA fullfsync").get()).toEqual({ fullfsync: set });
    expect(database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
    database.close();
  },
);

test("only Linux is tried for namespaces, macOS has its own sandbox, and elsewhere commands ask [INSTALL-PLATFORM-1]", () => {
  for (const platform of ["darwin", "win32"] as const)
    expect([bubblewrapWorks(platform), landlockWorks(platform)]).toEqual([false, false]);
  expect(tryConfinement(undefined, { platform: "win32" })).toMatchObject({
    kind: null,
    why: expect.stringContaining("neither Linux nor macOS"),
  });
  // Nothing has shown it to hold on this Mac.
  const mac = tryConfinement(undefined, { platform: "darwin", home: temporaryFolder() });
  expect(mac).toMatchObject({ kind: null, fix: expect.stringContaining("hap") });
});
