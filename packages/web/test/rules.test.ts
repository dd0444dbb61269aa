// Rules as fields, with their JSON one click away; and names of agents on tickets.
import { describe, expect, test } from "vitest";
import { person, useWorld } from "./page.ts";
import { smallChange } from "./tickets.ts";

describe("settings and names", () => {
  const world = useWorld();

  test("[RULE-EDIT-1] a rule is added and changed by fields, and what the fields do not show stays in the JSON", async () => {
    const { open } = await world();
    const page = await open("/settings");
    const rules = page.locator(".card", { hasText: "Rules allow, ask or deny" });
    await rules.getByRole("button", { name: "Add a rule" }).click();
    const rule = rules.locator(".rule").last();
    await rule.getByLabel("Verdict").selectOption("deny");
    await rule.getByLabel("Commands, one per line").fill("git push -f\ngit reset --hard");
    await rules.getByRole("button", { name: "Show as JSON" }).click();
    const text = await rules.getByLabel("The policy").inputValue();
    expect((JSON.parse(text) as { rules: unknown[] }).rules).toMatchObject([
      { id: "tests", match: { command: ["npm test", "npm run lint"] }, verdict: "allow" },
      { verdict: "deny", match: { kind: "run_command", command: ["git push -f", "git reset --hard"] } },
    ]);
    await rules.getByLabel("The policy").fill("not JSON");
    await rules.getByRole("button", { name: "Show as JSON" }).click();
    await rules.getByText("too complex for this form").waitFor();
  });

  test("[AGENT-NAME-1] a ticket shows the name that people gave its agent, in list and header", async () => {
    const { engine, open } = await world();
    const { agent } = engine.joinAgent({ agent_runtime: "codex", project_dir: "/src/app" });
    engine.labelAgent(agent, { name: "Parser", group: null }, person);
    const { id } = smallChange(engine, "Fix a typo", { from: agent });
    const page = await open(`/tickets/${id}`);
    await page.locator(".row .agent-name", { hasText: "Parser" }).waitFor();
    await page.locator(".detail-header .agent-name", { hasText: "Parser" }).waitFor();
  });
});
