// Numbers on the page are the server's, not those of what is loaded.
import { describe, expect, test } from "vitest";
import { until, useWorld } from "./page.ts";
import { smallChange } from "./tickets.ts";

describe("counts", () => {
  const world = useWorld();

  test("[COUNT-PAGE-1] badge, title, groups and list show totals although one page is loaded", async () => {
    const { engine, open } = await world();
    for (let at = 0; at < 75; at++)
      smallChange(engine, at === 74 ? "Unicorn" : `Change ${at}`, at < 5 ? { priority: "high" } : {});
    const page = await open();
    await page.locator(".badge", { hasText: "75" }).waitFor();
    await page.locator(".list-total", { hasText: "75 tickets" }).waitFor();
    await page.locator(".group", { hasText: "High" }).getByText("5").waitFor();
    await until(async () => (await page.title()) === "(75) HAP", "the title counts all");
    await page.getByRole("searchbox").fill("Unicorn");
    await page.locator(".list-total", { hasText: "1 found" }).waitFor();
    expect(await page.locator(".badge").textContent()).toContain("75");
  });

  test("[COUNT-PAGE-1] an empty inbox says how many tickets are for others, and no policy is no error", async () => {
    const { engine, open, url } = await world();
    smallChange(engine, "For Sam", { to: "human:sam" });
    const errors: string[] = [];
    const page = await open();
    page.on("response", (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    await page.getByText("1 open ticket is for someone else.").waitFor();
    await page.getByRole("button", { name: "Show all open tickets" }).click();
    await page.locator(".row-link", { hasText: "For Sam" }).waitFor();
    await page.goto(`${url}/settings`);
    await page.getByRole("heading", { name: "Rules" }).waitFor();
    await until(
      () =>
        page
          .getByText("No policy")
          .count()
          .then((n) => n > 0),
      "the rules are shown",
    );
    expect(errors).toEqual([]);
  });
});
