import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, serve } from "@hap/server";
import { expect, test } from "vitest";
import { steadyPort } from "../../../test/support/steady-port.ts";
import { violationsInBoth } from "./axe.ts";
import { builtPage, dist, openRow, person, readToEnd, until, useWorld } from "./page.ts";
import { command, question, smallChange } from "./tickets.ts";

const newWorld = useWorld();

test("[WEB-LIVE-2] a lost connection is said, and everything that happened meanwhile is caught up", async () => {
  const { server, engine, home, open } = await newWorld({ port: await steadyPort() });
  const gone = smallChange(engine, "Decided meanwhile").id;
  const page = await open();
  await page.locator(`[data-ticket="${gone}"]`).waitFor();
  const { port } = new URL(server.url);
  await server.close();
  await page.locator(".line-banner", { hasText: "Connection lost" }).waitFor();
  let again: RunningServer | null = null;
  try {
    again = await serve({ dbPath: join(home, "hap.db"), home, humanId: person, port: Number(port), pageFolder: dist });
    again.engine.reject(gone, undefined, { by: person });
    const fresh = smallChange(again.engine, "Arrived meanwhile").id;
    await page.locator(`[data-ticket="${fresh}"]`).waitFor();
    await page.locator(`[data-ticket="${gone}"]`).waitFor({ state: "detached" });
    await page.locator(".line-banner").waitFor({ state: "detached" });
  } finally {
    await again?.close();
  }
});

test("[WEB-PHONE-1] on a phone the list and the ticket each have the screen, and nothing is wider than it", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "On the phone", {
    details: { file: "a.ts", diff: `--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-a\n+${"long ".repeat(80)}\n` },
  });
  const page = await open("/", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await page.locator(".row").waitFor();
  expect(await fits()).toBe(true);
  await page.locator(".row-link").tap();
  await page.waitForSelector(".diff-file");
  expect(await page.locator(".list-pane").isVisible()).toBe(false);
  expect(await fits()).toBe(true);
  const overflowing = await page
    .locator(".line-text")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
  expect(overflowing).toBe(0);
  await readToEnd(page);
  await page.getByRole("button", { name: "Approve" }).tap();
  await until(() => engine.getTicket(id).state === "APPROVED", "it is approved");
  await page.locator(".back-link").tap();
  await page.getByText("All quiet").waitFor();
});

test("[WEB-DARK-1] colours follow the system, or the person's choice, which is kept", async () => {
  const { open } = await newWorld();
  const page = await open("/settings", { colorScheme: "dark" });
  const brightness = () =>
    page.evaluate(() => {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
      return (red + green + blue) / 3;
    });
  await page.getByLabel("Light").waitFor();
  expect(await brightness()).toBeLessThan(60);
  await page.getByLabel("Light").check();
  await until(async () => (await brightness()) > 200, "the page is light");
  await page.reload();
  await page.getByLabel("Light").waitFor();
  expect(await brightness()).toBeGreaterThan(200);
});

test("[WEB-A11Y-1] axe finds nothing on any page, light and dark", async () => {
  const { engine, open, url } = await newWorld();
  const change = smallChange(engine, "Readable").id;
  const critical = command(engine, "sudo rm -rf /srv\u202e", { priority: "critical" }).id;
  const form = question(engine, {
    type: "form",
    fields: [{ label: "Name" }, { label: "Loud", kind: "boolean" }, { label: "Size", options: ["S", "L"] }],
  }).id;
  const ended = smallChange(engine, "Done").id;
  engine.approve(ended, "Good", { by: person });
  const { agent } = engine.joinAgent({ agent_runtime: "terminal", project_dir: "/src/app" });
  const cue = engine.cue({
    from: agent,
    to: person,
    kind: "cue",
    summary: "Cue",
    details: {},
    ask: { type: "text", prompt: "What **next**?" },
  });
  engine.answer(cue.id, "Go on", { by: person });
  const page = await open("/");
  await page.locator(".row").nth(2).waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole("button", { name: "Filters and groups" }).click();
  await page.locator(".row input").first().click();
  expect(await violationsInBoth(page)).toEqual([]);
  for (const id of [change, critical, form, ended]) {
    await page.goto(`${url}/tickets/${id}`);
    await page.waitForSelector(".history li", { state: "attached" });
    await page.locator(".evidence > summary").click();
    expect(await violationsInBoth(page), id).toEqual([]);
  }
  await page.goto(`${url}/tickets/${critical}`);
  await page.waitForSelector(".decide-bar");
  await page.keyboard.press("r");
  await page.getByRole("dialog").waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  for (const path of [
    "/conversations",
    `/conversations/${encodeURIComponent(agent)}`,
    "/insights",
    "/settings",
    "/nowhere/at/all",
  ]) {
    await page.goto(url + path);
    await page.waitForSelector("h1, .bubble");
    expect(await violationsInBoth(page), path).toEqual([]);
  }
  await page.context().clearCookies();
  await page.goto(url);
  await page.waitForSelector(".sign-in");
  expect(await violationsInBoth(page)).toEqual([]);
}, 180_000);

test("[WEB-WEIGHT-1] scripts and styles of the first load are under 90 kB compressed, without tickets, batches and diffs", async () => {
  const { engine, open } = await newWorld();
  smallChange(engine, "Weighed");
  await builtPage();
  const page = await open();
  await page.locator(".row").waitFor();
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith(".js") && path.startsWith("/assets/")),
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.join()).not.toMatch(/ticket-page|batch-dialog|diff-view|highlight/);
  // Over the wire, until the first paint: scripts and styles, as a browser that takes brotli gets them.
  const styles = readdirSync(join(dist, "assets"))
    .filter((name) => /^index-.*\.css$/.test(name))
    .map((name) => `/assets/${name}`);
  // A file too small to gain from it has no compressed form.
  const sent = (path: string) => statSync(join(dist, existsSync(join(dist, `${path}.br`)) ? `${path}.br` : path)).size;
  const wire = [...new Set([...scripts, ...styles])].reduce((sum, path) => sum + sent(path), 0);
  expect(wire).toBeLessThan(90_000);
  await openRow(page, "Weighed");
  await page.waitForSelector(".diff-file");
  expect(readdirSync(join(dist, "assets")).some((name) => name.startsWith("diff-view"))).toBe(true);
});

test("[WEB-WIRE-1] files come in the smallest form that the browser takes, and never change under a name with a hash", async () => {
  const { url } = await newWorld();
  const script = readdirSync(join(dist, "assets")).find((name) => /^index-.*\.js$/.test(name)) as string;
  const get = async (encoding: string, path = `/assets/${script}`) => {
    const response = await fetch(url + path, { headers: { "accept-encoding": encoding } });
    const text = await response.text();
    return { encoding: response.headers.get("content-encoding"), cache: response.headers.get("cache-control"), text };
  };
  const plain = readFileSync(join(dist, "assets", script), "utf8");
  for (const [asked, given] of [
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
  ] as const) {
    const { encoding, cache, text } = await get(asked);
    expect({ encoding, cache }).toEqual({ encoding: given, cache: "public, max-age=31536000, immutable" });
    expect(text).toBe(plain);
  }
  expect(await get("br", "/")).toMatchObject({ encoding: "br", cache: "no-cache" });
});

test("[WEB-PWA-1] the page can be installed; its service worker keeps files and never a ticket", async () => {
  const { engine, open, url } = await newWorld();
  smallChange(engine, "Not to be kept");
  const page = await open();
  await page.locator(".row").waitFor();
  const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as { display: string; icons: { src: string }[] };
  expect(manifest.display).toBe("standalone");
  for (const { src } of manifest.icons) expect((await fetch(url + src)).headers.get("content-type")).toBe("image/png");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.locator(".row").waitFor();
  const kept = await page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
    return paths;
  });
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((path) => !path.startsWith("/assets/") && path !== "/")).toEqual([]);
});

test("[WEB-LIVE-2] a page that is opened before its server looks for it until it is there", async () => {
  const { server, engine, home, open } = await newWorld({ port: await steadyPort() });
  const { id } = smallChange(engine, "Waits for its server");
  const page = await open();
  await page.locator(`[data-ticket="${id}"]`).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Once through the service worker, which keeps the page's files.
  await page.reload();
  await page.locator(`[data-ticket="${id}"]`).waitFor();
  const { port } = new URL(server.url);
  await server.close();
  await page.reload();
  await page.getByRole("heading", { name: "HAP is not responding" }).waitFor();
  const again = await serve({ dbPath: join(home, "hap.db"), home, humanId: person, port: Number(port), pageFolder: dist });
  try {
    await page.locator(`[data-ticket="${id}"]`).waitFor();
  } finally {
    await again.close();
  }
});
