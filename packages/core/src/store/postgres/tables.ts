// The tables of a space as data: what PostgreSQL has them made of, and how rows travel between it and a node's copy in SQLite.

/** What a column holds. `bytes` travel as hex. */
export type ColumnType = "text" | "int" | "real" | "bytes";
export type Column = { name: string; type: ColumnType; nullable: boolean };
/** A table of a space. `whole`: a node has all of it in memory. */
export type TableShape = { name: string; key: readonly string[]; columns: readonly Column[]; whole: boolean };

function shape(name: string, key: string, columns: string, whole = true): TableShape {
  return {
    name,
    key: key.split(" "),
    whole,
    columns: columns.split(",").map((column) => {
      const [called, type] = column.trim().split(" ") as [string, string];
      return { name: called, type: type.replace("?", "") as ColumnType, nullable: type.endsWith("?") };
    }),
  };
}

/** Every table, in the order in which a commit writes them. A change needs a migration that alters the table and replaces the functions. */
export const TABLES: readonly TableShape[] = [
  shape("events", "seq", "seq int, payload text, prev_hash text, hash text, ticket_prev int?", false),
  shape(
    "tickets",
    "seq",
    `seq int, record text, intent text, artifact text, lease text, id text, code text, from text, rank int, priority text,
     risk real, kind text, tier text, project text?, session text?, created_at text, quorum int, to text, state text, open int,
     delivered_at text?, snoozed_until int?, next_deadline int?, updated_at text`,
    false,
  ),
  shape("contents", "ticket_seq digest", "ticket_seq int, digest bytes, salt bytes, body text", false),
  shape("anchors", "ticket_seq", "ticket_seq int, wall int, uptime int", false),
  shape("used_nonces", "nonce", "nonce text, ticket_id text, used_at text", false),
  shape(
    "messages",
    "id",
    `id text, seq int, agent text, from text, text text?, attachments text, queued_at text, taken_at text?, taken_by text?,
     place int, withdrawn_at text?`,
    false,
  ),
  shape(
    "idempotency",
    "owner key",
    "owner text, key text, request text, ticket_id text, created_at int, seq int, salt bytes",
    false,
  ),
  shape("directory", "handle", "handle text, name text, created_at text, seq int"),
  shape("quotas", "agent", "agent text, open_tickets int"),
  shape("challenges", "nonce", "nonce text, ticket_id text, intent text, expires int"),
  shape("config", "key", "key text, value text"),
  shape(
    "agents",
    "agent",
    `agent text, seq int, agent_runtime text, project text?, terminal text?, label text?, joined_at text, seen_at text,
     left_at text?, label_seq int, name text?, group text?`,
  ),
  shape("one_time_codes", "purpose person", "purpose text, person text, salt bytes, hash bytes, expires int, wrong int"),
  shape("credentials", "id", "id text, seq int, person text, record text, sign_count int, last_used_at text?"),
  shape("statements", "nonce", "nonce text, statement text, expires int"),
  shape(
    "api_keys",
    "id",
    `id text, seq int, agent text, scopes text, key_hash text, created_by text, created_at text, expires_at text?,
     replaces text?, revoked_at text?, last_used_at text?`,
  ),
  shape("sessions", "hash", "hash text, person text, kind text, how text, created_at int, expires_at int, last_used_at int"),
  shape("subjects", "issuer subject", "issuer text, subject text, person text, created_at text, seq int"),
  shape("agent_owners", "agent", "agent text, owner text"),
  shape("webhooks", "id", "id text, seq int, record text, removed int, secret text"),
  shape(
    "deliveries",
    "id",
    "id text, webhook text, type text, body text, dead int, tries int, next_at int, created_at int, problem text?",
  ),
  shape("push_subscriptions", "endpoint", "endpoint text, person text, p256dh text, auth text, server_key text, created_at int"),
  shape("phrases", "ticket_id person", "ticket_id text, person text, salt bytes, hash bytes, expires int, wrong int"),
  shape("backups", "path", "path text, made_at text"),
  shape("refusals", "person", "person text, minute int, count int"),
  shape("push_reminders", "ticket_id deadline", "ticket_id text, deadline int"),
  shape("grants", "id", "id text, seq int, person text, open int, record text"),
  shape("grant_uses", "grant_id seq", "grant_id text, seq int, at int, call_hash text, agent text"),
  shape("listeners", "ticket_id", "ticket_id text, agent text, since int, until int"),
];

/** Tables by name. */
export const TABLE: ReadonlyMap<string, TableShape> = new Map(TABLES.map((table) => [table.name, table]));

/** A column's shape by name; the shape is wrong if it has none. */
export function columnOf(table: TableShape, name: string): Column {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw new Error(`${table.name} has no column ${name}.`);
  return column;
}

/** A row as it travels: columns by name, bytes as hex. */
export type WireRow = Record<string, string | number | null>;
/** Rows by table. */
export type WireRows = Record<string, WireRow[]>;
/** A changed row by its table and key: `["tickets", 7]`. A star stands for any row of the table. */
export type ChangedKey = readonly (string | number)[];
