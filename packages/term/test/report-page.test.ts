// The report's page in a real browser: what a person can do with it, and what an agent cannot do to it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "../../../test/support/chromium.ts";
import { lineAgent, temporaryFolder } from "./support.ts";

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;
const hello = new URL("../tasks/hello-world", import.meta.url).pathname;
const folder = temporaryFolder();
const term = (...args: string[]) => spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: "utf8" });
/** What an agent and a terminal may try: to become part of the page. */
const HOSTILE = "</script><img src=x onerror=\"document.title='taken'\"><b>bold</b>";

/** Longer than anything takes. */
const patient = { timeout: 45_000 };

let browser: Browser;
let page: Page;
const errors: string[] = [];
const requested: string[] = [];

beforeAll(async () => {
  const agent = lineAgent(folder, [
    { command: "echo 'Hello, world!' > hello.txt", text: "First the file." },
    { command: String.raw`printf '\033[31mred\033[0m plain \033[1;4;38;2;1;2;3;48;5;21mloud\033[0m \033[7mback\033[0m\n'` },
    { command: "for i in one two three; do echo $i; sleep 0.1; done" },
    { command: `echo ${JSON.stringify(HOSTILE)}; false`, text: HOSTILE },
    { task_complete: true, text: `done ${HOSTILE}` },
  ]);
  expect(term("run", "--agent", agent, "--task", hello, "--out", "good", "--quiet").status).toBe(0);
  expect(term("run", "--agent", "exit 7", "--task", hello, "--out", "bad", "--quiet").status).toBe(3);
  expect(term("report", "good", "bad", "--html", "report.html").status).toBe(0);
  browser = await startChromium();
  page = await browser.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => errors.push(message.text()));
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`file://${join(folder, "report.html")}`);
});

afterAll(() => browser?.close());

const trial = (name: string) => page.locator("details", { has: page.locator(`summary b:text-is("${name}")`) });

describe("the report's page", () => {
  test("[TERM-RESULT-3] shows rates with their interval, and each result to choose from", async () => {
    expect(await page.locator("tbody tr").first().innerText()).toMatch(
      /hello-world\s+2\s+1\s+50 %\s+9 % to 91 %\s+0\.50.*1 passed, 1 crashed/s,
    );
    await page.getByRole("button", { name: "crashed 1" }).click();
    expect(await page.locator("details:visible summary b").allInnerTexts()).toEqual(["bad/hello-world.1"]);
    await page.getByRole("button", { name: "all 2" }).click();
    expect(await page.locator("details:visible").count()).toBe(2);
  });

  test("[TERM-RESULT-3] a trajectory is stepped through, by buttons and by keys, from one end to the other", async () => {
    const good = trial("good/hello-world.1");
    await good.locator("summary").click();
    const shown = async () =>
      Promise.all([".where", ".said", ".command", ".output", ".end"].map((part) => good.locator(part).textContent()));
    await expect
      .poll(shown, patient)
      .toEqual([
        "step 1 of 5",
        "First the file.",
        "$ echo 'Hello, world!' > hello.txt",
        "",
        expect.stringMatching(/^exit code 0, \d/),
      ]);
    const next = good.getByRole("button", { name: "next step" });
    const back = good.getByRole("button", { name: "previous step" });
    expect(await back.isDisabled()).toBe(true);
    await next.click();
    await next.click();
    expect((await shown())[3]).toBe("one\ntwo\nthree");
    await next.press("ArrowRight");
    expect((await shown())[4]).toMatch(/^exit code 1/);
    await next.click();
    expect(await shown()).toEqual(["step 5 of 5", `done ${HOSTILE}`, "", "", "complete"]);
    expect(await next.isDisabled()).toBe(true);
    await back.press("ArrowLeft");
    expect((await shown())[0]).toBe("step 4 of 5");
  });

  test("[TERM-RESULT-3] a recording plays to its end, stops where it is told, and goes where it is pulled", async () => {
    const good = trial("good/hello-world.1");
    const screen = good.locator(".screen");
    const position = good.getByRole("slider", { name: "position" });
    const play = good.locator("[data-do=play]");
    expect(await screen.textContent()).not.toContain("two\nthree");
    // In one moment of the page: the recording may be over before a slow machine has looked.
    const said = await play.evaluate((button: HTMLElement) => {
      const words: (string | null)[] = [];
      for (let presses = 0; presses < 2; presses++) {
        button.click();
        words.push(button.textContent);
      }
      return words;
    });
    expect(said).toEqual(["stop", "play"]);
    await play.click();
    await expect.poll(() => screen.textContent(), patient).toContain(HOSTILE);
    await expect.poll(() => play.textContent(), patient).toBe("play");
    expect(await position.inputValue()).toBe(await position.getAttribute("max"));
    expect(await screen.textContent()).toMatch(/one\ntwo\nthree/);
    await position.fill("0");
    expect(await screen.textContent()).not.toContain("two\nthree");
  });

  test("[TERM-RESULT-5] a recording has the colours of the terminal", async () => {
    const good = trial("good/hello-world.1");
    const position = good.getByRole("slider", { name: "position" });
    await position.fill((await position.getAttribute("max")) ?? "");
    const looks = (text: string) =>
      good.locator(`.screen span:text-is("${text}")`).evaluate((span) => {
        const { color, backgroundColor, fontWeight, textDecorationLine } = getComputedStyle(span);
        return [color, backgroundColor, fontWeight, textDecorationLine];
      });
    const none = "rgba(0, 0, 0, 0)";
    expect(await looks("red")).toEqual(["rgb(240, 113, 107)", none, "400", "none"]);
    expect(await looks("loud")).toEqual(["rgb(1, 2, 3)", "rgb(0, 0, 255)", "700", "underline"]);
    expect(await looks("back")).toEqual(["rgb(20, 22, 26)", "rgb(216, 218, 222)", "400", "none"]);
    expect(await good.locator(".screen").textContent()).toContain("red plain loud back");
    expect(await good.locator('.screen span:has-text("plain")').count()).toBe(1);
  });

  test("[TERM-RESULT-3] a trial that never began says so, and has nothing to play", async () => {
    const bad = trial("bad/hello-world.1");
    await bad.locator("summary").click();
    // The page fills a trial in after the browser has opened it.
    await expect
      .poll(() => bad.locator(".said").textContent(), patient)
      .toMatch(/ended with exit code 7 before the task was complete/);
    await expect.poll(() => bad.locator(".time").textContent(), patient).toBe("no recording");
    expect(await bad.locator("[data-do=play]").isDisabled()).toBe(true);
  });

  test("[TERM-RESULT-4] what agents and terminals said stays text, and the page asks the network for nothing", async () => {
    expect(await page.title()).toBe("term: good, bad");
    expect(await page.locator("img, details b:text-is('bold')").count()).toBe(0);
    expect(errors).toEqual([]);
    expect(requested).toEqual([`file://${join(folder, "report.html")}`]);
  });

  test("[TERM-RESULT-3] fits a narrow window", async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  });
});
