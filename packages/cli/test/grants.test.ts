// hap grant, hap grants and hap policy test: the real program, with a person at a pseudo-terminal (D43).
import type { GrantView } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { bare, World } from "./hap.ts";

const OPTIONS = ["--agent", "agent:ci", "--command", "npm install *", "--project", ".", "--for", "2h", "--uses", "20"];

describe("hap grant", () => {
  test("[GRANT-CLI-1] makes, lists, shows and ends a grant; the phrase is typed at the terminal", async () => {
    const world = new World();
    const details = JSON.stringify({ command: "npm install left-pad" });
    const ask = ["--from", "agent:ci", "--kind", "run_command", "--details", details];
    const ticket = await world.create([...ask, "--project", `${world.folder}/work`]);
    const preview = await world.ok(["grant", "preview", ...OPTIONS]);
    expect(preview).toContain("It would have answered 1 of the last 1 tickets");
    // Without a terminal, nobody types a phrase.
    expect(await world.run(["grant", "create", ...OPTIONS])).toMatchObject({ code: 3, err: expect.stringContaining("terminal") });
    const typed = await world.atTerminal(["grant", "create", ...OPTIONS], {
      columns: 200,
      replies: [{ expect: "type:  (allow agent:ci [0-9a-z]{4})", send: "{0}\r" }],
    });
    expect(bare(typed.screen)).toContain(ticket.id);
    expect(bare(typed.screen)).toMatch(/Granted: gr_\w+/);
    const [grant] = await world.json<GrantView[]>(["grants"]);
    expect(grant).toMatchObject({ agent: "agent:ci", left: 20, state: "active", confirmed: true });
    const id = grant?.id ?? "";
    expect(await world.ok(["grants"])).toContain(id);
    expect(await world.ok(["grants", "--unused"])).toContain("No grants");
    expect(await world.ok(["grant", "show", id])).toContain("agent:ci may run `npm install *`");
    expect(await world.ok(["grant", "end", id])).toContain("used 0 times");
    expect(await world.ok(["grants"])).toContain("No grants");
    expect(await world.ok(["verify"])).toContain("OK");
  });

  test("[GRANT-CLI-1] refuses an agent, and a grant without a time", async () => {
    const world = new World();
    const agent = { env: { HAP_AGENT_ID: "agent:ci" } };
    expect(await world.run(["grant", "create", ...OPTIONS], agent)).toMatchObject({ code: 3 });
    expect(await world.run(["grant", "end", "gr_x"], agent)).toMatchObject({ code: 3 });
    expect(await world.ok(["grants"], agent)).toContain("No grants");
    const endless = await world.run(["grant", "create", "--agent", "ci", "--command", "make"]);
    expect(endless).toMatchObject({ code: 2, err: expect.stringContaining("--for 2h") });
  });
});

test("[INSIGHT-FACES-1] hap insights shows asks by agent and what was decided without you; an agent is refused", async () => {
  const world = new World();
  await world.create(["--from", "agent:ci", "--kind", "run_command", "--details", JSON.stringify({ command: "make" })]);
  const shown = await world.ok(["insights"]);
  expect(shown).toMatch(/agent:ci +1 {2}#+ {2}busiest hour 1/);
  expect(shown).toMatch(/Decided without asking you\n {2}by grants +0/);
  expect(await world.json(["insights", "--days", "1"])).toMatchObject({ tickets: 1, asks: [{ agent: "agent:ci" }] });
  expect(await world.run(["insights", "--days", "x"])).toMatchObject({ code: 2 });
  expect(await world.run(["insights"], { env: { HAP_AGENT_ID: "agent:ci" } })).toMatchObject({ code: 3 });
});

describe("hap policy test", () => {
  test("[POLICY-TEST-1] tries a policy that nobody confirmed, and exits 1 when a case gets another verdict", async () => {
    const world = new World();
    const rules = [{ id: "no-push", match: { kind: "push" }, verdict: "deny", why: "Nobody pushes." }];
    const policy = world.file("next.json", JSON.stringify({ version: 1, rules }));
    const cases = (verdict: string) =>
      world.file(
        "cases.json",
        JSON.stringify({ cases: [{ name: "pushes", input: { kind: "push" }, expect: { verdict, rule: "no-push" } }] }),
      );
    const good = await world.ok(["policy", "test", cases("deny"), "--policy", policy]);
    expect(good).toContain("1 passed, 0 failed");
    const bad = await world.run(["policy", "test", cases("allow"), "--policy", policy]);
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining("FAIL  pushes: deny by no-push") });
    const none = await world.run(["policy", "test", world.file("empty.json", "{}"), "--policy", policy]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("no `cases`") });
  });
});
