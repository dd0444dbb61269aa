// Faults: killed nodes, a killed database, lines that are cut or fall silent. The long run: HAP_HAMMER_SECONDS, two minutes when it is not set.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hammer } from "./hammer.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-hammer-"));
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

it("[PG-FAULT-1] no acknowledged write is lost, and no ticket is decided twice", { timeout: 3_600_000 }, async () => {
  const done = await hammer(server, home, Number(process.env.HAP_HAMMER_SECONDS ?? 120));
  process.stdout.write(`${JSON.stringify(done)}\n`);
  expect(done.created).toBeGreaterThan(0);
  expect(done.decided).toBeGreaterThan(0);
});
