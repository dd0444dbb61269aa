// Where a client connects to.
import type { HapEngineOptions } from "@hap/core";
import { HapError } from "@hap/protocol";

/** Everything has a default: the server at HAP_URL, else the embedded store at HAP_DB_PATH, else ~/.hap/hap.db. */
export type ConnectOptions = Pick<HapEngineOptions, "busyMs" | "dbPath" | "home" | "world"> & {
  /** A server; left out, HAP_URL. A path in `dbPath` means the embedded store whatever HAP_URL says. */
  url?: string | undefined;
  /** An agent's key; left out, HAP_API_KEY. */
  apiKey?: string | undefined;
  /** A person's sign-in; left out, the one that `hap login` kept. */
  token?: string | undefined;
  /** Certificates to trust; left out, HAP_CA_FILE. */
  caFile?: string | undefined;
  /** SHA-256 of the server's certificate; left out, HAP_PIN_SHA256. */
  pin?: string | undefined;
};

/** The server to use, or null for the store itself. */
export function serverUrl({ url, dbPath }: ConnectOptions): string | null {
  if (url !== undefined) return url;
  return dbPath === undefined ? process.env.HAP_URL || null : null;
}

/** Agents hold no address of a database: who does could write anything. What is named but cannot be used is an error, never ignored. */
export function refuseDatabase({ dbPath }: ConnectOptions): void {
  if (dbPath !== undefined || !process.env.HAP_DATABASE_URL) return;
  throw new HapError(
    "store_unusable",
    "HAP_DATABASE_URL is set, but agents reach a database through a server only. Set HAP_URL, or unset HAP_DATABASE_URL to use the embedded store.",
    { field: "HAP_DATABASE_URL" },
  );
}
