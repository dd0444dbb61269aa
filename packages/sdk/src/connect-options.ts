// Where a client connects to.
import type { HapEngineOptions } from "@hap/core";
import { HapError } from "@hap/protocol";

/** Everything has a default: the embedded store at HAP_DB_PATH, else ~/.hap/hap.db. */
export type ConnectOptions = Pick<HapEngineOptions, "dbPath" | "home" | "world">;

/** Somebody who names a server must not be given the store of this machine instead. */
export function refuseRemote(): void {
  for (const name of ["HAP_URL", "HAP_DATABASE_URL"]) {
    if (!process.env[name]) continue;
    throw new HapError(
      "store_unusable",
      `${name} is set, but this version of HAP connects to no server yet. Unset it to use the embedded store.`,
      {
        field: name,
      },
    );
  }
}
