// How every connection to PostgreSQL is opened: a failing network is noticed, and a stuck session does not hold locks.
import type { ClientConfig } from "pg";

/** How long to wait for a connection. */
const CONNECT_MS = 5_000;
/** The parameter of an address that names PgBouncer in transaction mode, or a pooler like it. */
const POOLED = "pgbouncer";

/** True for the address of a pooler: its sessions are shared, so that nothing may be set in one. */
export function isPooled(url: string): boolean {
  return URL.canParse(url) && new URL(url).searchParams.get(POOLED) === "true";
}

/** The address, marked as that of a pooler. */
export function pooled(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(POOLED, "true");
  return marked.href;
}

/** Options of a connection to this address. */
export function connectionOptions(url: string): ClientConfig {
  const options = {
    application_name: "hap",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  if (!isPooled(url)) return { ...options, connectionString: url, idle_in_transaction_session_timeout: 60_000 };
  const plain = new URL(url);
  plain.searchParams.delete(POOLED);
  return { ...options, connectionString: plain.href };
}

/** What a new session runs first: it takes the application's rights. A pooler's does not; the functions have those rights themselves. */
export function sessionStart(url: string): string | null {
  return isPooled(url) ? null : "SET ROLE hap_app";
}
