// Migrations 1 to 7 of the SQLite store. Never edited once released.
import { APPLICATION_ID } from "./application-id.ts";

/** Each entry takes the schema to the next number. */
export const FIRST: readonly string[] = [
  `
  PRAGMA application_id=${APPLICATION_ID};

  CREATE TABLE events (
    seq         INTEGER PRIMARY KEY,
    payload     TEXT NOT NULL,
    prev_hash   TEXT NOT NULL,
    hash        TEXT NOT NULL,
    -- Read out of the payload, so that they cannot say anything else.
    id          TEXT GENERATED ALWAYS AS (json_extract(payload, '$.id')) VIRTUAL,
    type        TEXT GENERATED ALWAYS AS (json_extract(payload, '$.type')) VIRTUAL,
    ts          TEXT GENERATED ALWAYS AS (json_extract(payload, '$.ts')) VIRTUAL,
    created_at  TEXT GENERATED ALWAYS AS (json_extract(payload, '$.ts')) VIRTUAL,
    -- The event before this one of the same ticket: a ticket's history is a chain of its own, without an index.
    ticket_prev INTEGER
  );

  -- One folded record a ticket. Columns that are searched stand beside it; the draft's others are read out of it.
  CREATE TABLE tickets (
    seq            INTEGER PRIMARY KEY,
    record         TEXT NOT NULL,
    id             TEXT NOT NULL UNIQUE,
    code           TEXT NOT NULL,
    "from"         TEXT NOT NULL,
    "to"           TEXT NOT NULL,
    state          TEXT NOT NULL,
    rank           INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    tier           TEXT NOT NULL,
    project        TEXT,
    session        TEXT,
    created_at     TEXT NOT NULL,
    delivered_at   TEXT,
    snoozed_until  INTEGER,
    next_deadline  INTEGER,
    intent         TEXT GENERATED ALWAYS AS (json_extract(record, '$.ticket.intent')) VIRTUAL,
    artifact       TEXT GENERATED ALWAYS AS (json_extract(record, '$.ticket.artifact')) VIRTUAL,
    lease          TEXT GENERATED ALWAYS AS (json_extract(record, '$.ticket.lease')) VIRTUAL,
    risk           REAL GENERATED ALWAYS AS (json_extract(record, '$.ticket.risk')) VIRTUAL,
    priority       TEXT GENERATED ALWAYS AS (json_extract(record, '$.ticket.priority')) VIRTUAL,
    updated_at     TEXT GENERATED ALWAYS AS (json_extract(record, '$.updatedAt')) VIRTUAL
  );
  -- What opening a ticket must pay for: the inbox and the deadlines. The rest is indexed when a ticket ends.
  CREATE INDEX idx_tickets_inbox ON tickets("to", rank, seq, "from", kind) WHERE state IN ('PENDING', 'DELIVERED', 'ACKED');
  CREATE INDEX idx_tickets_due ON tickets(next_deadline) WHERE next_deadline IS NOT NULL;
  CREATE INDEX idx_tickets_code ON tickets(code) WHERE delivered_at IS NOT NULL;
  CREATE INDEX idx_ended_to ON tickets("to", seq) WHERE state NOT IN ('PENDING', 'DELIVERED', 'ACKED');
  CREATE INDEX idx_ended_from ON tickets("from", seq) WHERE state NOT IN ('PENDING', 'DELIVERED', 'ACKED');
  CREATE INDEX idx_ended_kind ON tickets(kind, seq) WHERE state NOT IN ('PENDING', 'DELIVERED', 'ACKED');
  CREATE INDEX idx_ended_project ON tickets(project, seq) WHERE project IS NOT NULL AND state NOT IN ('PENDING', 'DELIVERED', 'ACKED');
  CREATE INDEX idx_ended_session ON tickets(session, seq) WHERE session IS NOT NULL AND state NOT IN ('PENDING', 'DELIVERED', 'ACKED');

  CREATE TABLE contents (
    ticket_seq  INTEGER NOT NULL,
    digest      BLOB NOT NULL,
    salt        BLOB NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (ticket_seq, digest)
  ) WITHOUT ROWID;

  CREATE TABLE directory (
    handle      TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    created_at  TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE quotas (
    agent         TEXT PRIMARY KEY,
    open_tickets  INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Wall clock and uptime when an auto_approve ticket was delivered: a clock that jumped approves nothing.
  CREATE TABLE anchors (
    ticket_seq  INTEGER PRIMARY KEY,
    wall        INTEGER NOT NULL,
    uptime      INTEGER NOT NULL
  );

  CREATE TABLE used_nonces (
    nonce       TEXT PRIMARY KEY,
    ticket_id   TEXT NOT NULL,
    used_at     TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE challenges (
    nonce       TEXT PRIMARY KEY,
    ticket_id   TEXT NOT NULL,
    intent      TEXT NOT NULL,
    expires     INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE config (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE agents (
    agent          TEXT PRIMARY KEY,
    seq            INTEGER NOT NULL,
    agent_runtime  TEXT NOT NULL,
    project        TEXT,
    terminal       TEXT,
    label          TEXT,
    joined_at      TEXT NOT NULL,
    seen_at        TEXT NOT NULL,
    left_at        TEXT
  ) WITHOUT ROWID;
  CREATE INDEX idx_agents_seen ON agents(seen_at, seq);

  -- Words that people left for an agent. The words themselves are contents.
  CREATE TABLE messages (
    id           TEXT PRIMARY KEY,
    seq          INTEGER NOT NULL,
    agent        TEXT NOT NULL,
    "from"       TEXT NOT NULL,
    text         TEXT,
    attachments  TEXT NOT NULL,
    queued_at    TEXT NOT NULL,
    taken_at     TEXT,
    taken_by     TEXT
  ) WITHOUT ROWID;
  CREATE INDEX idx_messages_agent ON messages(agent, seq);
  CREATE INDEX idx_messages_queued ON messages(agent, seq) WHERE taken_at IS NULL;

  -- Only what belongs to a conversation pays for this one.
  CREATE INDEX idx_conversations ON tickets("from", seq) WHERE kind IN ('cue', 'pause', 'question');
  `,
  `
  -- Codes that a person types (D25): only a salted hash is kept.
  CREATE TABLE one_time_codes (
    purpose     TEXT NOT NULL,
    person      TEXT NOT NULL,
    salt        BLOB NOT NULL,
    hash        BLOB NOT NULL,
    expires     INTEGER NOT NULL,
    wrong       INTEGER NOT NULL,
    PRIMARY KEY (purpose, person)
  ) WITHOUT ROWID;

  -- Keys of people. What the log says of them, and beside it what their uses change.
  CREATE TABLE credentials (
    id            TEXT PRIMARY KEY,
    seq           INTEGER NOT NULL,
    person        TEXT NOT NULL,
    record        TEXT NOT NULL,
    sign_count    INTEGER NOT NULL,
    last_used_at  TEXT
  ) WITHOUT ROWID;
  CREATE INDEX idx_credentials_person ON credentials(person, seq);

  -- Statements given out to be signed for something else than a decision: enrolment, revocation, login.
  CREATE TABLE statements (
    nonce       TEXT PRIMARY KEY,
    statement   TEXT NOT NULL,
    expires     INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Keys of agents, as the log made them; when they were used last is said here only.
  CREATE TABLE api_keys (
    id            TEXT PRIMARY KEY,
    seq           INTEGER NOT NULL,
    agent         TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    key_hash      TEXT NOT NULL,
    created_by    TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    expires_at    TEXT,
    replaces      TEXT,
    revoked_at    TEXT,
    last_used_at  TEXT
  ) WITHOUT ROWID;

  -- Who is signed in: a cookie of the page, or a token of a terminal. Only hashes are kept.
  CREATE TABLE sessions (
    hash          TEXT PRIMARY KEY,
    person        TEXT NOT NULL,
    kind          TEXT NOT NULL,
    how           TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    last_used_at  INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idx_sessions_person ON sessions(person);

  -- Which person an identity provider means by a subject.
  CREATE TABLE subjects (
    issuer      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    person      TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) WITHOUT ROWID;

  -- Agents that joined through a key: the agent of that key answers for them.
  CREATE TABLE agent_owners (
    agent  TEXT PRIMARY KEY,
    owner  TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idx_agent_owners ON agent_owners(owner);

  -- What was answered to a request that may be sent again.
  CREATE TABLE idempotency (
    owner       TEXT NOT NULL,
    key         TEXT NOT NULL,
    request     TEXT NOT NULL,
    ticket_id   TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) WITHOUT ROWID;
  `,
  `
  -- Where events are told, and the messages that wait to be sent or were given up. Sent ones are gone.
  CREATE TABLE webhooks (
    id          TEXT PRIMARY KEY,
    url         TEXT NOT NULL,
    events      TEXT NOT NULL,
    filter      TEXT NOT NULL,
    secret      TEXT NOT NULL,
    from_seq    INTEGER NOT NULL,
    created_by  TEXT NOT NULL,
    created_at  INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE deliveries (
    id          TEXT PRIMARY KEY,
    webhook     TEXT NOT NULL,
    type        TEXT NOT NULL,
    body        TEXT NOT NULL,
    dead        INTEGER NOT NULL,
    tries       INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    problem     TEXT
  ) WITHOUT ROWID;
  CREATE INDEX idx_deliveries_due ON deliveries(webhook, next_at) WHERE dead=0;
  CREATE INDEX idx_deliveries_dead ON deliveries(created_at) WHERE dead=1;
  `,
  `
  -- Webhooks as the log makes them (D18); only what signs their messages is said here alone. Those of development versions,
  -- of which the log knew nothing, go: an address that no event names must not be told anything.
  DROP TABLE webhooks;
  DELETE FROM deliveries;
  CREATE TABLE webhooks (
    id       TEXT PRIMARY KEY,
    seq      INTEGER NOT NULL,
    record   TEXT NOT NULL,
    removed  INTEGER NOT NULL,
    secret   TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Browsers that are called when a ticket waits. They go with their person.
  CREATE TABLE push_subscriptions (
    endpoint    TEXT PRIMARY KEY,
    person      TEXT NOT NULL,
    p256dh      TEXT NOT NULL,
    auth        TEXT NOT NULL,
    server_key  TEXT NOT NULL,
    created_at  INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idx_push_person ON push_subscriptions(person);
  `,
];
