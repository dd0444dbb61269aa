// A backup is of the store itself, so it is made where the store is and by nobody's client.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { type BackupReport, HapError } from "@hap/protocol";

/** Copy the store at `dbPath` (default HAP_DB_PATH, else ~/.hap/hap.db) into a new file, verified; others may write meanwhile. */
export async function backupStore(path: string, options: { dbPath?: string } = {}): Promise<BackupReport> {
  const { HapEngine, resolveDbPath } = await import("@hap/core");
  const source = resolveDbPath(options.dbPath, homedir());
  if (!existsSync(source))
    throw new HapError("invalid_input", `There is no store at ${source}. Set HAP_DB_PATH to the one to copy.`, { path: source });
  const engine = new HapEngine({ dbPath: options.dbPath });
  try {
    return engine.backup(path);
  } finally {
    engine.dispose();
  }
}
