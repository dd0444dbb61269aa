// What an attacker with the database would do to grants: `hap verify` finds it from the log alone (D43).
import { afterEach, beforeEach, expect, it } from "vitest";
import { at, type Forger, forge, type Payload, someHash } from "./forge.ts";
import { CALL, command, INSTALLS, makeGrant } from "./grant.ts";
import { tamper } from "./raw-store.ts";
import { testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;

beforeEach(() => {
  store = testStore();
  const clock = testWorld();
  const engine = store.open({ world: clock, humanId: "human:alex" });
  engine.createTicket(command("npm install a"));
  makeGrant(engine, { ...INSTALLS, seconds: 60, uses: 3, rate: { uses: 2, seconds: 10 } });
  clock.advance(1000);
  engine.useGrant(command("npm install a"), CALL);
  makeGrant(engine, { verdict: "deny", commands: ["git push *"], seconds: null });
  engine.dispose();
});
afterEach(() => store.remove());

const verify = () => store.open({ world: testWorld(), humanId: "human:alex" }).verifyEventLog();
const made = (log: Forger) => log.first("grant.create");
const use = (log: Forger) => log.first("grant.use");
/** One use more, with some of it changed. */
const again = (log: Forger, change: Payload = {}, ts = at(2)) => {
  const { id: _id, seq: _seq, ts: _ts, space: _space, v: _v, ...fields } = use(log);
  log.append({ ...fields, use: 2, ...change }, ts);
};

it("[GRANT-VERIFY-1] an untouched log verifies, also after its rows were made again", () => {
  forge(store.path, () => {});
  expect(verify()).toMatchObject({ ok: true });
});

const lies: [string, (log: Forger) => unknown, RegExp][] = [
  ["a grant that no phrase confirmed", (log) => Object.assign(made(log), { confirmed: false }), /no phrase confirmed it/],
  ["a grant for every agent", (log) => Object.assign(made(log), { agent: null }), /does not say what it allows/],
  ["a grant by an agent", (log) => Object.assign(made(log), { from: "agent:ci" }), /not a person/],
  ["a use for another agent", (log) => again(log, { by: "agent:other" }), /does not cover this call/],
  ["a use for a critical call", (log) => again(log, { tier: "critical" }), /does not cover this call/],
  ["a use for a gate path", (log) => again(log, { effects: ["gate_files"] }), /does not cover this call/],
  ["a use after its end", (log) => again(log, {}, at(60)), /had ended by then/],
  ["a use before it was made", (log) => again(log, {}, at(-1)), /did not exist yet/],
  ["a use when the clock had gone back", (log) => back(log), /clock had been set back/],
  ["a use that is counted as the first again", (log) => again(log, { use: 1 }), /is use 2/],
  ["one use too many in its window", (log) => fast(log), /allows 2 uses in 10 s/],
  ["more uses than it allows", (log) => many(log), /allows 3 uses/],
  ["a use of a grant that is not there", (log) => again(log, { grant_id: `gr_${"0".repeat(26)}` }), /there was no grant/],
  ["a use by nobody's right", (log) => again(log, { authority: null }), /nobody had the right/],
  ["a use by a role that nobody gave", (log) => Object.assign(use(log), { authority: "owner" }), /had no such role/],
  ["an end for time that was not over", (log) => end(log, { because: "expired", from: null }), /time was not over/],
  ["an end for uses that are left", (log) => end(log, { because: "spent", from: null }), /not used up/],
  ["an end for a key that was not there", (log) => end(log, { because: "key_revoked" }), /its key was not revoked/],
  ["an end for a person who is there", (log) => end(log, { because: "person_erased" }), /still there/],
  ["a denial that ends by a word", (log) => endDenial(log), /nothing confirmed the end of a denial/],
  ["a use after an end", (log) => [end(log, { because: "person" }), again(log)], /had ended before it/],
];

it.each(lies)("[GRANT-VERIFY-1] %s", (_, lie, words) => {
  forge(store.path, lie);
  const report = verify();
  expect(report.ok ? "it verified" : report.violation.message).toMatch(words);
});

const rows: [string, string, RegExp][] = [
  ["a count that was set back", `UPDATE grants SET record=json_set(record, '$.used', 0)`, /stored grant gr_/],
  ["a limit that was raised", `UPDATE grants SET record=json_set(record, '$.uses', 999)`, /stored grant gr_/],
  ["an agent that was changed", `UPDATE grants SET record=json_set(record, '$.scope.agent', 'agent:x')`, /stored grant gr_/],
  ["a grant put in past the log", "INSERT INTO grants SELECT id||'x', seq, person, open, record FROM grants", /does not know/],
  ["a use taken out", "DELETE FROM grant_uses", /stored uses of gr_/],
  ["a denial that is no longer looked at", "UPDATE grants SET open=0", /stored as open/],
  [
    "patterns that were widened",
    `UPDATE contents SET body=replace(body, 'npm install *', 'npm **')`,
    /not the one that was written/,
  ],
];

it.each(rows)("[GRANT-VERIFY-1] in the rows: %s", (_, sql, words) => {
  tamper(store.path, (database) => database.exec(sql));
  const report = verify();
  expect(report.ok ? "it verified" : report.violation.message).toMatch(words);
});

function end(log: Forger, fields: Payload, grant = made(log)): void {
  const whole = { from: made(log).from, confirmed: false, signed: null, trust: "open", grant_id: grant.grant_id, ...fields };
  log.append({ type: "grant.end", ...whole }, at(3));
}

function endDenial(log: Forger): void {
  end(
    log,
    { because: "person" },
    log.payloads.findLast(({ type }) => type === "grant.create"),
  );
}

function back(log: Forger): void {
  const fields = { call_hash: CALL, verdict: "deny", rule: "r", file_hash: someHash("e") };
  log.append({ type: "policy.decision", from: "agent:ci", ...fields }, at(30));
  again(log, {}, at(20));
}

function fast(log: Forger): void {
  again(log, {}, at(2));
  again(log, { use: 3, call_hash: someHash("d") }, at(10));
}

function many(log: Forger): void {
  again(log, {}, at(20));
  again(log, { use: 3 }, at(35));
  again(log, { use: 4 }, at(50));
}

const plant = `INSERT INTO grants SELECT 'gr_x', 1, person, 1, json_set(record, '$.id', 'gr_x', '$.seq', 1, '$.rate', null)
  FROM grants LIMIT 1; DELETE FROM grants WHERE id<>'gr_x'`;
const planted: [string, string][] = [
  ["a grant put in past the log", plant],
  ["a limit that was raised", "UPDATE grants SET record=json_set(record, '$.uses', 999)"],
  ["an end that was moved", "UPDATE grants SET record=json_set(record, '$.endsAt', '2027-01-01T00:00:00.000Z')"],
  ["patterns that were widened", "UPDATE contents SET body=replace(body, 'npm install *', 'npm **')"],
];

it.each(planted)("[GRANT-VERIFY-1] opens nothing, also before anybody verifies: %s", (_, sql) => {
  tamper(store.path, (database) => database.exec(sql));
  const clock = testWorld();
  clock.advance(15_000);
  const engine = store.open({ world: clock, humanId: "human:alex" });
  expect(engine.useGrant(command("npm install a"), CALL)).toBeNull();
});

it("[GRANT-VERIFY-1] an untouched grant opens at that moment", () => {
  const clock = testWorld();
  clock.advance(15_000);
  const engine = store.open({ world: clock, humanId: "human:alex" });
  expect(engine.useGrant(command("npm install a"), CALL)).not.toBeNull();
});
