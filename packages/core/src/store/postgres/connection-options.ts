// How every connection to PostgreSQL is opened: a failing network is noticed, and a stuck session does not hold locks.
import type { ClientConfig } from "pg";

/** How long to wait for a connection. */
const CONNECT_MS = 5_000;

/** Options of a connection to this address. */
export function connectionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "hap",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  };
}
