// The documentation site: complete, without dead links, and working from a folder in a real browser without a network.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Built, buildSite } from "../scripts/docs/build-site.ts";
import { repoRoot } from "./support/bundle-fixture.ts";
import { startChromium } from "./support/chromium.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const site = join(temporaryFolder(), "site");
let built: Built;
beforeAll(async () => {
  // `npm run docs` makes the SDK reference from the types, which takes longer than all the rest; CI runs it.
  built = await buildSite(site, async () => ({ html: "<h1>SDK reference</h1>", parts: [] }));
});

describe("the built site", () => {
  test("[DOCS-SITE-1] has no dead link and no dead anchor", () => {
    expect(built.broken).toEqual([]);
  });

  test("[DOCS-SITE-1] holds every page of docs/ and spec/", () => {
    const missing = globSync(["docs/**/*.md", "spec/**/*.md"], { cwd: repoRoot }).filter((source) => {
      const path = source.replace(/^docs\//, "").replace(/\.md$/, ".html");
      const renamed = source === "docs/README.md" ? "pages.html" : path.replace(/README\.html$/, "index.html");
      return !existsSync(join(site, renamed));
    });
    expect(missing).toEqual([]);
  });

  test("[DOCS-SITE-1] loads nothing from elsewhere and holds no inline script or style", () => {
    for (const path of globSync("**/*.html", { cwd: site })) {
      const html = readFileSync(join(site, path), "utf8");
      expect([
        path,
        /<script(?! src=")|<style|<[^>]+ (?:style|on\w+)="|(?:src|srcset)="(?:https?:)?\/\//.exec(html)?.[0],
      ]).toEqual([path, undefined]);
    }
  });
});

describe("[DOCS-SITE-3] in a browser, from a folder", () => {
  let browser: Browser;
  let page: Page;
  const open = (path: string) => page.goto(pathToFileURL(join(site, path)).href);
  beforeAll(async () => {
    browser = await startChromium();
    page = await (await browser.newContext({ offline: true })).newPage();
  });
  afterAll(() => browser.close());

  test("search finds a section and leads to it", async () => {
    await open("decisions/index.html");
    await page.getByRole("searchbox").fill("gate paths");
    await page.locator(".found a", { hasText: "Gate paths" }).first().click();
    await page.waitForURL(/gate\.html#gate-paths$/);
    expect(await page.locator("#gate-paths").isVisible()).toBe(true);
    await page.getByRole("searchbox").fill("zzzz nothing has this");
    await page.locator(".found", { hasText: /^No results$/ }).waitFor();
  });

  test("a tab shows its language on every page, and the code can be copied", async () => {
    await open("quick-start.html");
    const shown = () => page.locator(".tab:visible").evaluateAll((all) => all.map((tab) => (tab as HTMLElement).dataset.title));
    expect(await shown()).toEqual(["TypeScript", "TypeScript"]);
    await page.getByRole("tab", { name: "curl" }).first().click();
    expect(await shown()).toEqual(["curl", "curl"]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".tab:visible .copy").first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("curl -sS");
  });
});
