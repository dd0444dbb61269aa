// The app's tray icon as a desktop sees it: a StatusNotifierItem on the session bus with a label and a menu.
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { need, needProgram } from "../../scripts/needs.ts";
import { until } from "./web-driver.ts";

/** One entry of the tray's menu. */
type Entry = { id: number; label: string; enabled: boolean; checked: boolean };

/** Debian's own Python has the bindings; another one on the PATH may not. */
const PYTHON = "/usr/bin/python3";

/** A tray on the session bus of a test. The app finds it when it starts. */
export class Tray {
  readonly #env: NodeJS.ProcessEnv;
  #said = "";
  readonly stop: () => void;

  private constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    const child = spawn(PYTHON, [join(import.meta.dirname, "fixtures/tray_host.py")], { env, stdio: ["ignore", "pipe", 2] });
    child.stdout?.on("data", (chunk) => {
      this.#said += chunk;
    });
    this.stop = () => child.kill();
  }

  static async start(env: NodeJS.ProcessEnv): Promise<Tray> {
    need("the Python module gi", `${PYTHON} -c "import gi"`, "python3-gi");
    needProgram("gdbus", "libglib2.0-bin");
    const tray = new Tray(env);
    await until(() => tray.#said.includes("ready"), "the tray is there");
    return tray;
  }

  #item(): { name: string; path: string } {
    const [, name, path] = /^(:\S+) (\/\S+)$/m.exec(this.#said) ?? [];
    if (name === undefined || path === undefined) throw new Error("no icon is in the tray");
    return { name, path };
  }

  #call(path: string, method: string, ...args: string[]): string {
    const { name } = this.#item();
    const words = ["call", "--session", "--dest", name, "--object-path", path, "--method", method, ...args];
    return execFileSync("gdbus", words, { env: this.#env, encoding: "utf8" });
  }

  #property(name: string): string {
    return this.#call(this.#item().path, "org.freedesktop.DBus.Properties.Get", "org.kde.StatusNotifierItem", name);
  }

  /** The words beside the icon. */
  label(): string {
    return /'(.*)'/.exec(this.#property("XAyatanaLabel"))?.[1] ?? "";
  }

  #menu(): string {
    const path = /objectpath '([^']+)'|'(\/[^']+)'/.exec(this.#property("Menu"));
    return path?.[1] ?? path?.[2] ?? "";
  }

  /** The menu's entries, without its lines. */
  menu(): Entry[] {
    const layout = this.#call(this.#menu(), "com.canonical.dbusmenu.GetLayout", "0", "--", "-1", "[]");
    return [...layout.matchAll(/\((\d+), \{([^{}]*)\}, /g)]
      .map(([, id, properties = ""]) => ({
        id: Number(id),
        label: /'label': <'([^']*)'>/.exec(properties)?.[1] ?? "",
        enabled: !/'enabled': <false>/.test(properties),
        checked: /'toggle-state': <(?:int32 )?1>/.test(properties),
      }))
      .filter(({ label }) => label !== "");
  }

  entry(label: string): Entry {
    const found = this.menu().find((entry) => entry.label === label);
    if (found === undefined) throw new Error(`the tray's menu has no ${label}`);
    return found;
  }

  /** Choose an entry, as a click does. */
  choose(label: string): void {
    this.#call(this.#menu(), "com.canonical.dbusmenu.Event", String(this.entry(label).id), "clicked", "<''>", "0");
  }
}
