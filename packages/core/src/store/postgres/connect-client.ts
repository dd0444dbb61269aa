// One connection for a piece of work. A connection that breaks fails the statement that runs on it, and never the process.
import pg from "pg";
import { connectionOptions } from "./connection-options.ts";
import { failureOf, translatePg, withoutPassword } from "./errors.ts";

/** Connect, work and disconnect; every failure is in our words. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(url));
  // Without a listener the driver's `error` event ends the process; the failed statement reports the same.
  client.on("error", () => {});
  try {
    await client.connect();
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    throw translatePg(failureOf(error), withoutPassword(url));
  } finally {
    // Not waited for after a failure: a line that fell silent never confirms it.
    client.end().catch(() => {});
  }
}
