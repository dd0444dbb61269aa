// Blocking calls to PostgreSQL, for the engine's synchronous methods: a thread holds the connection, and this one waits for its answer.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BridgeAnswer, BridgeCall } from "./bridge-worker.ts";
import { PgFailure } from "./errors.ts";

/** How long a blocking call may take. Longer ones belong to `later()`. */
const CALL_MS = 10_000;
/** After a call that was not answered, others fail at once for so long. */
const REST_MS = 1_000;

let worker: Worker | null = null;
let links = 0;

/** Beside the bundle, or the source. */
function workerFile(): string {
  const bundled = fileURLToPath(new URL("./bridge-worker.cjs", import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL("./bridge-worker.ts", import.meta.url));
}

function thread(): Worker {
  if (worker === null) {
    // Without the options of this process: a test runner's own are not for a plain thread.
    const started = new Worker(workerFile(), { execArgv: [] });
    started.unref();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
  }
  return worker;
}

/** One connection, used by one caller at a time. It opens itself again after a failure. */
export class Bridge {
  readonly #url: string;
  readonly #link = ++links;
  #resting = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Run a statement and wait for its rows, each a list of its columns. */
  query(sql: string, values: unknown[] = [], timeoutMs = CALL_MS): unknown[][] {
    if (performance.now() < this.#resting)
      throw new PgFailure("", "The database did not answer the last call; trying again in a second.", false);
    const answer = this.#call({ act: "query", sql, values, timeoutMs });
    if (answer === null) {
      this.#resting = performance.now() + REST_MS;
      throw new PgFailure("", `The database did not answer within ${timeoutMs} ms.`, true);
    }
    if ("error" in answer) throw new PgFailure(answer.error.code, answer.error.message, answer.error.sent);
    return answer.rows;
  }

  #call(call: Pick<BridgeCall, "act" | "sql" | "values" | "timeoutMs">): BridgeAnswer | null {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    const message: BridgeCall = { ...call, link: this.#link, url: this.#url, port: port2, signal };
    thread().postMessage(message, [port2]);
    // A little more than the thread itself waits for the database.
    const waited = Atomics.wait(new Int32Array(signal), 0, 0, call.timeoutMs + 7_000);
    const received = receiveMessageOnPort(port1);
    port1.close();
    return waited === "timed-out" || received === undefined ? null : (received.message as BridgeAnswer);
  }

  close(): void {
    if (worker === null) return;
    this.#call({ act: "close", sql: "", values: [], timeoutMs: 1_000 });
  }
}
