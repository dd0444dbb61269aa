// Migration 1 of the PostgreSQL store: tables, row-level security, roles, and the functions that nodes call. Never edited once released.
import { columnOf, TABLES, type TableShape } from "../tables.ts";
import { COMMIT } from "./commit.ts";
import { FETCH } from "./fetch.ts";
import { SCAN } from "./scan.ts";

const types = { text: 'text COLLATE "C"', int: "bigint", real: "double precision", bytes: "bytea" };

/** Tables that are only ever appended to by the application. */
const APPENDED = new Set(["events", "contents"]);

function createTable(table: TableShape): string {
  const columns = table.columns.map(({ name, type, nullable }) => `"${name}" ${types[type]}${nullable ? "" : " NOT NULL"}`);
  const key = table.key.map((name) => `"${columnOf(table, name).name}"`).join(", ");
  const rights = APPENDED.has(table.name) ? "SELECT, INSERT" : "SELECT, INSERT, UPDATE, DELETE";
  return `
CREATE TABLE hap."${table.name}" (space text COLLATE "C" NOT NULL, ${columns.join(", ")}, PRIMARY KEY (space, ${key}));
ALTER TABLE hap."${table.name}" ENABLE ROW LEVEL SECURITY;
ALTER TABLE hap."${table.name}" FORCE ROW LEVEL SECURITY;
CREATE POLICY one_space ON hap."${table.name}" USING (space = current_setting('hap.space', true))
  WITH CHECK (space = current_setting('hap.space', true));
GRANT ${rights} ON hap."${table.name}" TO hap_app;`;
}

/** The application's role reads and writes one space at a time; only the eraser deletes texts; nobody changes events. */
const ROLES = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname='hap_app') THEN CREATE ROLE hap_app NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname='hap_eraser') THEN CREATE ROLE hap_eraser NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN EXECUTE format('GRANT hap_app, hap_eraser TO %I', current_user); END $$;
GRANT USAGE ON SCHEMA hap TO hap_app;
GRANT USAGE, CREATE ON SCHEMA hap TO hap_eraser;
GRANT SELECT ON hap.migrations TO hap_app;`;

const SHARED = `
CREATE TABLE hap.spaces (
  space text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  batch text NOT NULL DEFAULT '',
  head_seq bigint NOT NULL DEFAULT 0,
  head_hash text NOT NULL DEFAULT '',
  head_at bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz
) WITH (fillfactor=50);
-- The keys that each commit touched; NULL where nodes must load the space again.
CREATE TABLE hap.changes (
  space text COLLATE "C" NOT NULL, version bigint NOT NULL, batch text NOT NULL, keys json,
  PRIMARY KEY (space, version)
);
-- Which commits were applied, for a day: after a lost answer a node asks by the batch's id.
CREATE TABLE hap.batches (
  space text COLLATE "C" NOT NULL, batch text NOT NULL, version bigint NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space, batch)
);
CREATE INDEX batches_at ON hap.batches (space, at);
-- The next deadline of each space, apart from its row so that raising a version stays a heap-only update.
CREATE TABLE hap.dues (space text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
CREATE INDEX dues_at ON hap.dues (at);
GRANT SELECT, INSERT, UPDATE ON hap.spaces TO hap_app;
GRANT SELECT, INSERT, DELETE ON hap.changes, hap.batches TO hap_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON hap.dues TO hap_app;`;

const INDEXES = `
CREATE UNIQUE INDEX tickets_id ON hap.tickets (space, id);
CREATE INDEX tickets_open ON hap.tickets (space, seq) WHERE open=1;
CREATE INDEX tickets_due ON hap.tickets (space, next_deadline) WHERE next_deadline IS NOT NULL;
CREATE INDEX tickets_code ON hap.tickets (space, code);
CREATE INDEX ended_to ON hap.tickets (space, "to", seq) WHERE open=0;
CREATE INDEX ended_from ON hap.tickets (space, "from", seq) WHERE open=0;
CREATE INDEX ended_kind ON hap.tickets (space, kind, seq) WHERE open=0;
CREATE INDEX ended_project ON hap.tickets (space, project, seq) WHERE project IS NOT NULL AND open=0;
CREATE INDEX ended_session ON hap.tickets (space, session, seq) WHERE session IS NOT NULL AND open=0;
CREATE INDEX conversations ON hap.tickets (space, "from", seq) WHERE kind IN ('cue', 'pause', 'question');
CREATE UNIQUE INDEX directory_name ON hap.directory (space, name);
CREATE INDEX messages_agent ON hap.messages (space, agent);
CREATE INDEX idempotency_created ON hap.idempotency (space, created_at);`;

const ERASE = `
-- The one way to delete texts. It runs as hap_eraser, and sees the space that the caller has set.
GRANT SELECT, DELETE ON hap.contents TO hap_eraser;
CREATE FUNCTION hap.erase(p_keys json) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH gone AS (
    DELETE FROM hap.contents c USING json_to_recordset(p_keys) AS k(ticket_seq bigint, digest text)
    WHERE c.space = current_setting('hap.space', true) AND c.ticket_seq = k.ticket_seq AND c.digest = decode(k.digest, 'hex')
    RETURNING 1)
  SELECT count(*) FROM gone
$$;
ALTER FUNCTION hap.erase(json) OWNER TO hap_eraser;
REVOKE ALL ON FUNCTION hap.erase(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hap.erase(json) TO hap_app;
REVOKE CREATE ON SCHEMA hap FROM hap_eraser;`;

/** The SQL of this migration. */
export const FIRST: string = [ROLES, SHARED, ...TABLES.map(createTable), INDEXES, ERASE, FETCH, COMMIT, SCAN].join("\n");
