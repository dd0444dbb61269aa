// `hap tui` at a real pseudo-terminal, read by a real terminal emulator: what a person would see and type.
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { afterEach, vi } from "vitest";
import { HAP, type World } from "./hap.ts";

/** The two sizes that every face of this kind is tried at. */
export const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 132, rows: 40 },
] as const;

export const ENTER = "\r";
export const ESC = "\u001b";
export const DOWN = "\u001b[B";

type Options = {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
  /** What runs at the terminal; `hap tui` unless said otherwise. */
  argv?: readonly string[];
};

/** How long something may take before the test gives up: far longer than it ever does. */
const GIVE_UP_MS = 45_000;

// Each test is many processes, one after the other.
vi.setConfig({ testTimeout: 4 * GIVE_UP_MS });

const started: Tui[] = [];
afterEach(async () => {
  for (const tui of started.splice(0)) await tui.end();
});

/** A terminal with a program in it. */
export class Tui {
  readonly #pty: IPty;
  readonly #terminal: xterm.Terminal;
  readonly #watchers = new Set<() => void>();
  readonly exited: Promise<{ exitCode: number; signal?: number | undefined }>;
  /** Everything that was sent to the terminal. */
  raw = "";
  #ended = false;

  constructor(world: World, options: Options = {}) {
    const { columns = 80, rows = 24, argv = [process.execPath, HAP, "tui"] } = options;
    const [file, ...args] = argv as [string, ...string[]];
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200 });
    this.#pty = spawn(file, args, {
      cols: columns,
      rows,
      cwd: join(world.folder, "work"),
      env: world.environment({ TERM: "xterm-256color", ...options.env }),
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#terminal.write(data, () => {
        for (const watcher of [...this.#watchers]) watcher();
      });
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit((how) => {
        this.#ended = true;
        resolve(how);
      });
    });
    started.push(this);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get terminal(): xterm.Terminal {
    return this.#terminal;
  }

  /** The rows of the screen as they are now. */
  rows(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  text(): string {
    return this.rows().join("\n");
  }

  /** Wait until the screen shows this; gives the screen. A frame that has come only in part is not looked at. */
  until(what: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    const holds = (screen: string) =>
      typeof what === "string" ? screen.includes(what) : typeof what === "function" ? what(screen) : what.test(screen);
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#terminal.modes.synchronizedOutputMode) return;
        const screen = this.text();
        if (!holds(screen)) return;
        stop();
        resolve(screen);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`The screen never showed ${String(what)}:\n${this.text()}`));
      }, GIVE_UP_MS);
      const stop = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
    this.#terminal.resize(columns, rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  /** End what still runs. */
  async end(): Promise<void> {
    if (!this.#ended) this.#pty.kill("SIGKILL");
    await this.exited;
    this.#terminal.dispose();
  }
}
