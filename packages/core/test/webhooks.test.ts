// Webhooks and the log (D18, D19, D21): who said where events go is on record, what signs is not, and an address can be erased.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { rebuildRows } from "../src/log/rebuild.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { forge, stranger } from "./forge.ts";
import { rows, tamper } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { testStore, testWorld } from "./test-world.ts";

const URL = "https://chat.example.org/hooks/alexandra-personal";
const owner = "human:alex";
let store: ReturnType<typeof testStore>;
let engine: HapEngine;

const open = () => store.open({ world: testWorld(), humanId: owner });
const inFiles = (text: string) => ["", "-wal"].some((end) => readFileSync(`${store.path}${end}`).includes(text));
const events = () => engine.getEvents().filter(({ type }) => type.startsWith("webhook."));

beforeEach(() => {
  store = testStore();
  engine = open();
});
afterEach(() => store.remove());

it("[HOOK-LOG-1] making and removing one are events with references and handles, and without the secret", () => {
  const { id, secret } = engine.createWebhook({ url: URL, filter: { person: "human:sam", tier: "critical" } }, owner);
  engine.removeWebhook(id, owner);
  const [made, removed] = events().map(({ payload }) => payload);
  expect(made).toMatchObject({
    type: "webhook.create",
    webhook_id: id,
    url: expect.stringMatching(/^text:sha256:/),
    filter: { person: expect.stringMatching(/^human:[0-9a-z]{26}$/), agent: null, kind: null, tier: "critical" },
    trust: "open",
  });
  expect(removed).toMatchObject({ type: "webhook.remove", webhook_id: id });
  const shown = JSON.stringify(engine.getResolvedEvents());
  expect(shown).toContain(URL);
  expect(shown).toContain('"person":"human:sam"');
  for (const text of [JSON.stringify(engine.getEvents()), shown]) expect(text).not.toContain(secret.slice(6, 30));
  expect(rows(store.path, "webhooks")).toMatchObject([{ id, secret: "" }]);
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  expect(engine.listWebhooks()).toEqual([]);
  expect(refusal(() => engine.removeWebhook(id, owner)).code).toBe("webhook_not_found");
});

it("[HOOK-LOG-1] rows are what the log makes of them, and a rebuilt one keeps its secret", () => {
  const kept = engine.createWebhook({ url: URL, events: ["ticket.create"] }, owner);
  engine.removeWebhook(engine.createWebhook({ url: URL }, owner).id, owner);
  engine.dispose();
  const database = new SqliteStore({ path: store.path });
  rebuildRows(database);
  expect(database.listWebhooks()).toMatchObject([{ id: kept.id, secret: kept.secret, events: ["ticket.create"] }]);
  expect(database.countWebhooks()).toBe(2);
  database.close();
  engine = open();
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
});

it.each([
  ["INSERT INTO webhooks SELECT 'whk_x', seq, record, removed, secret FROM webhooks", "the log does not know"],
  ['UPDATE webhooks SET record=replace(record, \'"tier":"critical"\', \'"tier":null\')', "not what the log makes of it"],
  ["DELETE FROM webhooks", "not what the log makes of it"],
])("[HOOK-LOG-1] verification finds what was put past the log: %s", (sql, words) => {
  engine.createWebhook({ url: URL, filter: { tier: "critical" } }, owner);
  engine.dispose();
  tamper(store.path, (database) => database.exec(sql));
  engine = open();
  const report = engine.verifyEventLog();
  expect(report).toMatchObject({ ok: false, violation: { message: expect.stringContaining(words) } });
});

it("[HOOK-LOG-1] verification finds events that no owner could have caused", () => {
  const { id } = engine.createWebhook({ url: URL }, owner);
  engine.dispose();
  forge(store.path, (log) => {
    const other = id.replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    log.append({ type: "webhook.remove", webhook_id: other, from: stranger, trust: "open" });
  });
  engine = open();
  expect(engine.verifyEventLog()).toMatchObject({
    ok: false,
    violation: { message: expect.stringContaining("no webhook in use") },
  });
});

it("[HOOK-ERASE-1] the address of a removed one is erased from every file, and the log still verifies", () => {
  const { id } = engine.createWebhook({ url: URL }, owner);
  expect(refusal(() => engine.eraseWebhook(id, owner))).toMatchObject({ code: "wrong_state" });
  engine.removeWebhook(id, owner);
  expect(inFiles("alexandra-personal")).toBe(true);
  expect(refusal(() => engine.eraseWebhook(id, "human:sam")).code).toBe("scope_missing");
  expect(engine.eraseWebhook(id, owner, "it held a name")).toMatchObject([{ field: "url" }]);
  expect(inFiles("alexandra-personal")).toBe(false);
  expect(JSON.stringify(engine.getResolvedEvents())).not.toContain("alexandra-personal");
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  expect(refusal(() => engine.eraseWebhook(id, owner)).code).toBe("content_erased");
  expect(refusal(() => engine.eraseWebhook("whk_none", owner)).code).toBe("webhook_not_found");
});
