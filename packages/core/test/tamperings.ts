// What somebody who can write the database can do to a store without touching the chain's hashes, or in spite of them: each must be
// named by `hap verify`, on the embedded store and on a server.
import type { DatabaseSync } from "node:sqlite";
import type { HapEngine } from "../src/index.ts";
import { savePolicy } from "./confirm-policy.ts";
import { makeHistory } from "./history.ts";
import { Authenticator } from "./signing/authenticator.ts";
import { enrolPasskey } from "./signing/enrol.ts";

/** Let a store hold something in every table that is checked, and close the engine. */
export function makeRichHistory(engine: HapEngine): void {
  const text = JSON.stringify({ version: 1, roles: { owner: ["human:alex"], approver: ["human:ann"] } });
  savePolicy(engine, { text, replaces: null, by: "human:alex" });
  engine.linkSubject("human:sam", "https://id.example.org", "42", "human:alex");
  engine.signIn("human:sam", "token", "oidc");
  engine.signIn("human:alex", "cookie", "code");
  enrolPasskey(engine, new Authenticator(), { label: "Mine" });
  engine.createKey({ agent: "agent:ci" }, "human:alex");
  engine.createWebhook({ url: "https://chat.example.org/hook", events: ["ticket.create"] }, "human:alex");
  const { agent } = engine.joinAgent({ agent_runtime: "codex", project_dir: "/srv/app", label: "codex" });
  engine.ownAgent(agent, "agent:ci");
  engine.queueMessage(agent, { text: "use the staging database" }, "human:alex");
  const kept = engine.createTicket({ to: "human:sam", from: "agent:ci", summary: "kept", project: "/srv/app" });
  engine.rememberMade("agent:ci", "key-1", "{}", kept.id);
  engine.approve(engine.createTicket({ to: "human:sam" }).id, "by role", { by: "human:ann" });
  makeHistory(engine);
}

/** Its name, what is done, and the words that name it. */
export type Tampering = [name: string, sql: string | ((database: DatabaseSync) => void), words: RegExp];

const handle = (name: string) => `(SELECT handle FROM directory WHERE name='${name}')`;
const guards = "DROP TRIGGER events_not_changed; DROP TRIGGER events_not_deleted;";
const renamed = /the directory entry of human:\w+ is not what the log says/;

const names: Tampering[] = [
  ["a person renamed", "UPDATE directory SET name='human:mallory' WHERE name='human:alex'", renamed],
  [
    "two people swapped",
    `UPDATE directory SET name='x' WHERE name='human:alex'; UPDATE directory SET name='human:alex' WHERE name='human:sam';
     UPDATE directory SET name='human:sam' WHERE name='x'`,
    renamed,
  ],
  ["a project renamed", "UPDATE directory SET name='/etc' WHERE name='/srv/app'", /the directory entry of prj_/],
  [
    "a person added",
    `INSERT INTO directory VALUES ('human:${"0".repeat(26)}', 'human:eve', '2026', 1)`,
    /whom the log does not know/,
  ],
  ["a person removed", "DELETE FROM directory WHERE name='human:kim'", /the directory lacks human:/],
  ["a person's age", "UPDATE directory SET created_at='2020' WHERE name='human:alex'", renamed],
  ["a name's event", "UPDATE directory SET seq=1 WHERE name='human:alex'", renamed],
  [
    "the text behind a name",
    "UPDATE contents SET body='human:mallory' WHERE body='human:alex'",
    /is not the one that was written/,
  ],
  [
    "the text behind a name removed",
    "DELETE FROM contents WHERE body='human:alex'",
    /names human:\w+, whose name was erased|is gone, and no erasure/,
  ],
  [
    "an account given to somebody else",
    `UPDATE subjects SET person=${handle("human:alex")}`,
    /the stored account is not the one/,
  ],
  ["another account", "UPDATE subjects SET subject='43'", /the account that it links is missing/],
  [
    "an account added",
    `INSERT INTO subjects VALUES ('https://evil', '1', ${handle("human:alex")}, '2026', 3)`,
    /an account is linked/,
  ],
  ["an account removed", "DELETE FROM subjects", /the account that it links is missing/],
  ["an agent's owner", "UPDATE agent_owners SET owner='agent:evil'", /the stored owner of agent:\S+ is not the one/],
  ["an owner added", "INSERT INTO agent_owners VALUES ('agent:x', 'agent:evil')", /the stored owner of agent:x is not the one/],
  ["an owner removed", "DELETE FROM agent_owners", /the owner of agent:\S+ is missing/],
  [
    "a policy with other roles",
    `UPDATE config SET value=replace(value, 'human:ann', 'human:eve') WHERE key='trusted_policy_text'`,
    /the text of the confirmed policy is not the one/,
  ],
  ["no policy any more", "DELETE FROM config WHERE key LIKE 'trusted%'", /the confirmed policy is not the one/],
];

const access: Tampering[] = [
  [
    "a sign-in of somebody else",
    `UPDATE sessions SET person=${handle("human:alex")} WHERE kind='token'`,
    /the stored sign-in is not/,
  ],
  [
    "a sign-in put in",
    `INSERT INTO sessions VALUES ('sha256:${"a".repeat(64)}', ${handle("human:alex")}, 'cookie', 'code', 1, 9999999999999, 1)`,
    /a sign-in of human:\w+ is stored that the log does not know/,
  ],
  ["a sign-in taken out", "DELETE FROM sessions WHERE kind='token'", /the sign-in that began here is missing/],
  ["a sign-in that never ends", "UPDATE sessions SET expires_at=9999999999999", /the stored sign-in is not/],
  ["a sign-in by other means", "UPDATE sessions SET how='passkey' WHERE how='code'", /the stored sign-in is not/],
  [
    "a sign-in with another secret",
    `UPDATE sessions SET hash='sha256:${"b".repeat(64)}' WHERE kind='token'`,
    /that the log does not know/,
  ],
  [
    "a kept request for another ticket",
    "UPDATE idempotency SET ticket_id=(SELECT id FROM tickets WHERE id<>idempotency.ticket_id LIMIT 1)",
    /the kept request is not/,
  ],
  ["a kept request of another agent", "UPDATE idempotency SET owner='agent:evil'", /the kept request is not/],
  ["a kept request forgotten", "DELETE FROM idempotency", /the request that was kept here is missing/],
  [
    "a kept request put in",
    "INSERT INTO idempotency SELECT owner, 'key-2', request, ticket_id, created_at, seq, salt FROM idempotency",
    /the kept request is not/,
  ],
  ["clocks at a delivery", "UPDATE anchors SET uptime=uptime-3600000", /the stored clocks of tk_\w+ are not/],
  ["the wall clock at a delivery", "UPDATE anchors SET wall=wall-3600000", /the stored clocks of tk_\w+ are not/],
  ["clocks forgotten", "DELETE FROM anchors", /the stored clocks of tk_\w+ are missing/],
  ["a quota raised", "UPDATE quotas SET open_tickets=0 WHERE agent='agent:local'", /0 open tickets of agent:local are counted/],
  ["a quota used up", "INSERT INTO quotas VALUES ('agent:new', 20000)", /20000 open tickets of agent:new are counted/],
  ["quotas removed", "DELETE FROM quotas", /0 open tickets of agent:\w+ are counted/],
  ["a key's scopes", `UPDATE api_keys SET scopes='["read_all"]'`, /the stored key key_\w+ is not/],
  ["a key revived", "UPDATE api_keys SET expires_at='2999'", /the stored key key_\w+ is not/],
  ["a credential of somebody else", `UPDATE credentials SET person=${handle("human:sam")}`, /are not those that they enrolled/],
  [
    "a credential's record",
    "UPDATE credentials SET record=json_set(record, '$.trust', 'remote')",
    /the stored credential \S+ is not/,
  ],
  ["a credential under another id", "UPDATE credentials SET id=id || 'x'", /the stored credential \S+x is not/],
  ["a credential's place in the log", "UPDATE credentials SET seq=seq+1", /the stored credential \S+ is not/],
  ["a webhook's place in the log", "UPDATE webhooks SET seq=seq+1", /the stored webhook whk_\w+ is not/],
  ["a credential removed", "DELETE FROM credentials", /credentials are stored that the log does not know|credential/],
  [
    "a webhook's record",
    "UPDATE webhooks SET record=json_set(record, '$.events[0]', 'ticket.ack')",
    /the stored webhook whk_\w+ is not/,
  ],
  ["a webhook switched off", "UPDATE webhooks SET removed=1", /the stored webhooks in use are not those/],
  ["words for an agent", "UPDATE messages SET agent='agent:other'", /the stored message msg_\w+ is not|messages/],
  ["an agent that left", "UPDATE agents SET left_at='2026'", /the stored agent agent:\S+ is not/],
  [
    "a nonce put in",
    `INSERT INTO used_nonces VALUES ('n_${"7".repeat(32)}', 'tk_x', '2026')`,
    /nonces are stored, but the log used/,
  ],
  ["the runtime", `UPDATE config SET value='rt_${"0".repeat(26)}' WHERE key='runtime'`, /runtime or epoch is not the one/],
  ["the epoch", "UPDATE config SET value='7' WHERE key='epoch'", /runtime or epoch is not the one/],
];

const layout: Tampering[] = [
  ["a dropped trigger", "DROP TRIGGER events_not_deleted", /the trigger events_not_deleted is missing/],
  [
    "a trigger that does nothing",
    "DROP TRIGGER events_not_deleted; CREATE TRIGGER events_not_deleted BEFORE DELETE ON events BEGIN SELECT 1; END",
    /the trigger events_not_deleted of the database is not as HAP made it/,
  ],
  [
    "a trigger added",
    "CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN UPDATE sessions SET expires_at=9999999999999; END",
    /has a trigger evil/,
  ],
  ["an extra table", "CREATE TABLE loot (text)", /has a table loot, which HAP did not make/],
  ["a view added", "CREATE VIEW people AS SELECT name FROM directory", /has a view people/],
  ["a column added", "ALTER TABLE quotas ADD COLUMN extra TEXT", /the table quotas of the database is not as HAP made it/],
  ["a dropped index", "DROP INDEX idx_tickets_due", /the index idx_tickets_due is missing/],
  ["a dropped table", "DROP TABLE push_subscriptions", /is missing from the database/],
];

const log: Tampering[] = [
  ["a log emptied whole", `${guards} DELETE FROM events`, /events_not|the log is empty|is missing/],
  [
    "a log emptied whole by somebody careful",
    (database) => {
      const made = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").all();
      for (const { name } of made) database.exec(`DROP TRIGGER ${name}`);
      database.exec("DELETE FROM events");
      for (const { sql } of made) database.exec(sql as string);
    },
    /tickets are stored, but the log creates 0|lacks|the log is empty|does not know/,
  ],
  [
    "everything emptied but the settings",
    (database) => {
      const made = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").all();
      for (const { name } of made) database.exec(`DROP TRIGGER ${name}`);
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name<>'config'").all();
      for (const { name } of tables) database.exec(`DELETE FROM ${name}`);
      database.exec("DELETE FROM config WHERE key LIKE 'trusted%'");
      for (const { sql } of made) database.exec(sql as string);
    },
    /the log is empty, but the store had one/,
  ],
  ["a text changed", "UPDATE contents SET body='fine' WHERE body='LGTM'", /is not the one that was written/],
  ["a text removed", "DELETE FROM contents WHERE body='LGTM'", /is gone, and no erasure says so/],
  [
    "a text put in",
    "INSERT INTO contents SELECT 1, digest, salt, body FROM contents LIMIT 1",
    /texts are stored that no event refers to/,
  ],
  ["a ticket's state", "UPDATE tickets SET state='APPROVED', open=0 WHERE state='PENDING'", /is not what/],
  ["a ticket removed", "DELETE FROM tickets WHERE seq=(SELECT max(seq) FROM tickets)", /stored tickets lack/],
  ["a ticket for somebody else", `UPDATE tickets SET "to"=${handle("human:kim")} WHERE state='PENDING'`, /is not what/],
];

/** All of them. */
export const TAMPERINGS: readonly Tampering[] = [...names, ...access, ...layout, ...log];

/** Do one of them to the database of a store. */
export function doTampering(database: DatabaseSync, [, act]: Tampering): void {
  if (typeof act === "string") database.exec(act);
  else act(database);
}
