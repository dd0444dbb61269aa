import { expect, test } from "vitest";
import { openRow, person, until, useWorld } from "./page.ts";
import { command, question, smallChange } from "./tickets.ts";

const newWorld = useWorld();

test("[WEB-LIVE-1] a ticket appears by itself, in its group, with agent, project, risk and countdown, and is delivered", async () => {
  const { engine, open } = await newWorld();
  const page = await open();
  await page.getByText("All quiet").waitFor();
  const { id } = command(engine, "make release", { priority: "high" });
  const row = page.locator(`[data-ticket="${id}"]`);
  await row.waitFor();
  expect(await page.locator(".group").innerText()).toMatch(/High\s*1/);
  const words = await row.innerText();
  for (const expected of ["notable", "0.54", "Run make release", "make release", "could not be analysed", "helper", "app"])
    expect(words).toContain(expected);
  expect(await row.locator(".countdown .digits").innerText()).toMatch(/^(5\d:\d\d|1:00:00)$/);
  await until(() => engine.getTicket(id).state === "DELIVERED", "it is delivered");
  await until(async () => (await page.title()) === "(1) HAP", "the title counts it");
});

test("[WEB-LIVE-1] what is decided elsewhere leaves the list by itself", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Fix a typo");
  const page = await open();
  await page.locator(`[data-ticket="${id}"]`).waitFor();
  engine.approve(id, undefined, { by: person });
  await page.getByText("All quiet").waitFor();
  await page.getByRole("button", { name: "Decided" }).click();
  await page.locator(`[data-ticket="${id}"]`, { hasText: "Approved" }).waitFor();
});

test("[WEB-KEYS-1] j, k, Enter, Esc, x, / and ? do what the help says", async () => {
  const { engine, open } = await newWorld();
  const ids = ["first", "second", "third"].map((name) => smallChange(engine, `The ${name}`).id);
  const page = await open();
  await page.locator(".row").nth(2).waitFor();
  const focused = () => page.locator(".row.focused").getAttribute("data-ticket");
  const opened = () => page.locator(".row.open").getAttribute("data-ticket");
  // What is highlighted is what is open, whichever way one came.
  for (const [key, at] of [
    ["j", 0],
    ["j", 1],
    ["j", 2],
    ["k", 1],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForURL(`**/tickets/${ids[at]}`);
    expect([await focused(), await opened()]).toEqual([ids[at], ids[at]]);
  }
  await page.keyboard.press("x");
  await page.locator(".batch-count", { hasText: "1 selected" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname === "/");
  await page.keyboard.press("Escape");
  await page.locator(".batch-bar").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/tickets/${ids[1]}`);
  await page.waitForSelector(".detail-body");
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname === "/");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("third");
  await until(async () => (await page.locator(".row").count()) === 1, "only one row fits");
  expect(await page.locator(".row-summary").innerText()).toBe("The third");
});

test("[WEB-LIST-2] filters narrow by agent and kind, groups follow the person's choice", async () => {
  const { engine, open } = await newWorld();
  smallChange(engine, "A change");
  command(engine, "make", { from: "agent:builder" });
  question(engine, { type: "text" });
  const page = await open();
  await page.locator(".row").nth(2).waitFor();
  await page.getByRole("button", { name: "Filters and groups" }).click();
  await page
    .locator("#filters label", { hasText: /^Agent/ })
    .locator("select")
    .selectOption("agent:builder");
  await until(async () => (await page.locator(".row").count()) === 1, "one agent's tickets");
  expect(await page.locator(".row-summary").innerText()).toBe("Run make");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.locator(".row").nth(2).waitFor();
  await page.getByLabel("Group by").selectOption("agent");
  await until(async () => (await page.locator(".group").count()) === 3, "a group for each agent");
  expect((await page.locator(".group").allInnerTexts()).map((words) => words.split(/\s/)[0])).toEqual([
    "helper",
    "builder",
    "asker",
  ]);
});

test("[WEB-LIST-2, WEB-URL-1] somebody else's tickets are under All for an owner, and are not delivered by looking", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "For Sam", { to: "human:sam" });
  const page = await open();
  // An empty inbox is not an empty desk.
  await page.getByText("1 open ticket is for someone else.").waitFor();
  await page.getByRole("button", { name: "Show all open tickets" }).click();
  await page.locator(`[data-ticket="${id}"]`, { hasText: "for sam" }).waitFor();
  // The tab and what is looked for stand in the address, also beside an open ticket and after a reload.
  expect(new URL(page.url()).search).toBe("?tab=all");
  await page.reload();
  await page.locator(`[data-ticket="${id}"]`, { hasText: "for sam" }).waitFor();
  await openRow(page, "For Sam");
  await page.getByText("This ticket is for sam").waitFor();
  expect(engine.getTicket(id).state).toBe("PENDING");
});

test("[WEB-LIST-1, LIST-TEXT-1] ten thousand tickets: few rows are drawn, and only the pages that were scrolled to are delivered", async () => {
  const { engine, open } = await newWorld();
  for (let batch = 0; batch < 10; batch++)
    await Promise.all(
      Array.from({ length: 1000 }, (_, at) => engine.later(() => smallChange(engine, `Change #${batch * 1000 + at}`))),
    );
  const page = await open();
  await page.locator(".row").first().waitFor();
  const list = page.locator(".list-pane .scroll");
  expect(await page.locator(".row").count()).toBeLessThan(40);
  const loaded = () => list.evaluate((element) => element.scrollHeight);
  // Again and again: the list also grows because rows that are drawn are measured.
  const scrolled = async (holds: () => Promise<boolean>) => {
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    return holds();
  };
  for (let rounds = 0; rounds < 12; rounds++) {
    const before = await loaded();
    await until(() => scrolled(async () => (await loaded()) > before), "the next page is loaded");
    expect(await page.locator(".row").count()).toBeLessThan(40);
  }
  const lastDrawn = async () => Number(/#(\d+)/.exec(await page.locator(".row").last().innerText())?.[1]);
  await until(() => scrolled(async () => (await lastDrawn()) >= 700), "the rows scrolled to are drawn");
  expect(await page.locator(".badge").innerText()).toMatch(/^10,000/);
  expect(engine.list({ state: ["PENDING"], limit: 1 }).tickets[0]?.intent.summary).toBe("Change #9999");
  // What no page has loaded is found, and only what is found is delivered. (A bare number might stand in a ticket's id too.)
  await page.getByLabel("Search in tickets").fill("change #8765");
  await page.locator(".row", { hasText: "Change #8765" }).waitFor();
  expect(await page.locator(".row").count()).toBe(1);
  await page.getByLabel("Search in tickets").fill("change #0000");
  await page.getByText("No results.").waitFor();
  const delivered = new Set(engine.list({ state: ["DELIVERED"], limit: 1000 }).tickets.map(({ intent }) => intent.summary));
  expect(delivered.has("Change #8765")).toBe(true);
  expect(delivered.has("Change #8764")).toBe(false);
}, 240_000);

test("[WEB-NOTICE-1] out of view, a new ticket calls by notification, with its count in the title and nothing of the action", async () => {
  const { engine, open, url } = await newWorld();
  const page = await open();
  // What is there when the list is first loaded calls nobody.
  await page.getByText("All quiet").waitFor();
  await page.context().grantPermissions(["notifications"], { origin: url });
  await page.evaluate(() => {
    const shown: { title: string; body: string | undefined }[] = [];
    class Recorder {
      static permission = "granted";
      onclick: (() => void) | null = null;
      constructor(title: string, options: { body?: string }) {
        shown.push({ title, body: options.body });
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorder, shown });
    Object.defineProperty(document, "hasFocus", { value: () => false, configurable: true });
  });
  command(engine, "cat /etc/secret-name");
  await page.locator(".row").waitFor();
  const shown = await page.evaluate(() => (window as unknown as { shown: { title: string; body: string }[] }).shown);
  expect(shown).toEqual([{ title: "helper asks", body: "May I run command?" }]);
  await page.evaluate(() => Object.defineProperty(document, "hasFocus", { value: () => true, configurable: true }));
  command(engine, "ls");
  await page.locator(".row").nth(1).waitFor();
  expect(await page.evaluate(() => (window as unknown as { shown: unknown[] }).shown.length)).toBe(1);
  await until(async () => (await page.title()) === "(2) HAP", "the title counts both");
});
