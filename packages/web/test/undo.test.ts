// One yes that can be undone: the server holds it, so a closed tab changes nothing (D44).
import { describe, expect, test } from "vitest";
import { openRow, readToEnd, until, untilReady, useWorld } from "./page.ts";
import { command, smallChange } from "./tickets.ts";

describe("undo of a single yes", () => {
  const world = useWorld();
  const state = ({ engine }: { engine: { getTicket: (id: string) => { state: string } } }, id: string) =>
    engine.getTicket(id).state;

  test("[UNDO-PAGE-1] a notable yes is held, u takes it back, and the ticket can be decided again", async () => {
    const w = await world();
    const { id, tier } = command(w.engine, "npm install left-pad");
    expect(tier).toBe("notable");
    const page = await w.open();
    await page.evaluate(() =>
      localStorage.setItem("hap.preferences", JSON.stringify({ undoSeconds: { routine: 0, notable: 30 } })),
    );
    await page.reload();
    await openRow(page, "npm install");
    await untilReady(page);
    await page.keyboard.press("a");
    await page.locator(".held-bar").getByText("It takes effect in").waitFor();
    expect(state(w, id)).not.toBe("APPROVED");
    await page.keyboard.press("u");
    await page.getByText("Undone. The ticket is open again.").waitFor();
    await untilReady(page);
    expect(w.engine.getEvents({ ticket: id }).filter(({ type }) => type.startsWith("intent."))).toEqual([]);
  });

  test("[UNDO-PAGE-2] a held yes is applied although the tab was closed, and the log has one decision", async () => {
    const w = await world();
    const { id } = command(w.engine, "npm install left-pad");
    const page = await w.open();
    await openRow(page, "npm install");
    await untilReady(page);
    const held = page.waitForResponse((response) => response.url().endsWith("/hold") && response.status() === 202);
    await page.keyboard.press("a");
    await held;
    await page.close();
    await until(() => state(w, id) === "APPROVED", "the server applied it");
    expect(w.engine.getEvents({ ticket: id }).filter(({ type }) => type.startsWith("intent."))).toHaveLength(1);
  });

  test("[UNDO-PAGE-3] a routine yes is not delayed by default, and the delay is a setting", async () => {
    const w = await world();
    const { id } = smallChange(w.engine, "Fix a typo");
    const page = await w.open();
    await openRow(page, "Fix a typo");
    await readToEnd(page);
    await untilReady(page);
    await page.keyboard.press("a");
    await page.locator(".outcome").waitFor();
    expect(state(w, id)).toBe("APPROVED");
    await page.goto(`${w.url}/settings`);
    await page.getByLabel("Routine tickets").selectOption("5");
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem("hap.preferences") ?? "{}").undoSeconds)).toEqual({
      routine: 5,
      notable: 3,
    });
  });

  test("[KEYMAP-ONE-2] ? shows the keymap's keys, and n and p jump between files", async () => {
    const w = await world();
    const file = (name: string) =>
      `--- a/${name}\n+++ b/${name}\n@@ -1,40 +1,40 @@\n${Array.from({ length: 40 }, (_, at) => `-old ${at}\n+new ${at}`).join("\n")}\n`;
    smallChange(w.engine, "Three files", { details: { diff: ["a.txt", "b.txt", "c.txt"].map(file).join("") } });
    const page = await w.open();
    await openRow(page, "Three files");
    await page.locator(".diff-file").nth(2).waitFor({ state: "attached" });
    const atTop = () =>
      page.evaluate(() => {
        const top = document.querySelector(".detail-scroll")?.getBoundingClientRect().top ?? 0;
        return [...document.querySelectorAll(".diff-file")].findIndex(
          (one) => Math.abs(one.getBoundingClientRect().top - top) <= 2,
        );
      });
    await page.keyboard.press("n");
    await until(async () => (await atTop()) === 0, "the first file is at the top");
    await page.keyboard.press("n");
    await until(async () => (await atTop()) === 1, "the second file is at the top");
    await page.keyboard.press("p");
    await until(async () => (await atTop()) === 0, "the first file is at the top again");
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog");
    await sheet.getByText("Undo an approval that was not applied yet").waitFor();
    expect(await sheet.locator("kbd").allTextContents()).toContain("j ↓");
  });
});
