// hap start as a person meets it: a terminal, a link, a browser. The link alone leads to a decided ticket.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startChromium } from "../../../test/support/chromium.ts";
import { bare, HAP, World } from "./hap.ts";
import { Tui } from "./tui.ts";

/** `hap start` at a terminal, once it has shown its link. */
async function start(world: World, args: string[] = []): Promise<{ tui: Tui; url: string; link: string; screen: string }> {
  const argv = [process.execPath, HAP, "start", "--port", "0", ...args];
  const tui = new Tui(world, { columns: 110, rows: 50, argv });
  await tui.until("Press Ctrl-C to stop.");
  const screen = bare(tui.raw);
  const link = /http:\/\/\S+#link=[\w-]{43}/.exec(screen)?.[0] ?? "";
  return { tui, url: new URL(link).origin, link, screen };
}

const redeem = (link: string) =>
  fetch(new URL("/v1/login/link", link), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret: new URL(link).hash.slice("#link=".length) }),
  });

describe("[START-CMD-1] hap start", () => {
  it("prints one block with address, person and log, and a link with its QR code; requests go to the log file", async () => {
    const world = new World();
    const { tui, url, screen } = await start(world);
    expect(screen).toContain(`Inbox       ${url}`);
    expect(screen).toContain(`Next        add a passkey: ${url}/settings`);
    expect(screen).toContain("You         human:alex");
    expect(screen).toContain("withstands mistakes, not a program that runs as you");
    expect(screen).toContain("█▀▀▀▀▀▀▀█");
    await fetch(new URL("/v1/me", url));
    const log = join(world.folder, "hap.log");
    await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain("/v1/me"), { timeout: 30_000 });
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(bare(tui.raw)).not.toContain("/v1/me");
    tui.type("\u0003");
    expect((await tui.exited).exitCode).toBe(0);
  });

  it("[SIGN-IN-LINK-1] signs in once by the link, at level local in class open, with nothing of the secret in the log", async () => {
    const world = new World();
    const { link } = await start(world);
    const first = await redeem(link);
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ person: "human:alex" });
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    const again = await redeem(link);
    expect(again.status).toBe(403);
    expect(await again.json()).toMatchObject({ code: "code_wrong", detail: expect.stringContaining("hap login --link") });
    const ticket = await world.create();
    const origin = new URL(link).origin;
    const decided = await fetch(new URL(`/v1/tickets/${ticket.id}/intents`, link), {
      method: "POST",
      headers: { cookie, origin, "content-type": "application/json" },
      body: JSON.stringify({ decision: "approve" }),
    });
    expect(decided.status).toBe(200);
    expect((await world.json(["show", ticket.id])).resolution).toMatchObject({
      assurance: "local",
      trust: "open",
      unproven: true,
    });
    expect(readFileSync(join(world.folder, "hap.log"), "utf8")).not.toContain(new URL(link).hash.slice(6));
  });

  it("shows a new link when it runs already, and `hap login --link` another; each replaces the last", async () => {
    const world = new World();
    const { url, link } = await start(world);
    const second = await world.atTerminal(["start"], { columns: 110, rows: 50 });
    expect(bare(second.screen)).toContain(`HAP is running already at ${url}.`);
    const third = await world.atTerminal(["login", "--link"], { columns: 110, rows: 50, apart: true });
    expect(`${third.out}${third.err}`).not.toContain("#link=");
    const newest = /http:\/\/\S+#link=[\w-]{43}/.exec(bare(third.screen))?.[0] ?? "";
    expect(newest.startsWith(url)).toBe(true);
    expect((await redeem(link)).status).toBe(403);
    expect((await redeem(newest)).status).toBe(200);
  });

  it("without a terminal makes no link and says how to get one; agents are refused", async () => {
    const world = new World();
    const child = world.start(["start", "--port", "0"]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("login --link")) child.kill("SIGTERM");
    });
    await new Promise((resolve) => child.once("exit", resolve));
    expect(said).toMatch(/To sign in, run `.*hap login --link` .*terminal/);
    expect(said).not.toContain("#link=");
    expect((await world.run(["start"], { env: { HAP_AGENT_ID: "agent:x" } })).err).toContain("agents do not run the inbox");
    expect((await world.run(["login", "--link"])).err).toContain("No inbox serves");
  });

  it("in a container prints the link with the published port, and answers health checks of its own machine", async () => {
    const world = new World({ HAP_PUBLISHED_PORT: "8123" });
    const port = String(20_000 + Math.floor(Math.random() * 20_000));
    const argv = [process.execPath, HAP, "start", "--host", "0.0.0.0", "--allow-plain-http", "--port", port];
    const tui = new Tui(world, { columns: 110, rows: 50, argv });
    await tui.until("Press Ctrl-C to stop.");
    expect(bare(tui.raw)).toMatch(/http:\/\/localhost:8123\/#link=/);
    expect((await world.run(["health", `http://127.0.0.1:${port}`])).out).toContain("is ready");
  });
});

describe("[IDENTITY-ONE-1] one person everywhere", () => {
  it("who ran hap start is who the inbox is for and whom tickets go to; others' tickets are named", async () => {
    const world = new World({ HAP_HUMAN_ID: undefined });
    const { screen } = await start(world, ["--as", "human:kim"]);
    expect(screen).toContain("You         human:kim");
    expect((await world.ok(["whoami"])).split(" ")[0]).toBe("human:kim");
    expect((await world.create()).to).toBe("human:kim");
    await world.create(["--to", "human:sam", "--summary", "For Sam"]);
    await world.create(["--to", "human:sam", "--summary", "For Sam as well"]);
    const { out, err } = await world.run(["inbox"]);
    expect(out).not.toContain("For Sam");
    expect(err).toContain("2 tickets wait for human:sam. To see them: HAP_HUMAN_ID=human:sam hap inbox");
    expect((await world.run(["inbox"], { env: { HAP_HUMAN_ID: "human:sam" } })).out).toContain("For Sam as well");
  });
});

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  it("[SIGN-IN-LINK-2] goes from the link alone to a decided ticket, and keeps no secret in its address", async () => {
    const world = new World();
    const ticket = await world.create(["--summary", "Ship the release"]);
    const { link, url } = await start(world);
    // High enough to show the whole ticket: a yes is offered once all of it was on the screen.
    const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
    await page.goto(link);
    await page
      .getByRole("link", { name: /Ship the release/ })
      .first()
      .click();
    expect(page.url()).not.toContain("link=");
    await page
      .getByRole("button", { name: /Approve/ })
      .first()
      .click();
    const waited = await world.run(["wait", ticket.id, "--timeout", "30s"]);
    expect(waited).toMatchObject({ code: 0 });
    const other = await browser.newPage({});
    await other.context().clearCookies();
    await other.goto(`${url}/#link=${new URL(link).hash.slice(6)}`);
    await other.getByText("This sign-in link was used already").waitFor();
  });
});
