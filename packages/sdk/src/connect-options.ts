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

/** The server to use, or null for the embedded store. What is named but cannot be used is an error, never ignored. */
export function serverUrl({ url, dbPath }: ConnectOptions): string | null {
  if (process.env.HAP_DATABASE_URL)
    throw new HapError(
      "store_unusable",
      "HAP_DATABASE_URL is set, but this version of HAP opens no PostgreSQL. Unset it to use the embedded store, or set HAP_URL.",
      { field: "HAP_DATABASE_URL" },
    );
  if (url !== undefined) return url;
  return dbPath === undefined ? process.env.HAP_URL || null : null;
}
