// hap import-draft on stores made with the draft's own SQL (7.2) and hash (6.6).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Ticket } from "@hap/protocol";
import { beforeEach, expect, test } from "vitest";
import { World } from "./hap.ts";

const SCHEMA = `
CREATE TABLE tickets (id TEXT PRIMARY KEY, "from" TEXT NOT NULL, "to" TEXT NOT NULL, intent TEXT NOT NULL, artifact TEXT,
  lease TEXT NOT NULL, risk REAL NOT NULL, priority TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'PENDING',
  created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE events (id TEXT PRIMARY KEY, type TEXT NOT NULL, ts TEXT NOT NULL, payload TEXT NOT NULL, prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL, created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE used_nonces (nonce TEXT PRIMARY KEY, ticket_id TEXT NOT NULL, used_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE config (key TEXT PRIMARY KEY, value TEXT NOT NULL);`;

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** Python's json.dumps(sort_keys=True, separators=(",", ":")), which escapes whatever is not ASCII. */
function dumps(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(dumps).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${dumps(key)}:${dumps(inner)}`).join(",")}}`;
  }
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

class DraftStore {
  readonly path: string;
  readonly #database: DatabaseSync;
  #head = "0".repeat(64);
  #events = 0;

  constructor(path: string) {
    this.path = path;
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode=WAL");
    this.#database.exec(SCHEMA);
  }

  ticket(id: string, state: string, more: Record<string, unknown> = {}): void {
    const values = {
      ...{ from: "agent:code_assist", to: "human:alex", risk: 0.22, priority: "normal", artifact: null },
      intent: { kind: "modify_file", summary: "Refactor authentication middleware", details: { file: "src/auth.ts" } },
      lease: { ttl_seconds: 3600, on_timeout: "auto_reject" },
      ...more,
    };
    this.#database
      .prepare(
        'INSERT INTO tickets (id, "from", "to", intent, artifact, lease, risk, priority, state) VALUES (?,?,?,?,?,?,?,?,?)',
      )
      .run(
        ...([id, values.from, values.to, JSON.stringify(values.intent)] as string[]),
        values.artifact === null ? null : JSON.stringify(values.artifact),
        ...([JSON.stringify(values.lease), values.risk, values.priority, state] as (string | number)[]),
      );
    this.event("ticket.create", { ticket: { id } });
  }

  event(type: string, payload: { [key: string]: Value }): void {
    const prev = this.#head;
    this.#head = createHash("sha256")
      .update(`${prev}||${dumps(payload)}`)
      .digest("hex");
    this.#database
      .prepare("INSERT INTO events (id, type, ts, payload, prev_hash, hash) VALUES (?,?,?,?,?,?)")
      .run(`evt_${++this.#events}`, type, "2025-10-29T10:05:30Z", JSON.stringify(payload), prev, this.#head);
  }

  run(sql: string): void {
    this.#database.exec(sql);
  }
}

let world: World;
let old: DraftStore;
beforeEach(() => {
  world = new World();
  old = new DraftStore(join(world.folder, "old.db"));
  old.ticket("tk_9f3", "DELIVERED");
  old.ticket("tk_abcdefghijklmnopqrst", "APPROVED", {
    intent: { kind: "run_command", summary: "Reboot", details: { command: "sudo reboot" } },
  });
  old.event("intent.sign", {
    intent: {
      ticket_id: "tk_abcdefghijklmnopqrst",
      from: "human:alex",
      decision: "approve",
      comment: "LGTM, größer ist besser 🚀",
    },
  });
  old.ticket("tk_expired01", "EXPIRED", {
    artifact: { type: "git_diff", diff_hash: `sha256:${"ab".repeat(32)}`, repo: "github.com/acme/app" },
  });
});

const imported = (...more: string[]) => world.run(["import-draft", old.path, ...more]);
const all = async () => (await world.json<Ticket[]>(["list", "--all", "--to", "anyone"])).reverse();

test("[IMPORT-DRAFT-1] open tickets wait again, ended ones keep the words of their end, and the old file is as it was", async () => {
  const before = readFileSync(old.path);
  const ran = await imported();
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toContain("The old log has 4 events; its hash chain verifies.");
  expect(ran.out).toContain("Imported: 1 ticket open, 2 tickets ended.");
  expect(ran.out).toMatch(/tk_9f3 is tk_[a-z0-9]{26} here/);
  expect(readFileSync(old.path)).toEqual(before);
  const [open, approved, expired] = await all();
  expect(open).toMatchObject({
    ...{ state: "DELIVERED", from: "agent:code_assist", to: "human:alex" },
    ...{ intent: { summary: "Refactor authentication middleware" }, lease: { ttl_seconds: 3600, on_timeout: "auto_reject" } },
  });
  expect(approved).toMatchObject({
    ...{ id: "tk_abcdefghijklmnopqrst", state: "CANCELED" },
    resolution: { outcome: "canceled", actor: { kind: "system", id: "system:import" } },
  });
  expect(approved?.resolution?.comment).toMatch(
    /ended as APPROVED at 2025-10-29T10:05:30Z by human:alex.*LGTM, größer ist besser 🚀/,
  );
  expect(expired).toMatchObject({ state: "CANCELED", artifact: { opaque: true, repo: "github.com/acme/app" } });
  expect(await world.run(["verify"])).toMatchObject({ code: 0 });
  expect(JSON.stringify(await world.json(["events", "--ticket", open?.id as string]))).toContain("ticket.note");
});

test("[IMPORT-DRAFT-1] a dry run writes nothing, and a second import finds what the first made", async () => {
  expect((await imported("--dry-run")).out).toContain("Would import: 1 ticket open, 2 tickets ended.");
  expect(await all()).toEqual([]);
  await imported();
  const events = await world.json<unknown[]>(["events"]);
  expect((await imported()).out).toContain("Imported: 0 tickets open, 0 tickets ended. 3 tickets imported before.");
  expect((await world.json<unknown[]>(["events"])).length).toBe(events.length);
});

test("[IMPORT-DRAFT-2] an old yes lets nothing run", async () => {
  await imported();
  const ran = await world.run(["run", "tk_abcdefghijklmnopqrst"], { env: { HAP_AGENT_ID: "agent:code_assist" } });
  expect(ran.code).not.toBe(0);
  expect(`${ran.out}${ran.err}`).toMatch(/cancel/i);
});

test("[IMPORT-DRAFT-2] a store whose chain is broken is refused, or says so on every ticket", async () => {
  old.run("UPDATE events SET payload=replace(payload,'approve','reject') WHERE type='intent.sign'");
  const refused = await imported();
  expect(refused).toMatchObject({ code: 7, err: expect.stringContaining("broken at event evt_3") });
  expect(await all()).toEqual([]);
  expect((await imported("--unverified")).out).toContain("its hash chain is BROKEN at evt_3");
  const [open] = await all();
  expect(
    (await world.run(["show", open?.id as string, "--history"])).out +
      (await world.ok(["events", "--ticket", open?.id as string])),
  ).toContain("broken at evt_3");
});

test("[IMPORT-DRAFT-1] a ticket that our rules refuse is named, and the others are imported", async () => {
  old.ticket("tk_badperson", "PENDING", { to: "Alex Smith" });
  const ran = await imported();
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining("Not imported: tk_badperson: ") });
  expect(await all()).toHaveLength(3);
});

test("[IMPORT-DRAFT-1] what is no such store is refused in words, and one at our own path is recognised", async () => {
  const plain = world.file("plain.db", "no database");
  for (const path of [plain, join(world.folder, "none.db")])
    expect((await world.run(["import-draft", path])).err).toMatch(/is not a store of the 0\.1 draft|There is no file/);
  await world.create();
  expect((await world.run(["import-draft", world.dbPath])).err).toContain("is not a store of the 0.1 draft");
  const there = await world.run(["inbox"], { env: { HAP_DB_PATH: old.path } });
  expect(there).toMatchObject({ code: 7, err: expect.stringContaining("hap import-draft") });
  expect((await world.run(["import-draft", old.path], { env: { HAP_AGENT_ID: "agent:x" } })).err).toContain("agents do not");
});
