// `/docs`: the API reference that a server shows of itself, and the documentation site below it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allOperations } from "../src/api/entries.ts";
import { type Front, openFront } from "./front.ts";

const folder = mkdtempSync(join(tmpdir(), "hap-docs-"));
const site = join(folder, "site");
let front: Front;
beforeAll(async () => {
  mkdirSync(site);
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(site, "index.html"), "<h1>The documentation</h1>");
  front = await openFront({ docsFolder: site });
});
afterAll(async () => {
  await front.close();
  rmSync(folder, { recursive: true });
});

const text = async (path: string) => {
  const { status, headers, body } = await front.anyone("GET", path);
  return { status, type: headers.get("content-type"), policy: headers.get("content-security-policy"), text: String(body.text) };
};

describe("/docs", () => {
  it("[OPENAPI-DOCS-1] shows every operation with its method, path and summary", async () => {
    const page = await text("/docs");
    expect([page.status, page.type]).toEqual([200, "text/html; charset=utf-8"]);
    for (const { id, method, path } of allOperations)
      expect(page.text).toMatch(new RegExp(`id="${id}">[^§]*?${method}</span> <code>${path.replaceAll(/[{}]/g, "\\$&")}</code>`));
  });

  it("[OPENAPI-DOCS-1] links only to what is on the page or on this server, and each id is there once", async () => {
    const page = await text("/docs");
    const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(ids.length).toBe(new Set(ids).size);
    const targets = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, target = ""]) => target);
    const missing = targets.filter((target) => target.startsWith("#") && !ids.includes(target.slice(1)));
    expect(missing).toEqual([]);
    for (const target of new Set(targets.filter((target) => target.startsWith("/") && target !== "/")))
      expect([target, (await text(target)).status]).toEqual([target, 200]);
  });

  it("[OPENAPI-DOCS-1] needs no script and nothing from elsewhere, and keeps the content policy", async () => {
    const page = await text("/docs");
    expect(page.text).not.toMatch(/<script|<[^>]+ (?:style|on\w+)=|(?:src|href)="(?:https?:)?\/\//);
    expect(page.policy).toContain("script-src 'self'");
    expect((await text("/docs/reference.css")).type).toBe("text/css; charset=utf-8");
  });

  it("[DOCS-SITE-2] serves the built site below it, and nothing else", async () => {
    expect((await text("/docs/index.html")).text).toBe("<h1>The documentation</h1>");
    expect((await text("/docs/missing.html")).status).toBe(404);
    expect((await text("/docs/..%2fsecret.txt")).status).toBe(404);
  });

  it("[DOCS-SITE-2] without a site is the reference alone, and links no site", async () => {
    const alone = await openFront();
    try {
      const { status, body } = await alone.anyone("GET", "/docs");
      expect(status).toBe(200);
      expect(String(body.text)).not.toContain("/docs/index.html");
      expect((await alone.anyone("GET", "/docs/index.html")).status).toBe(404);
    } finally {
      await alone.close();
    }
  });
});
