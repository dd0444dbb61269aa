// What the app knows without a window, in Rust: its own tests and lints with the shared vectors, and that it reads a store as
// the engine does. Without a Rust, and where none can be installed, one line says so.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStore, testWorld } from "../../../packages/core/test/test-world.ts";
import { appFolder, targetFolder } from "../scripts/build.ts";
import { Missing, needRust, withRust } from "../scripts/needs.ts";

const person = "human:alex";
/** A first build compiles SQLite. */
const BUILD_MS = 900_000;

function findRust(): boolean {
  try {
    needRust();
    return true;
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    console.log(`The Rust tests of the desktop app did not run. ${error.message}`);
    return false;
  }
}

function cargo(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync("cargo", args, { cwd: appFolder, encoding: "utf8", env: withRust() });
  if (status !== 0) throw new Error(`cargo ${args.join(" ")}: ${error?.message ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}

/** What the app reads, in its own words. */
function read(...words: string[]): string {
  const program = join(targetFolder(), "debug/examples", process.platform === "win32" ? "read.exe" : "read");
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout.trim();
}

describe("the app's configuration", () => {
  const config = JSON.parse(readFileSync(join(appFolder, "src-tauri/tauri.conf.json"), "utf8"));
  const capability = JSON.parse(readFileSync(join(appFolder, "src-tauri/capabilities/main.json"), "utf8"));
  const manifest = readFileSync(join(appFolder, "src-tauri/Cargo.toml"), "utf8");

  it("[DESK-NARROW-1] gives the page the app's own commands and nothing of Tauri's, and a server's page no command at all", () => {
    const commands = /COMMANDS: &\[&str\] = &\[([^\]]*)\]/.exec(readFileSync(join(appFolder, "src-tauri/build.rs"), "utf8"));
    const named = [...(commands?.[1] ?? "").matchAll(/"([a-z_]+)"/g)].map(([, name]) => `allow-${name?.replaceAll("_", "-")}`);
    expect(capability.permissions).toEqual(named);
    expect(capability.windows).toEqual(["main"]);
    expect(capability.remote).toBeUndefined();
    expect(config.app.security.capabilities).toEqual(["main"]);
    expect(config.app.withGlobalTauri).toBe(false);
    expect(manifest).not.toMatch(/tauri-plugin-(shell|fs|http|process|opener)/);
  });

  it("[DESK-CSP-1] lets the page load its own files and reach the app, and nothing else", () => {
    const { csp, dangerousDisableAssetCspModification } = config.app.security;
    expect(csp["default-src"]).toBe("'none'");
    expect(csp["connect-src"]).toBe("ipc: http://ipc.localhost");
    expect(Object.values(csp).join(" ")).not.toMatch(/unsafe|\*|https:/);
    expect(dangerousDisableAssetCspModification).toBeUndefined();
  });

  it("[DESK-UPDATE-1] has the updater built in, and off", () => {
    expect(manifest).toContain("tauri-plugin-updater");
    expect(config.plugins.updater).toEqual({ pubkey: "", endpoints: [] });
    expect(config.bundle.createUpdaterArtifacts).toBe(false);
  });

  it("is packaged for Linux, macOS and Windows", () => {
    expect(config.bundle.targets).toEqual(["deb", "rpm", "appimage", "dmg", "msi"]);
  });
});

if (findRust())
  describe("the app's logic in Rust", () => {
    const store = testStore();
    const world = testWorld();

    beforeAll(() => void cargo("test", "--locked", "--package", "hap-desktop-logic", "--no-run"), BUILD_MS);
    afterAll(() => store.remove());

    it(
      "[DESK-CHAIN-1] passes its tests, with the shared vectors of canonical JSON and the chain",
      () => {
        const said = cargo("test", "--locked", "--package", "hap-desktop-logic");
        expect(said).toContain("test event_chain_vectors ... ok");
        expect(said).toContain("test canonical_json_vectors ... ok");
      },
      BUILD_MS,
    );

    it(
      "passes clippy without a warning",
      () => void cargo("clippy", "--locked", "--package", "hap-desktop-logic", "--all-targets", "--", "-D", "warnings"),
      BUILD_MS,
    );

    it("[DESK-READ-1] shows tickets as the engine does, field by field", () => {
      const engine = store.open({ world, humanId: person });
      const diff = "--- a/R.md\n+++ b/R.md\n@@ -1,1 +1,1 @@\n-Teh\n+The\n";
      const open = (more: Record<string, unknown>) =>
        engine.createTicket({ to: person, from: "agent:helper", kind: "modify_file", summary: "Fix it", details: {}, ...more });
      open({ details: { file: "R.md", diff }, project: "/src/app", session: "s1", confidence: 0.123 });
      open({ priority: "high", kind: "run_command", details: { command: "ls" }, summary: 'naïve 😀 – "quoted"' });
      open({
        kind: "question",
        ask: {
          type: "choice",
          prompt: "Which?",
          options: [
            { id: "a", label: "A" },
            { id: "b", label: "B" },
          ],
        },
      });
      const acked = open({ priority: "critical", lease: { ttl_seconds: 600, on_timeout: "auto_reject" } });
      engine.deliver(acked.id);
      world.advance(1_234);
      engine.ack(acked.id, undefined, { lapseSeconds: 60 });
      engine.deliver(open({ priority: "low", escalate: { to: ["human:sam"], max_depth: 2 } }).id);
      const decided = open({ summary: "Decided" });
      engine.deliver(decided.id);
      engine.reject(decided.id, "Not today");
      const snoozed = open({ summary: "Later" });
      engine.deliver(snoozed.id);
      engine.snooze(snoozed.id, 600);
      open({ to: "human:sam", summary: "For another person" });
      world.advance(777);

      const now = String(world.now());
      const inbox = engine.inbox(person, { limit: 60 });
      expect(inbox.tickets).toHaveLength(5);
      expect(JSON.parse(read("inbox", store.path, person, now))).toEqual(JSON.parse(JSON.stringify(inbox)));
      for (const { id } of [decided, snoozed])
        expect(JSON.parse(read("ticket", store.path, id, now))).toEqual(JSON.parse(JSON.stringify(engine.getTicket(id))));
      const { seq, hash, cursor } = engine.head();
      expect(JSON.parse(read("log", store.path))).toMatchObject({ seq, hash, cursor, violation: null });
      expect(JSON.parse(read("chain", store.path))).toEqual({ status: "verified", events: seq, head: hash });
    });

    it("[DESK-CHAIN-2] names the event that was changed, and reads what is left", () => {
      const path = join(store.folder, "tampered.db");
      new DatabaseSync(store.path).exec(`VACUUM INTO '${path}'`);
      const database = new DatabaseSync(path);
      // Whoever changes a log takes away first what keeps it from being changed.
      for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type='trigger'").all())
        database.exec(`DROP TRIGGER "${String(name)}"`);
      database.exec("UPDATE events SET payload=replace(payload, '\"confidence\":0.123', '\"confidence\":0.124') WHERE seq>1");
      database.close();
      const { status, violation } = JSON.parse(read("chain", path));
      expect(status).toBe("broken");
      expect(violation.message).toMatch(/^Integrity violation at event \d+ \(evt_\w+\): hash mismatch\.$/);
    });

    it("[DESK-STORE-1] says in words what is wrong with a store: missing, newer, another program's, damaged, locked", () => {
      const at = (name: string) => join(store.folder, name);
      const made = (name: string, sql: string) => {
        const database = new DatabaseSync(at(name));
        database.exec(sql);
        database.close();
        return at(name);
      };
      expect(read("log", at("missing.db"))).toBe("no store");
      writeFileSync(at("empty.db"), "");
      expect(read("log", at("empty.db"))).toBe("no store");
      const newer = made("newer.db", "PRAGMA application_id=0x48415000; CREATE TABLE x(y); PRAGMA user_version=999");
      expect(read("log", newer)).toMatch(
        /^store_newer: .* was written by a newer HAP \(schema 999; this one knows \d+\)\. Update the app/,
      );
      expect(read("log", made("other.db", "CREATE TABLE x(y)"))).toMatch(/^store_corrupt: .* a database of another program/);
      writeFileSync(at("damaged.db"), "this is not a database, and long enough to look like one".repeat(40));
      expect(read("log", at("damaged.db"))).toMatch(/^store_corrupt: .* is damaged or is not a database/);
      mkdirSync(at("folder.db"));
      expect(read("log", at("folder.db"))).toMatch(/^store_unusable: .* cannot be (opened|read)/);
      // A copy without a write-ahead log, in which a writer keeps readers out.
      new DatabaseSync(store.path).exec(`VACUUM INTO '${at("locked.db")}'`);
      const locked = new DatabaseSync(at("locked.db"));
      locked.exec("BEGIN EXCLUSIVE");
      expect(read("log", at("locked.db"))).toMatch(/^store_busy: .* is locked by another process/);
      locked.exec("ROLLBACK");
      expect(JSON.parse(read("log", at("locked.db"))).seq).toBeGreaterThan(5);
      locked.close();
      expect(JSON.parse(read("log", store.path)).seq).toBeGreaterThan(5);
    });

    it("[DESK-READ-2] leaves the store as it is: no byte of it is written", () => {
      const path = join(store.folder, "untouched.db");
      new DatabaseSync(store.path).exec(`VACUUM INTO '${path}'`);
      const before = readFileSync(path);
      read("inbox", path, person, String(world.now()));
      read("chain", path);
      expect(readFileSync(path).equals(before)).toBe(true);
    });
  });
