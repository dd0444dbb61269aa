// A desktop of its own for a test: a display, a window manager, a session bus, and a home folder.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needProgram } from "../../scripts/needs.ts";
import { until } from "./web-driver.ts";

export type Session = { env: NodeJS.ProcessEnv; home: string; notifications: () => string; stop: () => void };

/** Debian's notification server; nothing starts it by itself on a bus without services. */
const NOTIFIER = "/usr/lib/notification-daemon/notification-daemon";
/** A session bus that starts nothing by itself: portals would mount file systems in the test's folder. */
const BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Read the first line that a program says on a descriptor. */
function firstLine(child: ChildProcess, descriptor: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdio[descriptor]?.on("data", (chunk) => {
      said += chunk;
      if (said.includes("\n")) resolve(said.split("\n", 1)[0] as string);
    });
    child.once("exit", () => reject(new Error(`${child.spawnfile} ended: ${said}`)));
  });
}

export async function startSession(theme: "light" | "dark" = "light"): Promise<Session> {
  needProgram("Xvfb", "xvfb");
  needProgram("openbox", "openbox");
  needProgram("dbus-daemon", "dbus");
  needProgram("dbus-monitor", "dbus-bin");
  needProgram("WebKitWebDriver", "webkit2gtk-driver");
  needProgram("xdotool", "xdotool");
  if (!existsSync(NOTIFIER)) needProgram(NOTIFIER, "notification-daemon");
  const home = mkdtempSync(join(tmpdir(), "hap-desktop-"));
  const runtime = join(home, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[], env: NodeJS.ProcessEnv, stdio: ("ignore" | "pipe")[]) => {
    const child = spawn(program, args, { env, stdio });
    children.push(child);
    return child;
  };
  const { HAP_URL: _url, HAP_AGENT_ID: _agent, HAP_API_KEY: _key, ...outside } = process.env;
  const xvfb = start("Xvfb", ["-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp"], outside, [
    "ignore",
    "ignore",
    "ignore",
    "pipe",
  ]);
  const display = `:${await firstLine(xvfb, 3)}`;
  const own = {
    ...outside,
    DISPLAY: display,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CACHE_HOME: join(home, "cache"),
    GTK_THEME: theme === "dark" ? "Adwaita:dark" : "Adwaita",
    GDK_BACKEND: "x11",
    // There is no graphics card here.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    WEBKIT_DISABLE_DMABUF_RENDERER: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    NO_AT_BRIDGE: "1",
  };
  const config = join(home, "bus.conf");
  writeFileSync(config, BUS);
  const bus = start("dbus-daemon", [`--config-file=${config}`, "--nofork", "--print-address=1"], own, [
    "ignore",
    "pipe",
    "ignore",
  ]);
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus, 1) };
  start("openbox", [], env, ["ignore", "ignore", "ignore"]);
  start(NOTIFIER, [], env, ["ignore", "ignore", "ignore"]);
  let notifications = "";
  const monitor = start("dbus-monitor", ["interface='org.freedesktop.Notifications'"], env, ["ignore", "pipe", "ignore"]);
  monitor.stdout?.on("data", (chunk) => {
    notifications += chunk;
  });
  await until(() => notifications !== "", "the bus is watched");
  return {
    env,
    home,
    notifications: () => notifications,
    stop: () => {
      for (const child of children.reverse()) child.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
