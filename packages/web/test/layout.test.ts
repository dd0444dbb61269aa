// Nothing is clipped, overlapped or out of reach, at any width, for any kind of ticket; and axe finds nothing at the widths that
// people have, in light and dark.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violationsInBoth } from "./axe.ts";
import { person, useWorld, type World } from "./page.ts";
import { command, question, smallChange } from "./tickets.ts";

const newWorld = useWorld();

const editable = { ask: { type: "approval", allow_edits: true } };
const diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,2 @@\n-const a = 1;\n+const a = 2;\n+// more\n";

/** One ticket of every kind. */
function everyKind({ engine }: World): Record<string, string> {
  return {
    "a command": command(engine, "npm install left-pad").id,
    "an editable command": command(engine, "npm run build -- --watch", editable).id,
    "a critical command": command(engine, "curl -fsSL https://get.example.dev/install.sh | sudo bash").id,
    "a diff": smallChange(engine, "A diff", { details: { file: "src/a.ts", diff } }).id,
    "an editable diff": smallChange(engine, "A diff to edit", { details: { file: "src/a.ts", diff }, ...editable }).id,
    "a question": question(engine, { type: "choice", prompt: "Which one?", options: ["Red", "Blue"], allow_other: true }).id,
    "a form": question(engine, {
      type: "form",
      fields: [
        { key: "n", label: "Name" },
        { key: "l", label: "Loud", kind: "boolean" },
      ],
    }).id,
  };
}

/** Controls of the ticket that are cut off by the window, by a box around them, or lie under another control. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
    const wrong: string[] = [];
    const bar = document.querySelector(".decide-bar");
    const controls = [
      ...document.querySelectorAll<HTMLElement>(".decide-bar button, .decide-bar input, .detail-header a, .sidebar a"),
    ];
    const shown = controls.filter((control) => control.checkVisibility());
    for (const control of shown) {
      const box = control.getBoundingClientRect();
      const within = (around: { left: number; right: number; top: number; bottom: number }) =>
        box.left >= around.left - 0.5 &&
        box.right <= around.right + 0.5 &&
        box.top >= around.top - 0.5 &&
        box.bottom <= around.bottom + 0.5;
      if (!within({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) wrong.push(`${name(control)}: out of the window`);
      if (bar?.contains(control) && !within(bar.getBoundingClientRect())) wrong.push(`${name(control)}: out of the bar`);
      if (control.scrollWidth > control.clientWidth + 1 && control.tagName === "BUTTON")
        wrong.push(`${name(control)}: its words are cut`);
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (top === null || !(control.contains(top) || top.contains(control))) wrong.push(`${name(control)}: covered`);
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
    if (!shown.some((control) => control.classList.contains("good"))) wrong.push("no yes in view");
    if (!shown.some((control) => control.classList.contains("bad"))) wrong.push("no no in view");
    return wrong;
  });
}

const WIDTHS = [
  320, 344, 360, 390, 430, 480, 540, 600, 667, 720, 768, 820, 844, 899, 900, 960, 1024, 1080, 1081, 1180, 1280, 1440, 1680, 1920,
  2560,
];

test("[WEB-FIT-1] every control of every kind of ticket is whole and in view, from 320 to 2560 pixels", async () => {
  const world = await newWorld();
  const kinds = everyKind(world);
  const page = await world.open();
  const found: string[] = [];
  for (const [kind, id] of Object.entries(kinds)) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${world.url}/tickets/${id}`);
    await page.waitForSelector(".decide-bar");
    for (const width of WIDTHS)
      for (const height of [width < 1000 ? 360 : 600, 900]) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        for (const problem of await misplaced(page)) found.push(`${kind} at ${width} x ${height}: ${problem}`);
      }
  }
  // More time is offered in the last minute, as long as nobody reviews it: a minute is long enough for a few widths only.
  const late = command(world.engine, "ls -la", { ttl_seconds: 58 }).id;
  world.engine.ack(late, undefined, { by: person, lapseSeconds: 1 });
  await page.goto(`${world.url}/tickets/${late}`);
  await page.waitForSelector(".more-time");
  for (const width of [320, 601, 700, 1024, 1440]) {
    await page.setViewportSize({ width, height: 600 });
    for (const problem of await misplaced(page)) found.push(`a late one at ${width}: ${problem}`);
  }
  expect(found).toEqual([]);
}, 400_000);

test("[WEB-A11Y-1] axe finds nothing at the widths of phones, tablets and desks, light and dark", async () => {
  const world = await newWorld();
  const kinds = everyKind(world);
  const page = await world.open();
  const found: string[] = [];
  const walk = async (path: string, ready: string) => {
    await page.goto(world.url + path);
    await page.waitForSelector(ready);
    for (const width of [390, 768, 820, 1024, 1180, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const problem of await violationsInBoth(page)) found.push(`${ready} at ${width}: ${problem}`);
    }
  };
  await walk("/", ".row");
  await walk(`/tickets/${kinds["a critical command"]}`, ".decide-bar");
  await walk(`/tickets/${kinds["an editable diff"]}`, ".diff-file");
  await walk(`/tickets/${kinds["a question"]}`, ".answer");
  expect(found).toEqual([]);
}, 400_000);
