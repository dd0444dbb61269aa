// Calls people outside of any page: takes what is to be told from the engine, and tells each browser's push service.
// A call that fails is tried again while it is of use; what a stopping server had in hand is let go.
import type { HapEngine, PushCall } from "@hap/core";
import type { Log } from "../observe/log.ts";
import { type PushOptions, pushOnce } from "./send.ts";

/** How many calls are under way at once. */
const AT_ONCE = 8;
const TIMEOUT_MS = 15_000;
/** Waits before the second, third and fourth try. */
const AGAIN_MS = [1_000, 10_000, 30_000];
/** How often leases are looked at when no event wakes us. */
const LOOK_MS = 5_000;

/** What a caller works with. */
export type CallerOptions = Pick<PushOptions, "keys" | "allowPrivate"> & {
  engine: HapEngine;
  log: Log;
  base?: string | undefined;
};

export class PushCaller {
  readonly #options: CallerOptions;
  readonly #abort = new AbortController();
  readonly #waiting: { call: PushCall; tries: number }[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #look: NodeJS.Timeout;
  #woken: NodeJS.Immediate | null = null;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#look = setInterval(() => this.wake(), LOOK_MS).unref();
    this.wake();
  }

  /** Something happened, or may be due. */
  wake(): void {
    if (this.#abort.signal.aborted) return;
    this.#woken ??= setImmediate(() => {
      this.#woken = null;
      this.#take();
    });
  }

  #take(): void {
    const { engine, keys, log } = this.#options;
    try {
      const { calls, more } = engine.takePushCalls(keys.publicKey);
      for (const call of calls) this.#waiting.push({ call, tries: 0 });
      if (more) this.wake();
    } catch (error) {
      // The timer looks again.
      log.unexpected("Push calls could not be taken", error);
    }
    this.#next();
  }

  #next(): void {
    while (this.#running.size < AT_ONCE && !this.#abort.signal.aborted) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      const run = this.#try(item.call, item.tries)
        .catch((error) => this.#options.log.unexpected("A push call's result could not be kept", error))
        .finally(() => {
          this.#running.delete(run);
          this.#next();
        });
      this.#running.add(run);
    }
  }

  async #try(call: PushCall, tries: number): Promise<void> {
    const { engine, log, keys, allowPrivate, base = "" } = this.#options;
    const { signal } = this.#abort;
    const end = await pushOnce(call, { base, keys, allowPrivate, timeoutMs: TIMEOUT_MS, signal }).catch(() => null);
    // The server stops.
    if (end === null) return;
    // The address itself lets whoever knows it call: only its host is told.
    const fields = { push_service: new URL(call.subscription.endpoint).host, ticket_id: call.notice.ticket_id };
    if (end.result === "sent") return log.write("debug", "Push call sent", fields);
    log.write("warn", "Push call not sent", { ...fields, problem: end.problem, result: end.result });
    if (end.result === "gone") engine.pushSubscriptionGone(call.subscription.endpoint);
    const wait = AGAIN_MS[tries];
    if (end.result === "later" && wait !== undefined && wait < call.ttlSeconds * 1000) this.#later(call, tries + 1, wait);
  }

  #later(call: PushCall, tries: number, wait: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#waiting.push({ call, tries });
      this.#next();
    }, wait).unref();
    this.#timers.add(timer);
  }

  /** Call nobody any more. */
  async stop(): Promise<void> {
    this.#abort.abort();
    clearInterval(this.#look);
    if (this.#woken !== null) clearImmediate(this.#woken);
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }
}
