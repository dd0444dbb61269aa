// Opens one space in PostgreSQL on connections of its own.
import type { OpenedStore } from "../store.ts";
import { type NodeOptions, PgNode } from "./pg-node.ts";

/** Where the database is, and which space of it. */
export type PostgresOptions = NodeOptions & { space: string };

/** Open one space on connections of its own. The space is created if it is not there. */
export async function openPostgres({ space, ...options }: PostgresOptions): Promise<OpenedStore> {
  const node = await PgNode.open(options, space);
  const opened = node.store(space);
  const closeStore = opened.store.close.bind(opened.store);
  opened.store.close = () => {
    closeStore();
    node.close();
  };
  return opened;
}
