// Rows that concern the deletion of a person: the list of backups, and what waits for minutes under the person's name.
import type { BackupRow } from "../store.ts";
import type { Statements } from "./statements.ts";

/** Remember a backup; a newer one at the same path takes its place. */
export function putBackup(sql: Statements, { path, made_at }: BackupRow): void {
  sql.get("INSERT OR REPLACE INTO backups (path, made_at) VALUES (?, ?)").run(path, made_at);
}

/** Delete codes, phrases, statements and challenges of a handle, and webhook messages that hold the name. */
export function dropWaiting(sql: Statements, { handle, name }: { handle: string; name: string }): void {
  sql.get("DELETE FROM one_time_codes WHERE person=?").run(handle);
  sql.get("DELETE FROM phrases WHERE person=?1 OR instr(ticket_id, ?1)>0").run(handle);
  sql.get("DELETE FROM challenges WHERE instr(intent, ?)>0").run(handle);
  sql.get("DELETE FROM statements WHERE instr(statement, ?)>0").run(handle);
  sql.get("DELETE FROM deliveries WHERE instr(body, ?)>0").run(JSON.stringify(name));
}
