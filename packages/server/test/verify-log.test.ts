// A server verifies its log by itself (D21): at its start, on a schedule and from the last verified place; a violation is told everywhere.

import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { tamper } from "../../core/test/raw-store.ts";
import { doTampering, makeRichHistory, TAMPERINGS } from "../../core/test/tamperings.ts";
import { testStore, testWorld } from "../../core/test/test-world.ts";
import { type RunningServer, type ServeOptions, serve } from "../src/index.ts";

const template = testStore();
beforeAll(() => makeRichHistory(template.open({ world: testWorld() })));
afterAll(() => template.remove());

let store: ReturnType<typeof testStore>;
let server: RunningServer | null = null;
let receiver: Server | null = null;
const lines: string[] = [];
afterEach(async () => {
  await server?.close();
  server = null;
  receiver?.close();
  receiver = null;
  lines.length = 0;
  store.remove();
});

function putStore(): string {
  store = testStore();
  mkdirSync(dirname(store.path), { recursive: true });
  copyFileSync(template.path, store.path);
  return store.path;
}
async function start(options: ServeOptions = {}): Promise<RunningServer> {
  const place = { dbPath: store.path, home: store.folder, port: 0, humanId: "human:alex", world: testWorld() };
  server = await serve({ ...place, logLevel: "info", logLine: (line) => lines.push(line), ...options });
  return server;
}
const ready = async () => {
  const response = await fetch(`${server?.url}/readyz`);
  return { status: response.status, body: (await response.json()) as { violation?: string } };
};
const readOnly = () => vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 503 }), { timeout: 20_000 });

describe("a server", () => {
  it("[VERIFY-SERVER-1] verifies its log when it starts, and says so", async () => {
    putStore();
    await start();
    await vi.waitFor(() => expect(lines.join("")).toContain("Log verified"), { timeout: 20_000 });
    expect((await ready()).status).toBe(200);
    expect(server?.engine.lastVerification()).toMatchObject({ ok: true, chain_only: false });
  });

  it.each(TAMPERINGS)(
    "[VERIFY-TAMPER-1, VERIFY-SERVER-1] that starts on a store with %s is read-only, and not ready",
    async (...one) => {
      const path = putStore();
      const database = new DatabaseSync(path);
      doTampering(database, one);
      database.close();
      await start();
      await readOnly();
      expect((await ready()).body.violation).toMatch(one[2]);
    },
  );

  it("[VERIFY-SERVER-2] tells a violation in the log, in metrics and to owners' webhooks, and again after a restart", async () => {
    const calls: string[] = [];
    receiver = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      calls.push(text);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const path = putStore();
    await start({ allowPrivateWebhooks: true });
    const url = `http://127.0.0.1:${port}/hook`;
    server?.engine.createWebhook({ url, events: ["ticket.ack"] }, "human:alex");
    await server?.close();
    tamper(path, (database) => database.exec("UPDATE directory SET name='human:mallory' WHERE name='human:sam'"));
    for (let round = 1; round <= 2; round++) {
      await start({ allowPrivateWebhooks: true });
      await readOnly();
      await vi.waitFor(() => expect(calls).toHaveLength(round), { timeout: 20_000 });
      expect(JSON.parse(calls.at(-1) as string)).toMatchObject({ type: "log.violation", data: { read_only: true } });
      expect(lines.join("")).toContain("The store is read-only: its log does not verify");
      const metrics = await (await fetch(`${server?.url}/metrics`)).text();
      expect(metrics).toMatch(/^hap_store_read_only 1$/m);
      expect(() => server?.engine.createTicket({ to: "human:alex" })).toThrow(/read-only/);
      await server?.close();
    }
  });

  it("[VERIFY-SERVER-3] finds on its schedule what is changed while it runs, in what is new and in the whole", async () => {
    const path = putStore();
    await start({ verifyTailMs: 50, verifyEveryMs: 100 });
    await vi.waitFor(() => expect(lines.join("")).toContain("Log verified"), { timeout: 20_000 });
    server?.engine.createTicket({ to: "human:alex" });
    tamper(path, (database) => database.exec("UPDATE quotas SET open_tickets=0 WHERE agent='agent:local'"));
    await readOnly();
  });

  it("[VERIFY-SERVER-3] finds from the last verified place that the log was cut off or changed", async () => {
    const path = putStore();
    await start({ verifyTailMs: 50, verifyEveryMs: 3_600_000 });
    await vi.waitFor(() => expect(lines.join("")).toContain("Log verified"), { timeout: 20_000 });
    tamper(path, (database) => database.exec("DELETE FROM events WHERE seq=(SELECT max(seq) FROM events)"));
    await readOnly();
    expect((await ready()).body.violation).toMatch(/which verified before, is not there any more/);
  });
});
