// hap push keys, and a server that finds them.
import { chmodSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { World } from "./hap.ts";

test("[PUSH-KEYS-1] hap push keys makes them once, for their owner alone, and hap serve refuses a file that others read", async () => {
  const world = new World();
  const agent = await world.run(["push", "keys", "--contact", "mailto:a@example.org"], { env: { HAP_AGENT_ID: "agent:ci" } });
  const made = await world.json<{ path: string; public_key: string }>(["push", "keys", "--contact", "mailto:a@example.org"]);
  expect(made.path).toBe(join(dirname(world.dbPath), "push-keys.json"));
  const kept = JSON.parse(readFileSync(made.path, "utf8")) as Record<string, string>;
  expect(kept).toMatchObject({ public_key: made.public_key, contact: "mailto:a@example.org" });
  expect(JSON.stringify(made)).not.toContain(kept.private_key);
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
  const again = await world.run(["push", "keys", "--contact", "mailto:a@example.org"]);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("exists")]);
  chmodSync(made.path, 0o644);
  const open = await world.run(["serve", "--port", "0"]);
  expect([open.code, open.err]).toEqual([2, expect.stringContaining("chmod 600")]);
  expect(agent.code).not.toBe(0);
});
