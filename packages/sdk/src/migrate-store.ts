// Moving a store is done where the store is and by nobody's client.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { HapError } from "@hap/protocol";

/** What was moved. */
export type MigrationReport = { from: string; to: string; space: string; events: number; head: string; locked_ms?: number };

/** The database that HAP_DATABASE_URL names, past its pooler if it has one. */
async function database(): Promise<{ url: string; space: string }> {
  const { resolveDatabase } = await import("@hap/core");
  const found = resolveDatabase({});
  if (found !== null) return { url: found.directUrl ?? found.url, space: found.space };
  throw new HapError("invalid_input", "Set HAP_DATABASE_URL to the database, such as postgres://user:password@host/database.", {
    field: "HAP_DATABASE_URL",
  });
}

/** Copy the store of this machine into the database, verified. `progress` is told how many rows are there. */
export async function migrateStore(dbPath: string | undefined, progress: (rows: number) => void): Promise<MigrationReport> {
  const [{ resolveDbPath }, postgres, where] = await Promise.all([import("@hap/core"), import("@hap/core/postgres"), database()]);
  const file = resolveDbPath(dbPath, homedir());
  if (!existsSync(file))
    throw new HapError("invalid_input", `There is no store at ${file}. Name it with --store.`, { path: file });
  return postgres.migrateStore(file, { ...where, progress });
}

/** Copy the space in the database into a new file, verified. */
export async function migrateBack(file: string): Promise<MigrationReport> {
  const [postgres, where] = await Promise.all([import("@hap/core/postgres"), database()]);
  if (existsSync(file)) throw new HapError("invalid_input", `${file} exists already; name a new file.`, { path: file });
  return postgres.migrateBack(file, where);
}

/** What a space may take; what is left out is not limited. */
type SpaceLimits = { open_tickets?: number; requests_per_minute?: number };

/** The spaces of the database. */
export async function spaces(): Promise<{
  create: (name: string) => Promise<boolean>;
  list: () => Promise<{ space: string; events: number; created_at: string; archived_at: string | null }[]>;
  archive: (name: string, archived: boolean) => Promise<void>;
  /** Set limits, `{}` for none; null only asks. Returns what holds now. */
  limit: (name: string, limits: SpaceLimits | null) => Promise<SpaceLimits>;
}> {
  const [postgres, { url }] = await Promise.all([import("@hap/core/postgres"), database()]);
  return {
    create: (name) => postgres.createSpace(url, name),
    list: () => postgres.listSpaces(url),
    archive: (name, archived) => postgres.archiveSpace(url, name, archived),
    limit: (name, limits) => postgres.limitSpace(url, name, limits),
  };
}
