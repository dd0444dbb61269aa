// The log for anyone: streamed, followed, verified by the draft's own Python; verification, erasure, policy.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { LoggedEvent, Ticket } from "@hap/protocol";
import { connectAgent } from "@hap/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { ended, HAP, World } from "./hap.ts";

const verifyPy = fileURLToPath(new URL("fixtures/verify-log.py", import.meta.url));

async function python(input: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn("python3", [verifyPy], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  return ended(child);
}

describe("events", () => {
  const world = new World();
  let tickets: Ticket[] = [];

  beforeAll(async () => {
    const details = { text: "naïve 日本 \u{1f600} \u007f", nested: { b: [1, { a: 1e-7 }], "": null }, small: 0.00001 };
    tickets = [
      await world.create(["--summary", "Grüße 世界", "--details", JSON.stringify(details), "--confidence", "0.0000123"]),
      await world.create(["--risk", "0.00001", "--escalate-to", "human:sam"]),
    ];
    await world.ok(["ack", tickets[0]?.id as string, "ich schaue, 見ています"]);
    await world.ok(["approve", tickets[0]?.id as string, "ja — ok"]);
  });

  test("[CLI-EVENTS-1, CHAIN-PYTHON-1] --json is one array of the hashed form, which the draft's own Python verifies", async () => {
    const text = await world.ok(["events", "--json"]);
    const events = JSON.parse(text) as LoggedEvent[];
    for (const event of events)
      expect(Object.keys(event)).toEqual(["seq", "id", "type", "ts", "payload", "prev_hash", "hash", "cursor"]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["log.genesis", "ticket.create", "ticket.ack", "intent.sign", "ticket.resolve"]),
    );
    expect(await python(text)).toMatchObject({ code: 0, out: `${events.length}\n` });
    const tampered = text.replace('"confirmed":false', '"confirmed":true');
    expect(tampered).not.toBe(text);
    expect(await python(tampered)).toMatchObject({ code: 1, err: expect.stringContaining("hash mismatch") });
  });

  test("[CONTENT-APART-1] [CONTENT-HANDLE-1] the hashed form holds no words and no names; the plain one has both", async () => {
    const hashed = await world.ok(["events", "--json"]);
    for (const words of ["human:alex", "human:sam", "schaue", "\\u00fc", "ok"]) expect(hashed).not.toContain(words);
    const plain = JSON.parse(await world.ok(["events"])) as Record<string, unknown>[];
    expect(plain.find(({ type }) => type === "ticket.create")).toMatchObject({
      ticket: { from: "agent:local", to: "human:alex", intent: { summary: "Grüße 世界" } },
    });
    expect(plain.find(({ type }) => type === "ticket.ack")).toMatchObject({ from: "human:alex", note: "ich schaue, 見ています" });
  });

  test("[CLI-EVENTS-1] [CURSOR-READ-1] --since, --limit and --ticket cut it", async () => {
    const all = await world.json<LoggedEvent[]>(["events"]);
    const third = all[2] as LoggedEvent;
    expect(await world.json<LoggedEvent[]>(["events", "--since", third.cursor])).toEqual(all.slice(3));
    expect(await world.json<LoggedEvent[]>(["events", "--since", third.id])).toEqual(all.slice(3));
    expect(await world.json<LoggedEvent[]>(["events", "--limit", "2"])).toEqual(all.slice(0, 2));
    expect(await world.json<LoggedEvent[]>(["events", "--since", (all.at(-1) as LoggedEvent).cursor])).toEqual([]);
    const own = await world.json<LoggedEvent[]>(["events", "--ticket", tickets[1]?.id as string]);
    expect(own.map(({ type }) => type)).toEqual(["ticket.create"]);
    const plain = JSON.parse(await world.ok(["events", "--limit", "3"])) as { id: string }[];
    expect(plain.map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id));
  });

  test("[CLI-EVENTS-1] --follow prints one object a line, goes on, and ends on Ctrl-C", async () => {
    const follower = world.start(["events", "--follow", "--json"]);
    const end = ended(follower);
    const seen: LoggedEvent[] = [];
    createInterface({ input: follower.stdout }).on("line", (line) => seen.push(JSON.parse(line)));
    await expect.poll(() => seen.length, { timeout: 45_000 }).toBeGreaterThan(5);
    const { id } = await world.create();
    await expect.poll(() => seen.at(-1)?.payload, { timeout: 45_000 }).toMatchObject({ type: "ticket.create", ticket: { id } });
    follower.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, err: "" });
    const limited = await world.ok(["events", "--follow", "--limit", "2", "--ticket", tickets[0]?.id as string]);
    expect(
      limited
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type),
    ).toEqual(["ticket.create", "ticket.state_change"]);
  });

  test("[CLI-EVENTS-1] a log of many pages comes whole and in order, and a reader that goes away is no error", async () => {
    const agent = await connectAgent({ agent: "agent:many", dbPath: world.dbPath, home: world.folder });
    await Promise.all(Array.from({ length: 1200 }, () => agent.createTicket({ summary: "One of many", to: "human:alex" })));
    await agent.close();
    const text = await world.ok(["events", "--json"]);
    expect(await python(text)).toMatchObject({ code: 0 });
    const plain = JSON.parse(await world.ok(["events"])) as { seq: number }[];
    expect(plain.length).toBeGreaterThan(1200);
    expect(plain.map(({ seq }) => seq)).toEqual(plain.map((_, index) => index + 1));
    const env = { PATH: process.env.PATH, HOME: world.folder, HAP_DB_PATH: world.dbPath };
    for (const rest of ["", " --follow"]) {
      const script = `set -o pipefail; '${process.execPath}' '${HAP}' events --json${rest} | head -c 10`;
      const ran = await ended(spawn("bash", ["-c", script], { env, stdio: ["pipe", "pipe", "pipe"] }));
      expect(ran).toMatchObject({ code: 0, err: "" });
    }
  });
});

describe("verify", () => {
  test("[VERIFY-WORDS-1] [CLI-LINES-1] says OK with the number of events, and that nothing anchors it", async () => {
    const world = new World();
    await world.create();
    expect(await world.ok(["verify"])).toBe(
      "Event log integrity: OK (3 events verified)\nThe log is consistent, not anchored.\n",
    );
    expect(await world.ok(["verify", "--chain"])).toMatch(
      /^Event log integrity: OK \(3 events verified\)\nIts sequence and hashes are consistent, not anchored\./,
    );
    expect(await world.json(["verify"])).toMatchObject({ ok: true, events: 3, anchor: null });
  });

  test("[VERIFY-ROWS-1] [VERIFY-READONLY-1] a changed row fails with 1, makes the store read-only, and every face says so", async () => {
    const world = new World();
    const { id } = await world.create();
    tamper(world.dbPath, "UPDATE tickets SET record = json_set(record, '$.ticket.priority', 'low')");
    const ran = await world.run(["verify"]);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^Event log integrity: FAILED at event \d+/);
    expect(await world.run(["verify", "--json"])).toMatchObject({ code: 1, out: expect.stringMatching(/"ok": false/) });
    for (const args of [["inbox"], ["list"], ["show", id]])
      expect((await world.run(args)).err, args[0]).toMatch(/read-only, since its log does not verify/);
    expect(await world.run(["create", "--summary", "x"])).toMatchObject({ code: 7, out: "" });
  });

  test("[VERIFY-CHAIN-1] a changed event fails with 1", async () => {
    const world = new World();
    await world.create();
    tamper(world.dbPath, "UPDATE events SET payload = replace(payload, 'agent:local', 'agent:other')");
    const ran = await world.run(["verify", "--chain"]);
    expect(ran).toMatchObject({ code: 1, err: "", out: expect.stringMatching(/^Event log integrity: FAILED/) });
  });
});

/** What somebody with an editor could do: drop what guards the log, and change it. */
function tamper(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as { name: string }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  database.exec(sql);
  database.close();
}

test("[CONTENT-ERASE-1] [CONTENT-ERASE-2] erase deletes the text, and the log still verifies", async () => {
  const world = new World();
  const secret = "hunter2-in-the-details";
  const { id } = await world.create(["--details", JSON.stringify({ password: secret })]);
  const erased = await world.json<{ erased: { field: string }[] }>([
    "erase",
    id,
    "--fields",
    "details",
    "--reason",
    "leaked",
    "--yes",
  ]);
  expect(erased.erased.map(({ field }) => field)).toEqual(["details"]);
  for (const name of ["hap.db", "hap.db-wal"])
    expect(readFileSync(`${world.folder}/${name}`, { encoding: "latin1", flag: "a+" })).not.toContain(secret);
  expect(await world.ok(["verify"])).toMatch(/OK/);
  expect(await world.ok(["show", id])).toContain('"erased": true');
  const asked = await world.atTerminal(["erase", id], { replies: [{ expect: "for good\\?", send: "n" }] });
  expect(asked).toMatchObject({ code: 130, screen: expect.stringContaining("Nothing was erased.") });
  const agreed = await world.atTerminal(["erase", id], { replies: [{ expect: "for good\\?", send: "y" }] });
  expect(agreed).toMatchObject({ code: 0, screen: expect.stringContaining(`Erased from ${id}: summary`) });
});

describe("policy", () => {
  const world = new World();
  const rules = (...list: object[]) => JSON.stringify({ version: 1, rules: list });
  const path = `${world.folder}/.hap/policy.json`;

  test("[POLICY-CHECK-1] check names rule, file and why, and writes nothing", async () => {
    world.file(
      "../.hap/policy.json",
      rules({ id: "no-prod", match: { environment: "prod" }, verdict: "deny", why: "Freeze until Monday." }),
    );
    const before = await world.ok(["events"]);
    const checked = await world.ok(["policy", "check", "--kind", "deploy", "--environment", "prod"]);
    expect(checked).toContain(`Verdict: deny\nRule: no-prod of ${path}\nWhy: Freeze until Monday.\n`);
    expect(await world.ok(["events"])).toBe(before);
    expect(await world.ok(["policy", "check", "--kind", "deploy"])).toContain("Verdict: ask\nRule: none\n");
    const denied = await world.run(["create", "--summary", "Ship", "--environment", "prod", "--json"]);
    expect(denied.code).toBe(3);
    expect(JSON.parse(denied.err).error).toMatchObject({ code: "policy_denied", fields: { rule: "no-prod" } });
  });

  test("[POLICY-TRUST-1] what loosens counts once it was confirmed at a terminal, by its hash, in the log", async () => {
    world.file("../.hap/policy.json", rules({ id: "docs", match: { path: "docs/**" }, verdict: "allow", why: "Docs are safe." }));
    const check = ["policy", "check", "--file", "docs/a.md"];
    expect(await world.ok(check)).toMatch(/Verdict: ask[\s\S]*hap policy trust/);
    expect(await world.ok(["policy", "show"])).toMatch(/Confirmed: no/);
    expect(await world.run(["policy", "trust"])).toMatchObject({ code: 3, err: expect.stringMatching(/at a terminal/) });
    expect(await world.run(["policy", "trust"], { env: { HAP_AGENT_ID: "agent:x" } })).toMatchObject({ code: 3 });
    const { code, screen } = await world.atTerminal(["policy", "trust"], {
      replies: [{ expect: "type:\\s+(\\S[^\\r\\n]*)\\r?\\n", send: "{0}\r" }],
    });
    expect(code).toBe(0);
    expect(screen).toContain('"id":"docs"');
    expect(await world.ok(check)).toContain("Verdict: allow\nRule: docs of");
    const { hash, trusted } = await world.json<{ hash: string; trusted: boolean }>(["policy", "show"]);
    expect(trusted).toBe(true);
    expect(await world.ok(["events"])).toContain(`"file_hash":"${hash}"`);
  });

  test("[POLICY-VERSIONS-1] a file is put in force at a terminal, and earlier policies are listed and exported", async () => {
    const before = await world.ok(["policy", "export"]);
    const next = rules({ id: "none", match: { path: "docs/**" }, verdict: "deny", why: "Not now." });
    world.file("next.json", next);
    expect(await world.run(["policy", "set", "next.json"], { env: { HAP_AGENT_ID: "agent:x" } })).toMatchObject({ code: 3 });
    const { code } = await world.atTerminal(["policy", "set", "next.json"], {
      replies: [{ expect: "type:\\s+(\\S[^\\r\\n]*)\\r?\\n", send: "{0}\r" }],
    });
    expect(code).toBe(0);
    expect(await world.ok(["policy", "export"])).toBe(next);
    const { versions } = await world.json<{ versions: { hash: string; in_force: boolean }[] }>(["policy", "history"]);
    expect(versions.map(({ in_force }) => in_force)).toEqual([true, false]);
    expect(await world.ok(["policy", "export", versions[1]?.hash as string])).toBe(before);
    expect(await world.ok(["policy", "history"])).toMatch(/in force\n/);
  });

  test("[POLICY-TIGHTEN-1] a project's file can tighten what is asked here", async () => {
    world.file("repo/.hap/policy.json", rules({ id: "ours", match: { kind: "deploy" }, verdict: "deny", why: "Not from here." }));
    const cwd = join(world.folder, "work", "repo");
    expect(await world.ok(["policy", "check", "--kind", "deploy"], { cwd })).toContain("Verdict: deny\nRule: ours of");
    expect(await world.ok(["policy", "check", "--kind", "deploy", "--no-project"], { cwd })).toContain("Verdict: ask");
  });
});
