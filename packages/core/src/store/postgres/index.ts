// PostgreSQL for the engine: loaded by import() only, so that programs without it carry no driver.
export type { Durability } from "./durability.ts";
export { type MigrationReport, migrateBack, migrateStore } from "./migrate-store.ts";
export { openPostgres, type PostgresOptions } from "./open-postgres.ts";
export { type NodeOptions, PgNode } from "./pg-node.ts";
export { archiveSpace, createSpace, limitSpace, listSpaces, type SpaceRow } from "./spaces.ts";
