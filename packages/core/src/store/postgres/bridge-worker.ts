// The thread behind `Bridge`: it holds connections to PostgreSQL and answers one call at a time, while the main thread waits.
import { type MessagePort, parentPort } from "node:worker_threads";
import pg from "pg";
import { connectionOptions, sessionStart } from "./connection-options.ts";

/** A call of the main thread. `link` names a connection, which is opened at its first use. */
export type BridgeCall = {
  link: number;
  url: string;
  act: "query" | "close";
  sql: string;
  values: unknown[];
  timeoutMs: number;
  port: MessagePort;
  signal: SharedArrayBuffer;
};
/** Its answer: rows, or an error as data. `sent` says whether the statement may have reached the database. */
export type BridgeAnswer = { rows: unknown[][] } | { error: { code: string; message: string; sent: boolean } };

const clients = new Map<number, pg.Client>();

async function connected({ link, url }: BridgeCall): Promise<pg.Client> {
  const known = clients.get(link);
  if (known !== undefined) return known;
  const client = new pg.Client(connectionOptions(url));
  const drop = () => {
    if (clients.get(link) === client) clients.delete(link);
  };
  client.on("error", drop);
  client.on("end", drop);
  await client.connect();
  const start = sessionStart(url);
  if (start !== null) await client.query(start);
  clients.set(link, client);
  return client;
}

async function run(call: BridgeCall): Promise<BridgeAnswer> {
  if (call.act === "close") {
    const client = clients.get(call.link);
    clients.delete(call.link);
    await client?.end();
    return { rows: [] };
  }
  let sent = false;
  try {
    const client = await connected(call);
    sent = true;
    const query = { text: call.sql, values: call.values, rowMode: "array" as const, query_timeout: call.timeoutMs };
    const { rows } = await client.query(query);
    return { rows };
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    // A connection that failed, or whose answer did not come, is not used again.
    if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith("57P") || code.startsWith("08")) {
      const client = clients.get(call.link);
      clients.delete(call.link);
      client?.end().catch(() => {});
    }
    return { error: { code, message, sent } };
  }
}

parentPort?.on("message", (call: BridgeCall) => {
  void run(call).then((answer) => {
    call.port.postMessage(answer);
    call.port.close();
    const flag = new Int32Array(call.signal);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});
