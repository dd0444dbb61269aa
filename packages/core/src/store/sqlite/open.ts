// Opening the file (D31): private, on a local disk, WAL, every commit synced, and all of it asserted, not assumed.
import { closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HapError, isHapError } from "@hap/protocol";
import { translateError } from "./errors.ts";
import { APPLICATION_ID } from "./migrations/application-id.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "./migrations.ts";
import { Statements } from "./statements.ts";

/** File systems on which SQLite's locks and shared memory do not hold, by the magic number of statfs. */
const networkFileSystems: Record<number, string> = {
  26985: "NFS",
  4283649346: "CIFS",
  4266872130: "SMB2",
  20859: "SMB",
  1397113167: "AFS",
  1397114950: "AFS",
  1937076805: "CODA",
  16914839: "9P",
  12805120: "CEPH",
  198183888: "Lustre",
};

/** How a store is opened. */
export type OpenOptions = {
  path: string;
  /** The space whose log it is; the default space when not given. */
  space?: string | undefined;
  /** How long to try for the write lock; 15 s when not given. */
  busyMs?: number | undefined;
  /** The file system's type of a folder, as statfs gives it; given by tests. */
  fileSystemType?: (folder: string) => number;
  /** The system that syncs; given by tests. */
  platform?: NodeJS.Platform;
};

/** Open or create the database of a store, migrated and with its safety settings in force. */
export function openDatabase(options: OpenOptions & { busyMs: number }): DatabaseSync {
  const { path } = options;
  try {
    prepareFile(path, options.fileSystemType ?? ((folder) => Number(statfsSync(folder).type)));
    try {
      return openPrepared(options, false);
    } catch (error) {
      if (!isFull(error, path) || statSync(path).size === 0) throw error;
      return openPrepared(options, true);
    }
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * `alone`: on a full disk SQLite cannot make the memory that connections share, and nothing could be read. A connection that has the
 * file to itself needs none. It can only happen to the first one: where another has the store open, that memory is there.
 */
function openPrepared({ path, busyMs, platform }: OpenOptions & { busyMs: number }, alone: boolean): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    const statements = new Statements(database, path, busyMs);
    if (alone) statements.fresh("PRAGMA locking_mode=EXCLUSIVE").all();
    refuseForeign(statements, path);
    secure(statements, path, platform ?? process.platform);
    migrate(database, statements, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isFull(error: unknown, path: string): boolean {
  const translated = translateError(error, path);
  return isHapError(translated) && translated.code === "store_full";
}

/** One folder after the other: Node's own recursion never ends where nothing can be made, as under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function prepareFile(path: string, fileSystemType: (folder: string) => number): void {
  const folder = dirname(path);
  makeFolder(folder);
  const network = networkFileSystems[fileSystemType(folder) >>> 0];
  if (network !== undefined) {
    throw new HapError(
      "store_unusable",
      `${path} lies on a network file system (${network}), where locks do not hold. Set HAP_DB_PATH to a local disk, or use a server (HAP_URL).`,
      {
        path,
        file_system: network,
      },
    );
  }
  // SQLite gives its -wal and -shm files the mode of the database, so the file is made private before SQLite sees it.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
}

/** A database of another program is left as it is. */
function refuseForeign(sql: Statements, path: string): void {
  const row = sql
    .fresh(
      `SELECT (SELECT count(*) FROM sqlite_schema) AS parts, (SELECT user_version FROM pragma_user_version) AS version,
       (SELECT application_id FROM pragma_application_id) AS application`,
    )
    .get();
  const ours = row?.application === APPLICATION_ID || (row?.parts === 0 && row.version === 0);
  if (ours) return;
  throw new HapError(
    "store_corrupt",
    isDraft(sql)
      ? `${path} is a store of the 0.1 draft. Move it elsewhere and run \`hap import-draft FILE\`; nothing was changed.`
      : `${path} is a database of another program, not a HAP store. Set HAP_DB_PATH to another path; nothing was changed.`,
    { path },
  );
}

/** True for the tables of the draft's section 7.2. */
function isDraft(sql: Statements): boolean {
  const row = sql
    .fresh("SELECT count(*) AS n FROM sqlite_schema WHERE type='table' AND name IN ('tickets','events','used_nonces','config')")
    .get();
  return row?.n === 4;
}

function secure(sql: Statements, path: string, platform: NodeJS.Platform): void {
  // On macOS a plain fsync leaves data in the disk's own cache.
  const darwin = platform === "darwin" ? ["fullfsync=1", "checkpoint_fullfsync=1"] : [];
  for (const pragma of [
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "trusted_schema=OFF",
    "cache_size=-16000",
    // Pages that every commit touches are then copied into the database a quarter as often; the log grows to 16 MB.
    "wal_autocheckpoint=4000",
    ...darwin,
  ]) {
    sql.fresh(`PRAGMA ${pragma}`).all();
  }
  const wanted: Record<string, number | string> = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, secure_delete: 1 };
  for (const [pragma, value] of Object.entries(wanted)) {
    const row = sql.fresh(`PRAGMA ${pragma}`).get();
    const actual = row === undefined ? undefined : Object.values(row)[0];
    if (actual !== value) {
      throw new HapError(
        "store_unusable",
        `${path}: SQLite did not take ${pragma}=${value} (it is ${String(actual)}), without which nothing would be safe.`,
        { path, pragma },
      );
    }
  }
}

/** Bring an older file up to date; refuse a newer one. */
function migrate(database: DatabaseSync, sql: Statements, path: string): void {
  const version = userVersion(sql);
  if (version > SCHEMA_VERSION) throw newerStore(path, version);
  if (version === SCHEMA_VERSION) return;
  sql.fresh("BEGIN IMMEDIATE").run();
  try {
    for (let at = userVersion(sql); at < SCHEMA_VERSION; at++) database.exec(MIGRATIONS[at] as string);
    database.exec(`PRAGMA user_version=${SCHEMA_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function newerStore(path: string, version: number): HapError {
  return new HapError(
    "store_newer",
    `${path} was written by a newer HAP (schema ${version}; this one knows ${SCHEMA_VERSION}). Update HAP; nothing was changed.`,
    {
      path,
      version,
      known: SCHEMA_VERSION,
    },
  );
}

/** The schema number in the file right now. */
export function userVersion(sql: Statements): number {
  return sql.get("PRAGMA user_version").get()?.user_version as number;
}

const systemErrors: Record<string, string> = {
  ENOENT: "no folder can be made there",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "the disk is mounted read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "its links go round in circles",
  ENAMETOOLONG: "the name is too long",
};

function explain(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const reason = code === undefined ? undefined : systemErrors[code];
  if (reason === undefined) return translateError(error, path);
  const full = code === "ENOSPC";
  const readOnly = code === "EROFS";
  return new HapError(
    full ? "store_full" : readOnly ? "store_read_only" : "store_unusable",
    `${path} cannot be opened: ${reason}. Set HAP_DB_PATH to a path that you can write.`,
    { path, system: code },
    error,
  );
}
