// Where a client connects to.
import type { HapEngineOptions } from "@hap/core";

/** Everything has a default: the embedded store at HAP_DB_PATH, else ~/.hap/hap.db. */
export type ConnectOptions = Pick<HapEngineOptions, "dbPath" | "home" | "world">;
