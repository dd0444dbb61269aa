// Where `hap login` keeps a token: in a real keyring (gnome-keyring on a session bus of its own), and in a file where that is locked
// or missing.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { type RunningServer, serve } from "../../server/src/index.ts";
import { World } from "./hap.ts";

let world: World;
let server: RunningServer;
const buses: ChildProcess[] = [];

beforeAll(() => {
  needProgram("gnome-keyring-daemon", "gnome-keyring");
  needProgram("secret-tool", "libsecret-tools");
  needProgram("dbus-run-session", "dbus-daemon");
});
beforeEach(async () => {
  world = new World();
  server = await serve({ dbPath: world.dbPath, home: world.folder, port: 0, humanId: "human:alex" });
});
afterEach(() => server.close());
// The keyring ends with its bus, the bus with its input.
afterAll(() => {
  for (const bus of buses) bus.stdin?.end();
});

/** A session bus with a keyring, unlocked or not; returns the environment of its users. */
async function keyring(unlocked: boolean): Promise<Record<string, string>> {
  const runtime = join(world.folder, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const home = { XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: join(world.folder, "share"), DISPLAY: "" };
  const unlock = unlocked ? "printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1;" : "";
  const script = `${unlock} printf '%s\\n' "$DBUS_SESSION_BUS_ADDRESS"; exec cat`;
  const bus = spawn("dbus-run-session", ["--", "sh", "-c", script], {
    env: { ...world.environment(), ...home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  buses.push(bus);
  const address = await new Promise<string>((resolve) =>
    bus.stdout?.once("data", (chunk: Buffer) => resolve(String(chunk).trim())),
  );
  return { ...home, DBUS_SESSION_BUS_ADDRESS: address };
}

async function login(env: Record<string, string>): Promise<string> {
  const { code } = server.engine.issueCode({ purpose: "login", person: "human:alex" });
  const replies = [{ expect: "Code for", send: `${code}\n` }];
  return (await world.atTerminal(["login", server.url], { replies, env, columns: 200 })).screen;
}

const file = () => join(world.folder, ".hap", "login.json");
const kept = () => JSON.parse(readFileSync(file(), "utf8"))[server.url] as { token?: string; person: string } | undefined;
const inKeyring = (env: Record<string, string>) =>
  spawnSync("secret-tool", ["lookup", "service", "hap", "account", server.url], {
    env: { ...world.environment(), ...env },
    encoding: "utf8",
  }).stdout;
const doctor = async (env: Record<string, string>) => (await world.run(["doctor"], { env })).out;

it("[LOGIN-KEYRING-1, LOGIN-FILE-1] the token is in the keyring and in no file; it signs in, and logout takes it out", async () => {
  const bus = await keyring(true);
  const screen = await login(bus);
  expect(screen).toContain(`Signed in at ${server.url} as human:alex.`);
  expect(screen).not.toContain("No keyring");
  expect(kept()).toEqual({ person: "human:alex" });
  const secret = inKeyring(bus);
  expect(server.engine.signedIn(secret)).toMatchObject({ person: "human:alex", kind: "token" });
  const found = spawnSync("grep", ["-rl", secret, world.folder], { encoding: "utf8" }).stdout;
  expect(found).toBe("");
  const env = { ...bus, HAP_URL: server.url };
  expect(await world.ok(["whoami"], { env })).toContain(`human:alex at ${server.url}`);
  expect(await doctor(bus)).toContain("Your sign-in tokens are in the system's keyring.");
  // Without the bus the token is out of reach, and says so.
  expect((await world.run(["whoami"], { env: { HAP_URL: server.url, HAP_DB_PATH: undefined } })).err).toContain("hap login");
  await world.ok(["logout"], { env });
  expect(inKeyring(bus)).toBe("");
  expect(server.engine.signedIn(secret)).toBeNull();
  expect(await doctor(bus)).not.toContain("keyring");
});

it("[LOGIN-KEYRING-1, LOGIN-FILE-1] where the keyring is locked or missing, the token is in a file of mode 0600, with a warning", async () => {
  const locked = await keyring(false);
  for (const env of [locked, {}, { ...locked, HAP_KEYRING: "off" }]) {
    expect(await login(env)).toContain("No keyring of the system is reachable");
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(server.engine.signedIn(kept()?.token ?? "")).toMatchObject({ person: "human:alex" });
    expect(await doctor(env)).toContain("holds your sign-in: every program of your user can read it");
  }
});
