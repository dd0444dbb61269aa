// Reading a store of the 0.1 draft (its section 7.2) from a private copy of its files, so that the original is not touched, and
// checking its hash chain as section 6.6 says.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { canonicalJson, eventHash, GENESIS_HASH, HapError, type Json, quote } from "@hap/protocol";
import { sha256 } from "../transaction/facts.ts";

/** A row of the draft's table `tickets`, its JSON parsed. */
export type DraftTicket = {
  id: string;
  from: string;
  to: string;
  intent: Record<string, Json>;
  artifact: Record<string, Json> | null;
  lease: Record<string, Json>;
  risk: number;
  priority: string;
  state: string;
  created_at: string;
  updated_at: string;
};
/** What a draft store holds: its tickets, oldest first, what its log says of each, and how far its chain holds. */
export type DraftStore = { tickets: DraftTicket[]; said: Map<string, DraftEvent[]>; chain: DraftChain };
/** An event about one ticket. */
export type DraftEvent = { type: string; ts: string; payload: Record<string, Json> };
/** `broken` is the first event that does not hash, or null. */
type DraftChain = { events: number; head: string; broken: string | null };

const COLUMNS = {
  tickets: ["id", "from", "to", "intent", "artifact", "lease", "risk", "priority", "state", "created_at", "updated_at"],
  events: ["id", "type", "ts", "payload", "prev_hash", "hash"],
};

/** Read all of it. */
export function readDraftStore(path: string): DraftStore {
  if (!existsSync(path)) throw new HapError("invalid_input", `There is no file ${quote(path)}.`, { field: "FILE", path });
  const folder = mkdtempSync(join(tmpdir(), "hap-draft-"));
  try {
    const copy = join(folder, "draft.db");
    for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    const database = new DatabaseSync(copy);
    try {
      assertDraft(database, path);
      return { tickets: readTickets(database), ...readEvents(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof HapError) throw error;
    throw notDraft(path, error instanceof Error ? error.message : String(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertDraft(database: DatabaseSync, path: string): void {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const found = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
    const missing = columns.find((name) => !found.some((row) => row.name === name));
    if (missing !== undefined) throw notDraft(path, `its table ${table} has no column ${missing}`);
  }
}

function notDraft(path: string, why: string): HapError {
  return new HapError("invalid_input", `${quote(path)} is not a store of the 0.1 draft: ${why}.`, { field: "FILE", path });
}

function readTickets(database: DatabaseSync): DraftTicket[] {
  const rows = database.prepare("SELECT * FROM tickets ORDER BY created_at, rowid").all() as Record<
    string,
    string | number | null
  >[];
  return rows.map((row) => ({
    ...(row as unknown as DraftTicket),
    intent: JSON.parse(String(row.intent)),
    artifact: row.artifact === null ? null : JSON.parse(String(row.artifact)),
    lease: JSON.parse(String(row.lease)),
  }));
}

function readEvents(database: DatabaseSync): Pick<DraftStore, "said" | "chain"> {
  const said = new Map<string, DraftEvent[]>();
  const chain: DraftChain = { events: 0, head: GENESIS_HASH, broken: null };
  for (const row of database.prepare("SELECT * FROM events ORDER BY rowid").iterate() as Iterable<Record<string, string>>) {
    const payload = JSON.parse(row.payload as string) as Record<string, Json>;
    if (row.prev_hash !== chain.head || !hashes(row, payload)) chain.broken ??= String(row.id);
    chain.events++;
    chain.head = row.hash as string;
    const about = ticketOf(payload);
    if (about === null) continue;
    said.set(about, [...(said.get(about) ?? []), { type: String(row.type), ts: String(row.ts), payload }]);
  }
  return { said, chain };
}

/** Section 6.6 hashes what Python's json.dumps makes; others may have hashed plain UTF-8, or the text as it was stored. */
function hashes(row: Record<string, string>, payload: Record<string, Json>): boolean {
  const plain = canonicalJson(payload);
  const escaped = plain.replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [row.payload as string, plain, escaped].some((text) => eventHash(row.prev_hash as string, text, sha256) === row.hash);
}

/** The draft names the ticket in one of three places (section 3). */
function ticketOf(payload: Record<string, Json>): string | null {
  const inside = (key: string, name: string) => (payload[key] as Record<string, Json> | undefined)?.[name];
  const id = payload.ticket_id ?? inside("ticket", "id") ?? inside("intent", "ticket_id");
  return typeof id === "string" ? id : null;
}
