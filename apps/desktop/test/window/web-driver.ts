// A driven window: the W3C WebDriver protocol as WebKit speaks it, as much of it as the tests need.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";

/** How long something may take before a test gives up: far longer than it ever does. */
const GIVE_UP_MS = 60_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Wait until something holds. */
export async function until<T>(find: () => T | Promise<T>, what: string): Promise<NonNullable<T> & T> {
  let last: unknown = null;
  for (const started = performance.now(); performance.now() - started < GIVE_UP_MS; ) {
    try {
      const found = await find();
      if (found) return found as NonNullable<T> & T;
      last = found;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it never came true: ${what} (last: ${String(last)})`);
}

export class Driven {
  readonly #url: string;
  readonly #driver: ChildProcess;
  #said = "";

  private constructor(url: string, driver: ChildProcess) {
    this.#url = url;
    this.#driver = driver;
    for (const stream of [driver.stdout, driver.stderr])
      stream?.on("data", (chunk) => {
        this.#said += chunk;
      });
  }

  /** What the app said on its standard error. */
  get said(): string {
    return this.#said;
  }

  /** Start the app under a driver. */
  static async start(binary: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Driven> {
    const port = await freePort();
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      env: { ...env, TAURI_WEBVIEW_AUTOMATION: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const base = `http://127.0.0.1:${port}`;
    await until(() => fetch(`${base}/status`).then(({ ok }) => ok), "the driver answers");
    const options = { "webkitgtk:browserOptions": { binary, args } };
    const made = await fetch(`${base}/session`, {
      method: "POST",
      signal: AbortSignal.timeout(GIVE_UP_MS),
      body: JSON.stringify({ capabilities: { alwaysMatch: options } }),
    });
    const { value } = (await made.json()) as { value: { sessionId?: string; message?: string } };
    if (value.sessionId === undefined) throw new Error(`the window does not open: ${value.message}`);
    return new Driven(`${base}/session/${value.sessionId}`, driver);
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(this.#url + path, { method, ...sent, signal: AbortSignal.timeout(30_000) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }

  /** Run a script's body in the page; what it returns comes back. */
  run<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.#ask("POST", "/execute/sync", { script, args });
  }

  /** Run a script that calls its last argument when it is done. */
  runLater<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.#ask("POST", "/execute/async", { script, args });
  }

  /** The words of everything that a selector finds. */
  texts(selector: string): Promise<string[]> {
    return this.run("return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)", selector);
  }

  /** Wait until some element of a selector holds words. */
  async see(selector: string, words: string): Promise<void> {
    await until(async () => (await this.texts(selector)).some((text) => text.includes(words)), `${selector} with ${words}`);
  }

  /** Press keys, one after the other, as a person does. */
  async press(keys: string): Promise<void> {
    const actions = [...keys].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#ask("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] });
  }

  /** Click the first element of a selector that holds words. */
  async click(selector: string, words = ""): Promise<void> {
    await until(
      () =>
        this.run<boolean>(
          `const found = [...document.querySelectorAll(arguments[0])].find((element) => element.textContent.includes(arguments[1]) && !element.disabled);
           found?.click(); return found !== undefined;`,
          selector,
          words,
        ),
      `${selector} with ${words} to click`,
    );
  }

  async screenshot(path: string): Promise<void> {
    writeFileSync(path, Buffer.from(await this.#ask<string>("GET", "/screenshot"), "base64"));
  }

  /** End the app. */
  async stop(): Promise<void> {
    await this.#ask("DELETE", "").catch(() => {});
    this.#driver.kill();
  }
}
