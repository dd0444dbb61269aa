// A store as HAP wrote it before the log named people (schema 8): people, roles, accounts, sign-ins, an agent's owner, a kept request,
// clocks of a delivery, and a ticket of every kind. Made by that version; 39 events.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** How many events it has. */
export const OLDER_EVENTS = 39;

/** Put the older store at a path. */
export function putOlderStore(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/store-of-schema-8.db.gz"))));
}
