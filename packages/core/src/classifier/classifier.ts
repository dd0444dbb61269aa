// Classification off the event loop (D34): one thread, one command at a time, the agents in turn, and a limit on each. What
// takes longer, or breaks the thread, counts as unreadable, which only a person can open.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { CommandAt, Found } from "./classify.ts";

/** The longest that one command may take. */
const CLASSIFY_MS = 500;
/** Commands of one agent that may wait; more count as unreadable at once. */
const WAITING_MOST = 50;
const UNREADABLE: Found = {
  effects: ["opaque", "unknown"],
  findings: [{ effect: "opaque", what: "the command could not be analysed in time" }],
};

type Job = { at: CommandAt; resolve: (found: Found) => void };

/** Classifies long commands for a server; one for each. */
export class Classifier {
  /** Agents in the order of their turns, each with what waits. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #running: { job: Job; timer: NodeJS.Timeout } | null = null;
  #closed = false;

  constructor(limitMs = CLASSIFY_MS) {
    this.#limitMs = limitMs;
  }

  /** What a command does; never rejects. */
  find(at: CommandAt, agent: string): Promise<Found> {
    const queue = this.#waiting.get(agent) ?? [];
    if (this.#closed || queue.length >= WAITING_MOST) return Promise.resolve(UNREADABLE);
    return new Promise((resolve) => {
      queue.push({ at, resolve });
      this.#waiting.set(agent, queue);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== null || this.#closed) return;
    const [turn] = this.#waiting;
    if (turn === undefined) return;
    const [agent, queue] = turn;
    const job = queue.shift() as Job;
    // To the end of the line: whoever has many waits for those who have few.
    this.#waiting.delete(agent);
    if (queue.length > 0) this.#waiting.set(agent, queue);
    const timer = setTimeout(() => this.#end(UNREADABLE, true), this.#limitMs);
    this.#running = { job, timer };
    this.#thread().postMessage(job.at);
  }

  #end(found: Found, broken: boolean): void {
    const running = this.#running;
    if (broken) this.#drop();
    if (running === null) return;
    clearTimeout(running.timer);
    this.#running = null;
    running.job.resolve(found);
    this.#next();
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: 256 } });
    const mine = (act: () => void) => () => {
      if (this.#worker === worker) act();
    };
    worker.on("message", (found: Found) => mine(() => this.#end(found, false))());
    worker.on(
      "error",
      mine(() => this.#end(UNREADABLE, true)),
    );
    worker.on(
      "exit",
      mine(() => this.#end(UNREADABLE, true)),
    );
    // It never keeps the process alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #drop(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  close(): void {
    this.#closed = true;
    for (const queue of this.#waiting.values()) for (const { resolve } of queue) resolve(UNREADABLE);
    this.#waiting.clear();
    this.#end(UNREADABLE, true);
  }
}

/** Beside the bundle, or the source. */
function workerFile(): string {
  const bundled = fileURLToPath(new URL("./classify-worker.cjs", import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL("./classify-worker.ts", import.meta.url));
}
