// The default store of an engine: a SQLite file, and a bell file beside it.
import { FileBell } from "../../waiting/wake.ts";
import type { OpenedStore } from "../store.ts";
import type { OpenOptions } from "./open.ts";
import { SqliteStore } from "./sqlite-store.ts";

/** Open or create a store in a file. */
export function openSqlite(options: OpenOptions): OpenedStore {
  return { store: new SqliteStore(options), bell: new FileBell(options.path) };
}
