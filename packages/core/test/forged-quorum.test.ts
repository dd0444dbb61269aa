// What an attacker with the database would do to votes and groups: `hap verify` finds it from the log alone (D45).
import { cpSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { at, type Forger, forge, type Payload, stranger } from "./forge.ts";
import { ALEX, deploy, KIM, policyText, putPolicy, SAM, TWO } from "./quorum.ts";
import { tamper } from "./raw-store.ts";
import { testStore, testWorld } from "./test-world.ts";

let untouched: ReturnType<typeof testStore>;
let store: ReturnType<typeof testStore>;
let ended: string;
let open: string;

beforeAll(() => {
  untouched = testStore();
  const engine = untouched.open({ world: testWorld(), humanId: ALEX });
  putPolicy(engine, policyText({ ...TWO, of: [...TWO.of, ALEX], not_requester: true }));
  ended = deploy(engine).id;
  engine.approve(ended, undefined, { by: SAM });
  engine.approve(ended, undefined, { by: KIM });
  open = deploy(engine, { summary: "Another" }).id;
  engine.approve(open, undefined, { by: SAM });
  engine.dispose();
});
afterAll(() => untouched.remove());
beforeEach(() => {
  store = testStore();
  cpSync(untouched.folder, store.folder, { recursive: true });
});
afterEach(() => store.remove());

const verify = () => store.open({ world: testWorld(), humanId: ALEX }).verifyEventLog();
const votes = (log: Forger, id = ended) =>
  log.payloads.filter(({ type, intent }) => type === "intent.sign" && (intent as Payload).ticket_id === id);
const voter = (log: Forger, index: number) => ((votes(log)[index] as Payload).intent as Payload).from as string;
const end = (log: Forger) => log.first("ticket.resolve");
const created = (log: Forger) => log.first("ticket.create");
const owner = (log: Forger) => log.first("policy.trust").from as string;
/** One vote more on the open ticket, and the end that would follow from it. */
const again = (log: Forger, change: { sign?: Payload; intent?: Payload } = {}) => {
  const { id: _id, seq: _seq, ts: _ts, space: _space, ...vote } = votes(log, open)[0] as Payload;
  const nonce = `n_${"7".repeat(32)}`;
  const because = log.append({ ...vote, ...change.sign, intent: { ...(vote.intent as Payload), nonce, ...change.intent } });
  const { id: _e, seq: _s, ts: _t, space: _p, ...resolve } = end(log);
  const actor = { kind: "human", id: change.intent?.from ?? (vote.intent as Payload).from };
  log.append({ ...resolve, ticket_id: open, because, resolution: { ...(resolve.resolution as Payload), actor } });
};
const drop = (log: Forger, payload: Payload | undefined) => {
  const place = log.payloads.indexOf(payload as Payload);
  log.payloads.splice(place, 1);
  for (const [index, other] of log.payloads.entries()) other.seq = index + 1;
};

it("[QUORUM-VERIFY-1] an untouched log verifies, also after its rows were made again", () => {
  forge(store.path, () => {});
  expect(verify()).toMatchObject({ ok: true });
});

const lies: [string, (log: Forger) => unknown, RegExp][] = [
  ["an end after one vote of two", (log) => drop(log, votes(log)[0]), /votes were missing/],
  ["the same person's second yes as the second vote", (log) => again(log), /votes were missing/],
  ["a vote of somebody who is not in the group", (log) => again(log, { intent: { from: stranger } }), /no such seat/],
  [
    "a vote from a seat that the ticket does not have",
    (log) => again(log, { sign: { seat: "role:owner" }, intent: { from: owner(log) } }),
    /no such seat/,
  ],
  ["a vote by another right", (log) => again(log, { sign: { authority: "addressee" } }), /its right is not one/],
  [
    "a vote without a seat, of the first version",
    (log) => again(log, { sign: { v: 1, seat: undefined, on_behalf_of: undefined } }),
    /version is not that/,
  ],
  ["a vote for somebody else", (log) => again(log, { sign: { on_behalf_of: voter(log, 1) } }), /for somebody else/],
  ["an agent's vote", (log) => again(log, { intent: { from: "agent:ci" } }), /its own asker|no such seat/],
  [
    "a vote of the requester",
    (log) => again(log, { sign: { seat: owner(log) }, intent: { from: owner(log) } }),
    /whoever asked approved/,
  ],
  [
    "a yes that holds edits",
    (log) => again(log, { intent: { from: voter(log, 1), edits: `json:sha256:${"0".repeat(64)}` } }),
    /edits/,
  ],
  ["better evidence than the weakest vote", (log) => better(log), /other evidence/],
  ["a group that the policy does not have", (log) => put(log, "admins", [owner(log)]), /groups of the confirmed policy/],
  ["a group that lost somebody", (log) => put(log, "platform-team", [voter(log, 0)]), /groups of the confirmed policy/],
  [
    "a group of a policy that nobody confirmed",
    (log) => Object.assign(log.first("group.set"), { file_hash: `sha256:${"1".repeat(64)}` }),
    /not confirmed/,
  ],
  ["a quorum in a ticket of the first version", (log) => Object.assign(created(log), { v: 1 }), /version and its quorum/],
  ["a quorum that a timer goes around", (log) => timer(log), /timer could approve/],
  ["an escalation while enough are left", (log) => short(log), /enough people were left/],
];

it.each(lies)("[QUORUM-VERIFY-1] %s", (_, lie, words) => {
  forge(store.path, lie);
  const report = verify();
  expect(report.ok ? "it verified" : report.violation.message).toMatch(words);
});

const rows: [string, string, RegExp][] = [
  [
    "a vote added to a row",
    `UPDATE tickets SET record=json_set(record, '$.votes[1]', json(record->'$.votes[0]')) WHERE open=1`,
    /tk_/,
  ],
  ["a quorum that needs fewer", `UPDATE tickets SET record=json_set(record, '$.ticket.quorum.need', 1)`, /tk_/],
  ["a ticket taken out of people's inboxes", "UPDATE tickets SET quorum=0", /tk_/],
];

it.each(rows)("[QUORUM-VERIFY-1] in the rows: %s", (_, sql, words) => {
  tamper(store.path, (database) => database.exec(sql));
  const report = verify();
  expect(report.ok ? "it verified" : report.violation.message).toMatch(words);
});

function put(log: Forger, group: string, members: string[]): void {
  log.append({ type: "group.set", group, members, file_hash: log.first("group.set").file_hash });
}

function better(log: Forger): void {
  const { resolution } = end(log);
  Object.assign(resolution as Payload, { assurance: "session" });
}

function timer(log: Forger): void {
  log.ticket(open).lease.on_timeout = "auto_approve";
}

function short(log: Forger): void {
  const state = { from_state: "DELIVERED", from: log.ticket(open).to, to: owner(log), depth: 0, why: "quorum_short", v: 2 };
  log.event("ticket.escalate", open, state, at(1));
}
