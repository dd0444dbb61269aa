// Migrations 8 to 15 of the SQLite store. Never edited once released.

/** Each entry takes the schema to the next number. */
export const SECOND: readonly string[] = [
  `
  -- Columns that were read out of the record were computed anew at each write, and so was, five times, whether a ticket is
  -- open: both are plain columns now. What the draft has columns of its own for is no longer in the record beside them.
  ALTER TABLE tickets RENAME TO tickets_before;
  CREATE TABLE tickets (
    seq            INTEGER PRIMARY KEY,
    record         TEXT NOT NULL,
    intent         TEXT NOT NULL,
    artifact       TEXT NOT NULL,
    lease          TEXT NOT NULL,
    id             TEXT NOT NULL UNIQUE,
    code           TEXT NOT NULL,
    "from"         TEXT NOT NULL,
    rank           INTEGER NOT NULL,
    priority       TEXT NOT NULL,
    risk           REAL NOT NULL,
    kind           TEXT NOT NULL,
    tier           TEXT NOT NULL,
    project        TEXT,
    session        TEXT,
    created_at     TEXT NOT NULL,
    "to"           TEXT NOT NULL,
    state          TEXT NOT NULL,
    open           INTEGER NOT NULL,
    delivered_at   TEXT,
    snoozed_until  INTEGER,
    next_deadline  INTEGER,
    updated_at     TEXT NOT NULL
  );
  INSERT INTO tickets
    SELECT seq, json_remove(record, '$.ticket.intent', '$.ticket.artifact', '$.ticket.lease'), intent, artifact, lease, id, code,
      "from", rank, priority, risk, kind, tier, project, session, created_at, "to", state,
      state IN ('PENDING', 'DELIVERED', 'ACKED'), delivered_at, snoozed_until, next_deadline, updated_at
    FROM tickets_before;
  DROP TABLE tickets_before;
  -- What opening a ticket must pay for: the inbox and the deadlines. The rest is indexed when a ticket ends.
  CREATE INDEX idx_tickets_inbox ON tickets("to", rank, seq, "from", kind) WHERE open=1;
  CREATE INDEX idx_tickets_due ON tickets(next_deadline) WHERE next_deadline IS NOT NULL;
  CREATE INDEX idx_tickets_code ON tickets(code) WHERE delivered_at IS NOT NULL;
  CREATE INDEX idx_ended_to ON tickets("to", seq) WHERE open=0;
  CREATE INDEX idx_ended_from ON tickets("from", seq) WHERE open=0;
  CREATE INDEX idx_ended_kind ON tickets(kind, seq) WHERE open=0;
  CREATE INDEX idx_ended_project ON tickets(project, seq) WHERE project IS NOT NULL AND open=0;
  CREATE INDEX idx_ended_session ON tickets(session, seq) WHERE session IS NOT NULL AND open=0;
  CREATE INDEX idx_conversations ON tickets("from", seq) WHERE kind IN ('cue', 'pause', 'question');
  `,
  `
  -- Names, accounts, sign-ins and kept requests come from events now (D35): each row names its event. Rows from before get theirs
  -- when the store is opened.
  ALTER TABLE directory ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE subjects ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE idempotency ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE idempotency ADD COLUMN salt BLOB NOT NULL DEFAULT x'';
  INSERT INTO config (key, value) SELECT 'import_pending', '1' WHERE EXISTS (SELECT 1 FROM events);
  -- The log is only ever appended to. Whoever drops these to change it is found by the schema and by the chain.
  CREATE TRIGGER events_not_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
  CREATE TRIGGER events_not_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
  `,
  `
  -- Phrases that confirm a yes (D3): one for a ticket and a person, only a salted hash is kept.
  CREATE TABLE phrases (
    ticket_id   TEXT NOT NULL,
    person      TEXT NOT NULL,
    salt        BLOB NOT NULL,
    hash        BLOB NOT NULL,
    expires     INTEGER NOT NULL,
    wrong       INTEGER NOT NULL,
    PRIMARY KEY (ticket_id, person)
  ) WITHOUT ROWID;
  `,
  `
  -- Backups made of this store, so that an erasure reaches them too.
  CREATE TABLE backups (path TEXT PRIMARY KEY, made_at TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- Counters that were kept in memory: refused decisions of a person in one minute, and leases whose end was announced.
  CREATE TABLE refusals (
    person  TEXT PRIMARY KEY,
    minute  INTEGER NOT NULL,
    count   INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE push_reminders (
    ticket_id  TEXT NOT NULL,
    deadline   INTEGER NOT NULL,
    PRIMARY KEY (ticket_id, deadline)
  ) WITHOUT ROWID;
  `,
  `
  -- Queues that people change, labels and groups of agents (D26), and which questions a process waits for right now.
  ALTER TABLE agents ADD COLUMN label_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE agents ADD COLUMN name TEXT;
  ALTER TABLE agents ADD COLUMN "group" TEXT;
  ALTER TABLE messages ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN withdrawn_at TEXT;
  UPDATE messages SET place=seq;
  DROP INDEX idx_messages_queued;
  CREATE INDEX idx_messages_waiting ON messages(agent, place) WHERE taken_at IS NULL AND withdrawn_at IS NULL;
  CREATE TABLE listeners (
    ticket_id  TEXT PRIMARY KEY,
    agent      TEXT NOT NULL,
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Grants and denials of people (D43), and each use of one.
  CREATE TABLE grants (
    id      TEXT PRIMARY KEY,
    seq     INTEGER NOT NULL,
    person  TEXT NOT NULL,
    open    INTEGER NOT NULL,
    record  TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idx_grants_open ON grants(seq) WHERE open=1;
  CREATE TABLE grant_uses (
    grant_id   TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    call_hash  TEXT NOT NULL,
    agent      TEXT NOT NULL,
    PRIMARY KEY (grant_id, seq)
  ) WITHOUT ROWID;
  CREATE INDEX idx_grant_uses_call ON grant_uses(call_hash, agent, seq);
  `,
  `
  -- Tickets that need several people (D45) are in the inbox of each of them.
  ALTER TABLE tickets ADD COLUMN quorum INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX idx_tickets_quorum ON tickets(rank, seq) WHERE open=1 AND quorum=1;
  `,
];
