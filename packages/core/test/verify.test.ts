// Verification (D21): whatever is changed behind the engine's back is found, with the event that it concerns.
import { GENESIS_HASH } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine, VerifyReport } from "../src/index.ts";
import { forge, someHash } from "./forge.ts";
import { type Ids, makeHistory } from "./history.ts";
import { tamper } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const history = (): Ids => makeHistory(engine);

const verify = (): VerifyReport => {
  engine = store.open({ world });
  return engine.verifyEventLog();
};

describe("a log that nobody touched", () => {
  it("[VERIFY-WORDS-1, VERIFY-CHAIN-1] verifies, in full and by its chain alone", () => {
    expect(engine.verifyEventLog()).toEqual({ ok: true, events: 0, head: GENESIS_HASH, chainOnly: false, anchor: null });
    history();
    const report = verify();
    const head = engine.getEvents().at(-1);
    expect(report).toEqual({ ok: true, events: head?.seq, head: head?.hash, chainOnly: false, anchor: null });
    expect(engine.verifyEventLog({ chainOnly: true })).toMatchObject({ ok: true, chainOnly: true });
  });

  it("[VERIFY-WORDS-1] verifies while others write to it, as it was when verification began", () => {
    let meanwhile = () => {};
    engine = store.open({
      world,
      verifySignature: () => {
        meanwhile();
        return { level: "key" };
      },
    });
    const other = store.open({ world });
    const [signed, touched] = [engine.createTicket({ to: "human:alex" }).id, engine.createTicket({ to: "human:alex" }).id];
    const { from, ticket_id, decision, artifact_hash, expires_at, nonce } = engine.issueChallenge(signed, {
      decision: "approve",
      by: "human:alex",
    }).statement;
    const signature = { algorithm: "ES256", value: "AAAA", credential_id: "key" };
    engine.submitIntent({ from, ticket_id, decision, artifact_hash, expires_at, nonce, signature });
    const { length } = engine.getEvents();
    // Verification asks for the signature in the middle of its scans: then another process approves and opens tickets.
    meanwhile = () => {
      meanwhile = () => {};
      other.approve(touched);
      other.createTicket({ to: "human:alex" });
    };
    expect(engine.verifyEventLog()).toMatchObject({ ok: true, events: length });
    expect(engine.getTicket(touched).state).toBe("APPROVED");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true, events: length + 4 });
  });
});

describe("a database that was changed by hand", () => {
  const cases: [string, string, RegExp][] = [
    [
      "a payload",
      "UPDATE events SET payload=replace(payload, 'agent:local', 'agent:other') WHERE seq=3",
      /event 3 .*hash mismatch/,
    ],
    ["a hash", "UPDATE events SET hash=prev_hash WHERE seq=3", /event 3 .*hash mismatch/],
    ["a link", `UPDATE events SET prev_hash='${"0".repeat(64)}' WHERE seq=3`, /event 3 .*prev_hash is not the hash/],
    ["a deleted event", "DELETE FROM events WHERE seq=4", /event 4.*is missing/],
    ["a deleted beginning", "DELETE FROM events WHERE seq=1", /event 1.*is missing/],
    ["a deleted end", "DELETE FROM events WHERE seq=(SELECT max(seq) FROM events)", /is not what the log makes of it/],
    [
      "swapped payloads",
      "UPDATE events SET payload=(SELECT payload FROM events AS other WHERE other.seq=5-events.seq) WHERE seq IN (2, 3)",
      /event 2 .*hash mismatch/,
    ],
    [
      "an inserted event",
      "INSERT INTO events (seq, payload, prev_hash, hash) SELECT 1000, payload, hash, hash FROM events WHERE seq=2",
      /event \d+.*is missing/,
    ],
  ];

  it.each(cases)("[VERIFY-CHAIN-1] is found out by %s", (_, sql, words) => {
    history();
    tamper(store.path, (database) => database.exec(sql));
    const report = verify();
    expect(report.ok).toBe(false);
    if (!report.ok) expect(report.violation.message).toMatch(words);
    const chain = engine.verifyEventLog({ chainOnly: true });
    // Taking off the end leaves a chain that fits; only the tickets know better.
    expect(chain.ok).toBe(sql.includes("max(seq)"));
  });

  /** Change a ticket's record and, where the attacker is careful, the column beside it. */
  const change = (id: string, path: string, value: string, column = "") =>
    `UPDATE tickets SET record=json_set(record, '$.${path}', ${value})${column === "" ? "" : `, ${column}=${value}`} WHERE id='${id}'`;
  const add = `CREATE TEMP TABLE copy AS SELECT * FROM tickets;
    UPDATE copy SET seq=900, id='tk_added', code='kadded', record=json_set(record, '$.seq', 900, '$.ticket.id', 'tk_added');
    INSERT INTO tickets SELECT * FROM copy LIMIT 1`;

  const behind: [string, (ids: Ids) => string, RegExp][] = [
    [
      "a ticket's state",
      ({ pending }) => change(pending, "state", "'APPROVED'", "state"),
      /is not what (the log makes of it|its record says)/,
    ],
    [
      "a ticket's record alone",
      ({ pending }) => change(pending, "state", "'APPROVED'"),
      /column state .*is not what its record says/,
    ],
    [
      "a ticket's column alone",
      ({ pending }) => `UPDATE tickets SET state='APPROVED' WHERE id='${pending}'`,
      /column state .*is not what its record says/,
    ],
    [
      "a deadline that sleeps",
      ({ delivered }) => `UPDATE tickets SET next_deadline=NULL WHERE id='${delivered}'`,
      /column next_deadline .*is not what its record says/,
    ],
    [
      "another deadline",
      ({ delivered }) => change(delivered, "clock.deadline", "9000000000000", "next_deadline"),
      /is not what the log makes of it/,
    ],
    [
      "a ticket that slips out of the inbox",
      ({ pending }) => `UPDATE tickets SET open=0 WHERE id='${pending}'`,
      /column open .*is not what its record says/,
    ],
    ...(["intent", "artifact", "lease"] as const).map((column): [string, (ids: Ids) => string, RegExp] => [
      `another ${column}`,
      ({ approved }) => `UPDATE tickets SET ${column}=json_set(${column}, '$.added', 1) WHERE id='${approved}'`,
      /is not what the log makes of it/,
    ]),
    [
      "a ticket that cannot be read",
      ({ approved }) => `UPDATE tickets SET record='{' WHERE id='${approved}'`,
      /the stored ticket tk_\w+ cannot be read/,
    ],
    [
      "a lease that cannot be read",
      ({ pending }) => `UPDATE tickets SET lease='' WHERE id='${pending}'`,
      /the stored ticket tk_\w+ cannot be read/,
    ],
    ["another tier", ({ critical }) => change(critical, "ticket.tier", "'routine'", "tier"), /is not what the log makes of it/],
    [
      "another outcome",
      ({ rejected }) => change(rejected, "resolution.outcome", "'approved'"),
      /is not what the log makes of it/,
    ],
    [
      "a use that never was",
      ({ rejected }) => change(rejected, "consumed", `json('{"by":"agent:x"}')`),
      /is not what the log makes of it/,
    ],
    ["a use taken back", ({ approved }) => change(approved, "consumed", "null"), /is not what the log makes of it/],
    ["a last event that is not there", ({ rejected }) => change(rejected, "lastSeq", "9999"), /is not what the log makes of it/],
    [
      "a last event that came before",
      ({ approved }) => change(approved, "lastSeq", "2"),
      /is not what the log makes of it|was not changed any more/,
    ],
    ["a deleted ticket", ({ pending }) => `DELETE FROM tickets WHERE id='${pending}'`, /stored tickets lack tk_/],
    ["an added ticket", () => add, /12 tickets are stored, but the log creates 11/],
    [
      "another text",
      () => "UPDATE contents SET body='Something harmless' WHERE body='LGTM'",
      /text of sha256:\w{64} is not the one that was written/,
    ],
    ["another salt", () => "UPDATE contents SET salt=zeroblob(16) WHERE body='LGTM'", /is not the one that was written/],
    ["a deleted text", () => "DELETE FROM contents WHERE body='LGTM'", /text sha256:\w{64} is gone, and no erasure says so/],
    [
      "a nonce of another ticket",
      ({ pending, approved }) => `UPDATE used_nonces SET ticket_id='${pending}' WHERE ticket_id='${approved}'`,
      /nonce is not the one that was burned/,
    ],
    [
      "a history that leaves something out",
      ({ approved }) =>
        `UPDATE events SET ticket_prev=(SELECT seq FROM tickets WHERE id='${approved}') WHERE type='ticket.consume'`,
      /its link does not lead to the event before it/,
    ],
    [
      "a history that goes in circles",
      () => "UPDATE events SET ticket_prev=seq WHERE type='ticket.heard'",
      /its link does not lead to/,
    ],
    ["a forgotten nonce", () => "DELETE FROM used_nonces", /nonce is not the one that was burned/],
    [
      "a policy that nobody confirmed",
      () => `INSERT INTO config VALUES ('trusted_policy', '${someHash("b")}')`,
      /confirmed policy is not the one/,
    ],
    [
      "another runtime",
      () => `UPDATE config SET value='rt_${"0".repeat(26)}' WHERE key='runtime'`,
      /runtime or epoch is not the one/,
    ],
  ];

  it("[VERIFY-ROWS-1, FAULT-CORRUPT-1] whose ticket cannot be read says so to whoever asks for it", () => {
    const { approved } = history();
    tamper(store.path, (database) => database.exec(`UPDATE tickets SET lease='' WHERE id='${approved}'`));
    engine = store.open({ world });
    for (const read of [() => engine.getTicket(approved), () => engine.listAll(), () => engine.history(approved)])
      expect(refusal(read)).toMatchObject({ code: "store_corrupt", message: expect.stringContaining("hap verify") });
  });

  it.each(behind)("[VERIFY-ROWS-1] is found out by %s", (_, sql, words) => {
    const ids = history();
    tamper(store.path, (database) => database.exec(sql(ids)));
    const report = verify();
    expect(report.ok).toBe(false);
    if (!report.ok) {
      expect(report.violation.message).toMatch(words);
      expect(report.violation.message).toMatch(/^Integrity violation at event \d+ \(evt_\w{26}\): /);
      expect(engine.getEvents()[report.violation.seq - 1]?.id).toBe(report.violation.event_id);
    }
    expect(engine.verifyEventLog({ chainOnly: true }).ok).toBe(true);
  });

  it("[VERIFY-ROWS-1] does not hang on a history that goes in circles", () => {
    const { approved } = history();
    tamper(store.path, (database) => database.exec("UPDATE events SET ticket_prev=seq WHERE type='ticket.heard'"));
    engine = store.open({ world });
    expect(engine.getEvents({ ticket: approved }).map((event) => event.type)).toEqual(["ticket.heard"]);
  });

  it("[VERIFY-ROWS-1] is found out by a confirmed policy that was swapped for another", () => {
    history();
    forge(store.path, (log) =>
      log.append({ type: "policy.trust", from: log.person, file_hash: someHash("c"), confirmed: true, trust: "open" }),
    );
    tamper(store.path, (database) => database.exec(`INSERT INTO config VALUES ('trusted_policy', '${someHash("d")}')`));
    const report = verify();
    expect(report).toMatchObject({
      ok: false,
      violation: { message: expect.stringContaining("confirmed policy is not the one") },
    });
  });
});

describe("a violation", () => {
  it("[VERIFY-READONLY-1, VERIFY-OPEN-1] makes the store read-only for every process, and each says so", () => {
    const ids = history();
    engine = store.open({ world });
    const other = store.open({ world });
    tamper(store.path, (database) =>
      database.exec("UPDATE events SET payload=replace(payload, 'agent:local', 'agent:other') WHERE seq=3"),
    );
    const report = engine.verifyEventLog();
    expect(report).toMatchObject({ ok: false, violation: { seq: 3 } });
    for (const one of [engine, other, store.open({ world })]) {
      expect(one.violation()).toContain("Integrity violation at event 3");
      for (const act of [
        () => one.createTicket({ to: "human:alex" }),
        () => one.approve(ids.delivered),
        () => one.erase({ ticket: ids.approved }),
      ]) {
        const error = refusal(act);
        expect(error).toMatchObject({ code: "integrity_violation", kind: "integrity" });
        expect(error.message).toContain("read-only");
        expect(error.message).toContain("hap verify");
      }
    }
  });

  it("[VERIFY-READONLY-1] leaves everything to be read, also what is due by now", async () => {
    const ids = history();
    tamper(store.path, (database) => database.exec("UPDATE contents SET body='x' WHERE body='LGTM'"));
    verify();
    world.advance(600_000);
    expect(engine.getTicket(ids.delivered)).toMatchObject({ state: "DELIVERED", lease: { remaining_seconds: 0 } });
    expect(engine.listAll()).toHaveLength(11);
    expect(engine.inbox("human:alex").tickets.length).toBeGreaterThan(0);
    expect((await engine.waitFor(ids.delivered, { timeout: 300 })).state).toBe("DELIVERED");
    engine.dispose();
    engine = store.open({ world });
    expect(engine.getEvents().length).toBeGreaterThan(20);
  });

  it("[VERIFY-OPEN-1] in the last events is noticed by opening the store", () => {
    history();
    tamper(store.path, (database) =>
      database.exec(
        "UPDATE events SET payload=replace(payload, 'agent:local', 'agent:other') WHERE seq=(SELECT max(seq) FROM events)",
      ),
    );
    engine = store.open({ world });
    expect(engine.violation()).toMatch(/^Integrity violation at event \d+ \(evt_/);
    expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
  });

  it("[VERIFY-OPEN-1] at the beginning is noticed by opening the store", () => {
    history();
    tamper(store.path, (database) => database.exec("UPDATE events SET payload='{}' WHERE seq=1"));
    expect(store.open({ world }).violation()).toContain("does not begin with log.genesis");
  });

  it("[VERIFY-READONLY-1] is lifted by a clean verification in full, and not by one of the chain alone", () => {
    const ids = history();
    tamper(store.path, (database) => database.exec(`UPDATE tickets SET state='APPROVED' WHERE id='${ids.pending}'`));
    verify();
    expect(engine.verifyEventLog({ chainOnly: true }).ok).toBe(true);
    expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
    tamper(store.path, (database) => database.exec(`UPDATE tickets SET state='PENDING' WHERE id='${ids.pending}'`));
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(engine.violation()).toBeNull();
    expect(engine.createTicket({ to: "human:alex" }).state).toBe("PENDING");
  });
});
