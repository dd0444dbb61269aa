// One terminal of the recording: a shell at a real pseudo-terminal, read by a terminal emulator.
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

/** How long anything may take before the recording is given up. */
const GIVE_UP_MS = 60_000;

export class Pane {
  readonly terminal: xterm.Terminal;
  readonly #pty: IPty;
  readonly #watchers = new Set<() => void>();

  constructor(options: { columns: number; rows: number; cwd: string; env: Record<string, string>; changed: () => void }) {
    const { columns, rows, cwd, env } = options;
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
    this.#pty = spawn("bash", ["--norc", "--noprofile", "-i"], { cols: columns, rows, cwd, env });
    this.#pty.onData((data) => {
      this.terminal.write(data, () => {
        if (this.terminal.modes.synchronizedOutputMode) return;
        options.changed();
        for (const look of [...this.#watchers]) look();
      });
    });
    // The emulator answers questions about itself, as a terminal does.
    this.terminal.onData((data) => this.#pty.write(data));
  }

  /** The lines on the screen. */
  lines(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  /** Waits until the screen shows this. */
  until(what: string | RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const screen = this.lines().join("\n");
        if (typeof what === "string" ? !screen.includes(what) : !what.test(screen)) return;
        stop();
        resolve(screen);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`The screen never showed ${String(what)}:\n${this.lines().join("\n")}`));
      }, GIVE_UP_MS);
      const stop = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Waits until the shell takes the next command. */
  async prompt(): Promise<void> {
    await this.until(/(?:^|\n)\$\s*$/);
  }

  write(keys: string): void {
    this.#pty.write(keys);
  }

  close(): void {
    this.#pty.kill("SIGKILL");
    this.terminal.dispose();
  }
}
