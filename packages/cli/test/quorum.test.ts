// Several people for one ticket, through the real program (D45).
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ticket } from "@hap/protocol";
import { expect, test } from "vitest";
import { bare, World } from "./hap.ts";

test("[QUORUM-CLI-1] hap show, inbox, approve and wait say who approved and how many are missing", async () => {
  const world = new World();
  const rule = { id: "two", match: { kind: "deploy" }, verdict: "ask", why: "Two.", quorum: { need: 2, of: ["group:team"] } };
  const text = JSON.stringify({ version: 1, groups: { team: ["human:sam", "human:kim"] }, rules: [rule] });
  const path =
    (await world.json<{ path: string }>(["policy", "show"]).catch(() => null))?.path ?? join(world.folder, ".hap", "policy.json");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  await world.atTerminal(["policy", "trust"], { replies: [{ expect: "type:  (trust policy [0-9a-z]{4})", send: "{0}\r" }] });
  const { id } = await world.create(["--from", "agent:ci", "--kind", "deploy"]);
  const as = (name: string) => ({ env: { HAP_HUMAN_ID: `human:${name}` } });
  expect(await world.ok(["inbox"], as("kim"))).toMatch(/0 of 2/);
  expect(await world.ok(["approve", id, "Tests", "are", "green"], as("kim"))).toContain(
    "Your approval is recorded: 1 of 2 approvals.",
  );
  const shown = bare(await world.ok(["show", id], as("sam")));
  expect(shown).toContain("Approvals: 1 of 2 (of team)");
  expect(shown).toMatch(/kim approved at .*: Tests are green/);
  expect(shown).toContain("waits for 1 of human:sam");
  expect(await world.run(["approve", id], as("mallory"))).toMatchObject({
    code: 3,
    err: expect.stringContaining("needs 2 of group:team"),
  });
  const waited = await world.run(["wait", id, "--timeout", "0"], { env: { HAP_AGENT_ID: "agent:ci" } });
  expect(waited.out + waited.err).toContain("1 of 2 approvals");
  expect(await world.ok(["approve", id], as("sam"))).toContain("Ticket approved!");
  const ended = await world.json<Ticket>(["show", id], as("sam"));
  expect(ended).toMatchObject({ state: "APPROVED", quorum: { yes: 2, votes: [{ by: "human:kim" }, { by: "human:sam" }] } });
  expect(await world.ok(["verify"])).toContain("OK");
});
