// A line in a thread of its own, for tests whose nodes are in this process: their blocking calls stop this thread's event loop.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Line } from "./line.ts";

/** A `Line` whose calls return once they have had their effect. */
export class LineThread {
  readonly #worker: Worker;
  port = 0;

  private constructor(target: number) {
    this.#worker = new Worker(new URL("./line-worker.ts", import.meta.url), { workerData: target, execArgv: [] });
  }

  static async to(target: number): Promise<LineThread> {
    const line = new LineThread(target);
    [line.port] = await once(line.#worker, "message");
    return line;
  }

  async #call(name: keyof Line, ...args: unknown[]): Promise<void> {
    const done = once(this.#worker, "message");
    this.#worker.postMessage({ name, args });
    await done;
  }

  turnTo = (target: number) => this.#call("turnTo", target);
  cut = () => this.#call("cut");
  silence = (silent: boolean) => this.#call("silence", silent);
  loseAnswers = (lose: boolean) => this.#call("loseAnswers", lose);
  cutBefore = (text: string | null) => this.#call("cutBefore", text);

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
