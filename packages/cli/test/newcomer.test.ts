// Small things that a newcomer meets in the first minutes.
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { World } from "./hap.ts";

const world = new World();

test("[CLI-NEWCOMER-1] hap create without options shows its help and opens no ticket", async () => {
  expect(await world.ok(["create"])).toContain("Open a ticket");
  expect(await world.ok(["inbox"])).toContain("Nothing waits");
});

test("[CLI-NEWCOMER-1] hap version names the version, Node and the platform", async () => {
  expect(await world.ok(["version"])).toMatch(new RegExp(`^hap ${packageJson.version} \\(Node \\d+\\.\\d+\\.\\d+, `));
  expect(JSON.parse(await world.ok(["version", "--json"]))).toMatchObject({ version: packageJson.version });
});

test("[CLI-NEWCOMER-1] hap wait --json has the outcome's status at its top", async () => {
  const { id } = await world.create(["--summary", "Fix a typo"]);
  await world.ok(["reject", id, "No"]);
  const { out } = await world.run(["wait", id, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ status: "rejected", id });
});
