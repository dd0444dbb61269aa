// What axe finds wrong with a page as it is.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Check all rules in light; in dark only the colours are others, so only contrast is checked again. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await violations(page, ["color-contrast"])).map((found) => `dark: ${found}`)];
}

export async function violations(page: Page, rules: string[] | null = null): Promise<string[]> {
  // Colours that are still on their way to others are no colours to judge.
  // They are brought to their end instead of waited for: one that is paused, or in a page that draws no frame, never ends by itself.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });
  // The page's policy lets no script in, so that the check comes in past it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async (only) => {
    const { axe: checker } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const options = { resultTypes: ["violations"], ...(only === null ? {} : { runOnly: only }) };
    return (await checker.run(options)).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
  }, rules);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
