// hap space on a real PostgreSQL.
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestServer } from "../../core/test/postgres/test-server.ts";
import { World } from "./hap.ts";

let postgres: TestServer;
let env: Record<string, string>;
const world = new World();
beforeAll(async () => {
  postgres = await TestServer.start();
  env = { HAP_DATABASE_URL: await postgres.database() };
});
afterAll(() => postgres?.stop());

test("[SPACE-LIMIT-1] spaces are created, limited, listed and archived", async () => {
  const hap = (...args: string[]) => world.ok(["space", ...args], { env });
  expect(await hap("create", "team-b")).toContain("/s/team-b/");
  expect(await hap("limit", "team-b")).toBe("team-b has no limits.\n");
  await hap("limit", "team-b", "--open-tickets", "5");
  expect(await hap("limit", "team-b", "--requests-per-minute", "60")).toBe(
    "team-b: at most 5 open tickets, and 60 requests a minute on each server.\n",
  );
  expect(await world.run(["space", "limit", "team-b", "--open-tickets", "0"], { env })).toMatchObject({ code: 2 });
  expect(await world.run(["space", "limit", "nowhere"], { env })).toMatchObject({ code: 2 });
  expect(await world.run(["space", "limit", "team-b", "--none"], { env: { ...env, HAP_AGENT_ID: "agent:x" } })).toMatchObject({
    code: 3,
  });
  expect(await hap("limit", "team-b", "--none")).toBe("team-b has no limits.\n");
  await hap("archive", "team-b");
  expect(await hap("list")).toMatch(/^team-b {2}0 events, archived /m);
});
