// A real server with a real store, and a real browser that is signed in: what the page's tests stand on.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunningServer, type ServeOptions, serve } from "@hap/server";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { startChromium } from "../../../test/support/chromium.ts";

export const person = "human:alex";
/** How long something may take before a test gives up: far longer than it ever does. */
const GIVE_UP_MS = 45_000;
const BUILD_GIVE_UP_MS = 120_000;
// Each test waits for many things, one after the other.
vi.setConfig({ testTimeout: 4 * GIVE_UP_MS });
const folder = fileURLToPath(new URL("..", import.meta.url));
export const dist = join(folder, "dist");

/** When a file under a folder was last changed. */
function newest(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

function isCurrent(): boolean {
  const built = statSync(join(dist, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built >= Math.max(...["src", "public"].map((name) => newest(join(folder, name))));
}

/** The page as its sources are now. Files run beside each other: one builds, the others wait for it. */
export async function builtPage(): Promise<string> {
  const lock = join(folder, "..", "..", "node_modules", ".hap-page-building");
  while (!isCurrent()) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      // Another builds. A lock that outlives every build was left by a run that was killed.
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > BUILD_GIVE_UP_MS) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      await build({ configFile: join(folder, "vite.config.ts"), logLevel: "error" });
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return dist;
}

type OpenOptions = BrowserContextOptions & { as?: string; before?: (context: BrowserContext) => Promise<void> };

export type World = {
  server: RunningServer;
  engine: RunningServer["engine"];
  url: string;
  home: string;
  /** Open the page, signed in as a person, at a path; `before` prepares the browser for it. */
  open: (path?: string, options?: OpenOptions) => Promise<Page>;
};

/** What the console of every page said that it should not have. */
const complaints: string[] = [];

/** One browser for a file, one world for each test. */
export function useWorld(): (options?: ServeOptions) => Promise<World> {
  let browser: Browser | undefined;
  const ending: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    await builtPage();
    browser = await startChromium();
  });
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
    expect(complaints.splice(0), "the page's console stays quiet").toEqual([]);
  });
  afterAll(() => browser?.close());
  return async (more = {}) => {
    const home = mkdtempSync(join(tmpdir(), "hap-web-"));
    const server = await serve({ dbPath: join(home, "hap.db"), home, humanId: person, port: 0, pageFolder: dist, ...more });
    ending.push(async () => {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    });
    const open: World["open"] = async (path = "/", { as = person, before, ...options } = {}) => {
      const context = await (browser as Browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(GIVE_UP_MS);
      ending.push(() => context.close());
      await before?.(context);
      const page = await context.newPage();
      watch(page);
      await context.addCookies([{ name: "hap", value: server.engine.signIn(as, "cookie", "code").secret, url: server.url }]);
      await page.goto(server.url + path);
      await page.waitForSelector(".shell");
      return page;
    };
    return { server, engine: server.engine, url: server.url, home, open };
  };
}

/** Problems of the page itself: exceptions, and anything that its content security policy stopped. */
function watch(page: Page): void {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
}

/** Type the code that the terminal would show. Other tests bring a sign-in along: it saves a page's load each. */
export async function signInByCode(page: Page, { engine, url }: World, as = person): Promise<void> {
  await page.context().clearCookies();
  await page.goto(url);
  await page.getByLabel("Code").fill(engine.issueCode({ purpose: "login", person: as }).code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForSelector(".shell");
}

/** Open a row's ticket. */
export async function openRow(page: Page, words: string): Promise<void> {
  await page.locator(".row-link", { hasText: words }).click();
  await page.waitForSelector(".detail-body");
}

/** Read what is shown: scroll through it a screen at a time until its end is in view. */
export async function readToEnd(page: Page, box = ".detail-scroll"): Promise<void> {
  await page.locator(box).evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    element.scrollTop = 0;
    await frame();
    while (element.scrollTop + element.clientHeight < element.scrollHeight - 1) {
      element.scrollTop += element.clientHeight * 0.8;
      await frame();
      await frame();
    }
  });
}

/** Approve is open: everything was in view. */
export async function untilReady(page: Page): Promise<void> {
  await page.locator(".decide-bar > .good:not(.waits)").waitFor();
}

/** Wait until something holds; a page and a store agree a moment after each other. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const started = performance.now(); performance.now() - started < GIVE_UP_MS; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came true: ${what}`);
}
