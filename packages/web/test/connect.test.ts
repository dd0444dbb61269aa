import { expect, test } from "vitest";
import { violations } from "./axe.ts";
import { person, until, useWorld } from "./page.ts";

const newWorld = useWorld();

test("[WEB-WELCOME-1] an empty inbox offers a sample ticket, whose waiting agent wakes when it is decided", async () => {
  const { engine, open } = await newWorld();
  const page = await open("/", { viewport: { width: 1280, height: 3000 } });
  await page.getByRole("button", { name: "Try it: open a sample ticket" }).click();
  await page.waitForURL("**/tickets/tk_*");
  const [ticket] = engine.listPending({ from: "agent:sample" });
  expect(ticket).toMatchObject({ to: person, tier: "routine" });
  const id = ticket?.id as string;
  await page
    .getByRole("button", { name: /Approve/ })
    .first()
    .click();
  await until(() => engine.getTicket(id).heard_at !== null, "the sample agent has read the decision");
  expect(engine.getTicket(id).state).toBe("APPROVED");
  expect(JSON.stringify(engine.getResolvedEvents({ ticket: id }))).toContain(
    "The sample agent woke up. It read: Approved by human:alex",
  );
  await page.goto(new URL("/", page.url()).href);
  await page.getByText("The sample agent woke up and read your decision.").waitFor();
});

test("[WEB-FIRST-2] each way to connect has its command, and says once its agent or the canary has asked", async () => {
  const { engine, open } = await newWorld();
  const page = await open();
  const way = (name: string) => page.locator(`[data-way="${name}"]`);
  await way("claude").getByText("hap claude", { exact: true }).waitFor();
  await way("codex").getByText("hap codex", { exact: true }).waitFor();
  await way("mcp").getByText('"command":"hap"').waitFor();
  await way("own").getByText("hap create").waitFor();
  for (const name of ["claude", "codex", "mcp", "own"]) await way(name).getByText("Not connected yet").waitFor();
  expect(await violations(page)).toEqual([]);
  const asks = (from: string, kind: string) => {
    const { id } = engine.createTicket({ to: person, from, kind, summary: "Something" });
    engine.cancel(id, undefined, { by: person });
  };
  asks("agent:claude-code", "tool.hapdoctorcanary");
  await way("claude").getByText("the canary of hap doctor was refused").waitFor();
  asks("agent:mine", "deploy");
  await way("own")
    .getByText(/^Connected, asked/)
    .waitFor();
  await way("codex").getByText("Not connected yet").waitFor();
});
