// The pictures of the page in docs/images, from the real page in a real browser: `npm run pictures`. With `--to FOLDER` they go
// elsewhere, with `--only NAME` one scene is taken, and with `--every-width` at each width that people have, to look at.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type RunningServer, serve } from "@hap/server";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startChromium } from "../test/support/chromium.ts";
import { fillInbox, person, type Sample } from "./pictures/sample-inbox.ts";
import { type Scene, scenes } from "./pictures/take.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { to: { type: "string" }, only: { type: "string", multiple: true }, "every-width": { type: "boolean" } },
});
const folder = values.to ?? join(root, "docs", "images");
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const devices: Record<string, BrowserContextOptions> = values["every-width"]
  ? {
      390: phone,
      ...Object.fromEntries([768, 820, 1024, 1180, 1440].map((width) => [width, { viewport: { width, height: 900 } }])),
      landscape: { ...phone, viewport: { width: 844, height: 390 } },
    }
  : { desktop: { viewport: { width: 1360, height: 860 } }, phone };

const home = mkdtempSync(join(tmpdir(), "hap-pictures-"));
const server = await serve({
  dbPath: join(home, "hap.db"),
  home,
  humanId: person,
  port: 0,
  pageFolder: join(root, "packages", "web", "dist"),
});
const browser = await startChromium();
try {
  const sample = fillInbox(server);
  for (const [device, options] of Object.entries(devices))
    for (const colorScheme of ["light", "dark"] as const)
      await takeAll(browser, { device, sample, server }, { ...options, colorScheme, reducedMotion: "reduce" });
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}

type Shoot = { device: string; sample: Sample; server: RunningServer };

/** Every scene on one device, signed in once. */
async function takeAll(from: Browser, shoot: Shoot, options: BrowserContextOptions): Promise<void> {
  const context = await from.newContext(options);
  const page = await context.newPage();
  await page.goto(shoot.server.url);
  await page.getByLabel("Code").fill(shoot.server.engine.issueCode({ purpose: "login", person }).code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForSelector(".shell");
  const here = `${shoot.device}-${options.colorScheme}`;
  const wanted = scenes.filter(
    ({ name, on }) => (values.only ?? [name]).includes(name) && (!on || values.to || on.includes(here)),
  );
  for (const scene of wanted) await take(page, scene, shoot, String(options.colorScheme));
  await context.close();
}

async function take(page: Page, { name, path, ready, act, signedOut }: Scene, shoot: Shoot, colours: string): Promise<void> {
  if (signedOut) await page.context().clearCookies();
  try {
    await page.goto(shoot.server.url + path(shoot.sample));
    await page.waitForSelector(ready);
    await act?.(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: join(folder, `${name}-${shoot.device}-${colours}.png`) });
  } catch (error) {
    throw new Error(`${name} on ${shoot.device}, ${colours}: ${String(error)}`);
  }
}
