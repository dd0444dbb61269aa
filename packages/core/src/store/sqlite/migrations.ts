// Numbered migrations, hand-written, applied in order inside one transaction (D22). The number is PRAGMA user_version.
// The draft's four tables (7.2) keep their names and columns; ours are added to them, or are tables of their own.
import { FIRST } from "./migrations/first.ts";
import { SECOND } from "./migrations/second.ts";

/** Each entry takes the schema from its index to the next number. Entries are never edited once released. */
export const MIGRATIONS: readonly string[] = [...FIRST, ...SECOND];

/** The schema that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;
