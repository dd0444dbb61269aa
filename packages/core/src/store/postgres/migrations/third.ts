// Migration 3 of the PostgreSQL store: tickets that need several people (D45). The functions name every column, so they are made again.
// Older servers read pages of rows by the place of a column, so they cannot go on beside it. Never edited once released.
import { COMMIT } from "./commit.ts";
import { FETCH } from "./fetch.ts";
import { SCAN } from "./scan.ts";
import { FETCH_READ_ONLY, RIGHTS } from "./second.ts";

const replaced = [FETCH, COMMIT, SCAN].join("\n").replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION");

/** The SQL of this migration. A database that is set up by this version has the column from its first migration on. */
export const THIRD: string = [
  "ALTER TABLE hap.tickets ADD COLUMN IF NOT EXISTS quorum bigint NOT NULL DEFAULT 0;",
  replaced,
  FETCH_READ_ONLY,
  RIGHTS,
].join("\n");
