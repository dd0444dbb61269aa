// The real window under Xvfb, driven by WebKitWebDriver: what a person sees and does, and what reaches waiting agents.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { serve } from "@hap/server";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { appFolder, buildProgram } from "../../scripts/build.ts";
import { withRust } from "../../scripts/needs.ts";
import { type Session, startSession } from "./desktop-session.ts";
import { Tray } from "./tray.ts";
import { Driven, until } from "./web-driver.ts";

const root = join(appFolder, "../..");
const person = "human:alex";
const pictures = process.env.HAP_PICTURES;
let program: string;

beforeAll(async () => {
  program = await buildProgram(["automation"]);
  // The page that the server serves, as its sources are now.
  await build({ configFile: join(root, "packages/web/vite.config.ts") });
});

const open: { session?: Session; app?: Driven; engine?: HapEngine } = {};
afterEach(async ({ task }) => {
  if (task.result?.state === "fail" && open.app !== undefined) console.log(open.app.said);
});

async function openWorld(theme: "light" | "dark" = "light") {
  const session = await startSession(theme);
  const store = join(session.home, "hap.db");
  const env = { ...session.env, HAP_DB_PATH: store, HAP_HUMAN_ID: person };
  const engine = new HapEngine({ dbPath: store, home: session.home, humanId: person });
  Object.assign(open, { session, engine });
  return { session, store, env, engine };
}

async function closeWorld() {
  await open.app?.stop();
  open.engine?.dispose();
  open.session?.stop();
  for (const name of ["app", "engine", "session"] as const) delete open[name];
}

const diff =
  "--- a/src/auth.ts\n+++ b/src/auth.ts\n@@ -1,2 +1,2 @@\n export function sign(key: string) {\n-  return md5(key);\n+  return sha256(key);\n";

function ask(engine: HapEngine, summary: string, more: Record<string, unknown> = {}) {
  return engine.createTicket({
    to: person,
    from: "agent:code_assist",
    kind: "modify_file",
    summary,
    project: "/src/app",
    confidence: 0.95,
    details: { file: "src/auth.ts", diff },
    ...more,
  });
}

/** An agent's process that waits for a ticket; resolves with the state that it heard. */
function waitingAgent(store: string, id: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, "test/fixtures/waiter.ts"), store, "ticket", id], {
    stdio: ["ignore", "pipe", 2],
  });
  let said = "";
  child.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => child.once("close", () => resolve(said.trim().split("\n").at(-1) ?? "")));
}

/** The app's engine: the process whose parent is the app. */
function enginePids(store: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes("--app-socket") && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HAP_DB_PATH=${store}\0`);
      } catch {
        return false;
      }
    });
}

async function picture(app: Driven, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await app.screenshot(join(pictures, `${name}.png`));
}

describe("the app's Rust", () => {
  it("passes its tests and clippy without a warning", { timeout: 3_600_000 }, () => {
    for (const args of [
      ["test", "--release", "--locked", "--workspace", "--features", "hap-desktop/automation"],
      ["clippy", "--release", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"],
      ["fmt", "--check"],
    ]) {
      const { status, stdout, stderr } = spawnSync("cargo", args, { cwd: appFolder, encoding: "utf8", env: withRust() });
      expect(status, `cargo ${args[0]}\n${stdout}\n${stderr}`).toBe(0);
    }
  });

  it("refuses to be driven as it is shipped, and an address or a person that is none", () => {
    const shipped = readFileSync(join(appFolder, "src-tauri/src/main.rs"), "utf8");
    expect(shipped).toContain('!cfg!(feature = "automation") && std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some()');
    for (const [name, value] of [
      ["HAP_URL", "http://example.org"],
      ["HAP_URL", "file:///etc/passwd"],
      ["HAP_HUMAN_ID", "agent:me"],
    ] as const) {
      const { status, stderr } = spawnSync(program, [], { env: { ...process.env, [name]: value }, encoding: "utf8" });
      expect(status).toBe(2);
      expect(stderr).toContain(`hap-desktop: ${name} is ${value}`);
    }
  });
});

describe("the window on the local store", () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let app: Driven;
  let tray: Tray;

  beforeAll(async () => {
    world = await openWorld();
    tray = await Tray.start(world.env);
    ask(world.engine, "Deploy to staging", { priority: "high", kind: "run_command", details: { command: "make deploy" } });
    ask(world.engine, "Refactor auth middleware");
    ask(world.engine, "Fix typo in README", { priority: "low" });
    app = await Driven.start(program, [], world.env);
    open.app = app;
  });
  afterAll(async () => {
    await closeWorld();
    tray.stop();
  });

  /** Take the window out of sight: notifications are for people who look elsewhere. */
  async function lookAway() {
    const desk = (...words: string[]) => spawnSync("xdotool", words, { env: world.env, encoding: "utf8" });
    const [window = ""] = desk("search", "--onlyvisible", "--name", "^HAP|HAP$").stdout.split("\n");
    desk("windowminimize", window);
    await until(() => desk("getactivewindow").stdout.trim() !== window, "the window is not in front");
    return desk;
  }

  const shownPath = () => app.run<string>("return location.pathname");

  it("[DESK-LIST-1] shows the waiting tickets by priority, and that the log verifies", async () => {
    await app.see(".row-link", "Deploy to staging");
    const rows = await app.texts(".row-link");
    expect(rows.map((text) => /Deploy|Refactor|Fix typo/.exec(text)?.[0])).toEqual(["Deploy", "Refactor", "Fix typo"]);
    await until(() => app.run("return document.querySelector('[data-chain=verified]') !== null"), "the chain is verified");
    await until(
      () => world.engine.inbox(person).tickets.every(({ state }) => state !== "PENDING"),
      "what is shown was delivered",
    );
    await picture(app, "inbox-light");
  });

  it("[DESK-LIVE-1] shows a ticket that arrives, with its diff, and a yes by key reaches the agent that waits", async () => {
    const { id } = ask(world.engine, "Use a better hash");
    const heard = waitingAgent(world.store, id);
    await app.see(".row-link", "Use a better hash");
    await app.click(".row-link", "Use a better hash");
    await app.see(".detail-body", "sha256(key)");
    await picture(app, "ticket-light");
    await app.run("const box = document.querySelector('.detail-scroll'); box.scrollTop = box.scrollHeight;");
    await until(async () => {
      await app.press("a");
      await new Promise((resolve) => setTimeout(resolve, 500));
      return world.engine.getTicket(id).state === "APPROVED";
    }, "the ticket is approved");
    expect(await heard).toBe("APPROVED");
    expect(world.engine.getTicket(id).resolution).toMatchObject({ assurance: "local", actor: { id: person } });
  });

  it("[DESK-REJECT-1] rejects with words by keys, and the agent gets them", async () => {
    const { id } = ask(world.engine, "Drop the sessions table");
    const heard = waitingAgent(world.store, id);
    await app.see(".row-link", "Drop the sessions table");
    await app.click(".row-link", "Drop the sessions table");
    await app.see(".detail-body", "sha256(key)");
    await app.press("r");
    await until(
      () => app.run("return document.querySelector('dialog textarea, dialog input[type=text]') !== null"),
      "the dialog",
    );
    await app.run("document.querySelector('dialog textarea, dialog input[type=text]').focus()");
    await app.press("Keep it for the audit");
    await app.click("dialog button.bad, dialog button.danger, dialog .dialog-actions button:last-child");
    expect(await heard).toBe("REJECTED");
    expect(world.engine.getTicket(id).resolution?.comment).toBe("Keep it for the audit");
  });

  it("[DESK-ONE-1] comes to the front at a second start, and a link opens its ticket", async () => {
    const { id } = ask(world.engine, "Opened by a link");
    const again = (...args: string[]) => spawnSync(program, args, { env: world.env, encoding: "utf8", timeout: 60_000 });
    expect(again().status).toBe(0);
    expect(again(`hap://ticket/${id}`).status).toBe(0);
    await until(
      () => app.run<boolean>("return location.pathname === arguments[0]", `/tickets/${id}`),
      "the link's ticket is shown",
    );
    await app.see(".detail-body", "sha256(key)");
    expect(again("hap://ticket/../settings").status).toBe(0);
    expect(await app.run("return location.pathname")).toBe(`/tickets/${id}`);
  });

  it("[DESK-ENGINE-1] goes on when its engine is killed: another one comes, and decisions reach it", async () => {
    const [before] = await until(() => (enginePids(world.store).length > 0 ? enginePids(world.store) : null), "an engine");
    process.kill(before as number, "SIGKILL");
    const { id } = ask(world.engine, "After the crash");
    const heard = waitingAgent(world.store, id);
    await until(() => enginePids(world.store).some((pid) => pid !== before), "another engine");
    await app.see(".row-link", "After the crash");
    await app.click(".row-link", "After the crash");
    await app.see(".detail-body", "sha256(key)");
    await app.run("const box = document.querySelector('.detail-scroll'); box.scrollTop = box.scrollHeight;");
    await until(async () => {
      await app.press("a");
      await new Promise((resolve) => setTimeout(resolve, 500));
      return world.engine.getTicket(id).state === "APPROVED";
    }, "the ticket is approved by the new engine");
    expect(await heard).toBe("APPROVED");
  });

  it("[DESK-NOTIFY-1, DESK-NOTIFY-2] notifies of a ticket of high priority while the person looks elsewhere; a click opens it", async () => {
    const desk = await lookAway();
    const { id } = ask(world.engine, "A secret plan", {
      priority: "high",
      kind: "run_command",
      details: { command: "make deploy" },
    });
    await until(() => world.session.notifications().includes("code_assist asks"), "a notification");
    expect(world.session.notifications()).toContain("Run command (high priority)");
    expect(world.session.notifications()).not.toContain("A secret plan");
    // A real click on the desktop's own notification window.
    await until(async () => {
      const [shown = ""] = desk("search", "--onlyvisible", "--class", "notification-daemon").stdout.split("\n");
      if (shown === "") return false;
      desk("mousemove", "--window", shown, "60", "20", "click", "1");
      return (await shownPath()) === `/tickets/${id}`;
    }, "a click on the notification opens its ticket");
  });

  it("[DESK-TRAY-1] has an icon in the tray with the number of waiting tickets and a menu that acts", async () => {
    const waiting = () => world.engine.inbox(person, { limit: 100 }).tickets.length;
    await until(() => tray.label() === String(waiting()), "the tray's number");
    ask(world.engine, "One more");
    await until(() => tray.label() === String(waiting()), "the tray's number follows");
    expect(tray.menu().map(({ label }) => label)).toEqual([
      "Next ticket",
      "Open HAP",
      "Pause notifications",
      "Start at login",
      "Quit",
    ]);

    await app.run("history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))");
    tray.choose("Next ticket");
    await until(async () => (await shownPath()).startsWith("/tickets/"), "the next ticket is shown");

    const settings = join(world.session.home, "config/dev.hap.desktop/settings.json");
    tray.choose("Pause notifications");
    await until(() => JSON.parse(readFileSync(settings, "utf8")).paused === true, "notifications are paused");
    await until(() => tray.entry("Pause notifications").checked, "the menu shows it");
    tray.choose("Pause notifications");
    await until(() => JSON.parse(readFileSync(settings, "utf8")).paused === false, "notifications go on");

    const autostart = join(world.session.home, ".config/autostart");
    tray.choose("Start at login");
    await until(() => readdirSync(autostart).length === 1, "the app starts at login");
    tray.choose("Start at login");
    await until(() => readdirSync(autostart).length === 0, "it no longer does");
  });

  it("[DESK-WRITERS-1] follows a store that ten processes write at once", async () => {
    const before = world.engine.inbox(person, { limit: 100 }).tickets.length;
    const writers = Array.from({ length: 10 }, (_, at) =>
      spawn(
        process.execPath,
        [join(root, "packages/cli/bin/hap.mjs"), "create", "--summary", `Writer ${at}`, "--kind", "modify_file", "--to", person],
        { env: { ...world.env, HAP_AGENT_ID: `agent:w${at}` }, stdio: ["ignore", "ignore", 2] },
      ),
    );
    const ends = await Promise.all(writers.map((child) => new Promise((resolve) => child.once("close", resolve))));
    expect(ends).toEqual(writers.map(() => 0));
    await until(() => tray.label() === String(before + writers.length), "the tray counts them all");
    await until(() => app.run("return document.querySelector('[data-chain=verified]') !== null"), "the chain is verified");
  });

  it("[DESK-SETTINGS-1] keeps what the person chooses for the app", async () => {
    await app.run("history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))");
    await app.see(".card h2", "This app");
    await app.click(".option", "Pause notifications");
    const settings = join(world.session.home, "config/dev.hap.desktop/settings.json");
    await until(() => JSON.parse(readFileSync(settings, "utf8")).paused === true, "it is written");
    await picture(app, "settings-light");
    await app.run("dispatchEvent(new KeyboardEvent('keydown', { key: '+', ctrlKey: true }))");
    await until(() => JSON.parse(readFileSync(settings, "utf8")).zoom === 1.1, "the zoom is kept");
  });

  it("[DESK-NARROW-2] has no network and none of Tauri's own commands in the page", async () => {
    const tried = (script: string) =>
      app.runLater<string>(
        `const done = arguments[0]; (async () => { ${script} })().then(() => done("done"), (error) => done(String(error)));`,
      );
    expect(await tried("await fetch('https://example.org')")).not.toBe("done");
    for (const command of [
      "plugin:window|close",
      "plugin:event|listen",
      "plugin:path|resolve_directory",
      "plugin:autostart|enable",
    ])
      expect(await tried(`await window.__TAURI_INTERNALS__.invoke(${JSON.stringify(command)}, {})`), command).toMatch(
        /not allowed|not found/,
      );
    expect(
      await tried("await window.__TAURI_INTERNALS__.invoke('call', { method: 'GET', path: '/metrics', body: null })"),
    ).toMatch(/not the API/);
  });

  it("leaves a log that verifies, written by the engine alone", async () => {
    const report = world.engine.verifyEventLog();
    expect(report).toMatchObject({ ok: true });
  });
});

describe("the window without a driver, which would keep it in view", () => {
  afterAll(closeWorld);

  it("[DESK-SHORTCUT-1] is hidden and shown by the shortcut from anywhere", async () => {
    const { env } = await openWorld();
    const child = spawn(program, [], { env, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("close", resolve));
    try {
      const desk = (...words: string[]) => spawnSync("xdotool", words, { env, encoding: "utf8" }).stdout.trim();
      const shown = () => desk("search", "--onlyvisible", "--name", "^HAP$");
      await until(() => shown() !== "", "the window is shown");
      // The app takes the shortcut at the end of its start, which nothing outside shows: press until it acts.
      const pressUntil = async (holds: () => boolean, what: string) => {
        let pressed = 0;
        await until(() => {
          if (holds()) return true;
          if (performance.now() - pressed < 5_000) return false;
          pressed = performance.now();
          desk("key", "ctrl+alt+h");
          return false;
        }, what);
      };
      await pressUntil(() => shown() === "", "the window is hidden");
      await pressUntil(() => shown() !== "" && desk("getactivewindow") === shown(), "the window is in front again");
    } finally {
      child.kill();
      await ended;
    }
  });
});

describe("the window in the dark", () => {
  afterAll(closeWorld);

  it("[DESK-DARK-1] follows the desktop's colours", async () => {
    const world = await openWorld("dark");
    const { id } = ask(world.engine, "Rotate the signing key", { priority: "high" });
    ask(world.engine, "Fix typo in README", { priority: "low" });
    const app = await Driven.start(program, [`hap://ticket/${id}`], world.env);
    open.app = app;
    await app.see(".detail-body", "sha256(key)");
    expect(await app.run("return matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
    await picture(app, "ticket-dark");
    await app.run("history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))");
    await app.see(".card h2", "This app");
    await app.see(".card", "Notify me of");
    await picture(app, "settings-dark");
  });
});

describe("a store that cannot be used", () => {
  afterAll(closeWorld);

  it("[DESK-STORE-2] is told of in words, in a window that stays open", async () => {
    const session = await startSession();
    open.session = session;
    const store = join(session.home, "hap.db");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(store);
    database.exec("PRAGMA application_id=0x48415000; CREATE TABLE x(y); PRAGMA user_version=999");
    database.close();
    const app = await Driven.start(program, [], { ...session.env, HAP_DB_PATH: store, HAP_HUMAN_ID: person });
    open.app = app;
    await app.see("#app", "was written by a newer HAP (schema 999");
  });
});

describe("the window on a server", () => {
  afterAll(closeWorld);

  it("[DESK-SERVER-1] shows the server's page, which gets no command of the app", async () => {
    const session = await startSession();
    open.session = session;
    const server = await serve({
      dbPath: join(session.home, "server.db"),
      home: session.home,
      humanId: person,
      port: 0,
      pageFolder: join(root, "packages/web/dist"),
    });
    try {
      const app = await Driven.start(program, [], { ...session.env, HAP_URL: server.url });
      open.app = app;
      await app.see("h1", "Sign in");
      expect(await app.run("return location.origin")).toBe(server.url);
      const tried = await app.runLater<string>(
        `const done = arguments[0]; const internals = window.__TAURI_INTERNALS__;
         if (internals === undefined) return done("no internals");
         internals.invoke('settings').then(() => done("done"), (error) => done(String(error)));`,
      );
      expect(tried).toMatch(/no internals|not allowed|not found|Scoped command/);
      await app.run("location.href = 'https://example.org/'");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await app.run("return location.origin")).toBe(server.url);
    } finally {
      await closeWorld();
      await server.close();
    }
  });
});
