// Turns events into messages and messages into requests. Everything that must not be lost is in the store before it is tried
// and leaves it after it arrived: a message is sent at least once, in no promised order.
import type { DueDelivery, HapEngine } from "@hap/core";
import type { Log } from "../observe/log.ts";
import { type SendOptions, sendOnce } from "./send.ts";

/** A receiver that is slow holds up itself alone. */
const EACH = 4;
/** How long a receiver may take to answer. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** For so long a message that is being tried is nobody else's; a process that died gives it back by that. */
const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS;
/** How often the queue is looked at when no event wakes us. */
const LOOK_MS = 1_000;
/** How long tries may go on after the server was told to stop. */
const GRACE_MS = 2_000;

/** What a dispatcher works with. */
export type DispatchOptions = Pick<SendOptions, "allowPrivate" | "version" | "now"> & {
  engine: HapEngine;
  log: Log;
  /** Where a person looks at a ticket. */
  link: (ticketId: string) => string;
  tried: (result: "delivered" | "failed" | "dead") => void;
  timeoutMs?: number | undefined;
};

export class WebhookDispatcher {
  readonly #options: DispatchOptions;
  readonly #abort = new AbortController();
  readonly #busy = new Map<string, number>();
  readonly #tries = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #woken: NodeJS.Immediate | null = null;
  #stopped = false;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), LOOK_MS).unref();
    this.wake();
  }

  /** Something happened, or may be due. */
  wake(): void {
    if (this.#stopped) return;
    this.#woken ??= setImmediate(() => {
      this.#woken = null;
      this.#look();
    });
  }

  #look(): void {
    const { engine, link, log } = this.#options;
    try {
      if (engine.queueDeliveries(link)) this.wake();
      for (const delivery of engine.takeDeliveries(this.#busy, EACH, LEASE_MS)) this.#start(delivery);
    } catch (error) {
      // The timer looks again; what was not taken is still there.
      log.unexpected("Webhooks could not be queued", error);
    }
  }

  #start(delivery: DueDelivery): void {
    const { id } = delivery.webhook;
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
    const run = this.#try(delivery)
      .catch((error) => this.#options.log.unexpected("A webhook's result could not be kept", error))
      .finally(() => {
        this.#tries.delete(run);
        this.#busy.set(id, (this.#busy.get(id) ?? 1) - 1);
        this.wake();
      });
    this.#tries.add(run);
  }

  async #try(delivery: DueDelivery): Promise<void> {
    const { engine, log, tried, allowPrivate, version, now, timeoutMs = WEBHOOK_TIMEOUT_MS } = this.#options;
    const { id, webhook } = delivery;
    let end: Awaited<ReturnType<typeof sendOnce>>;
    try {
      end = await sendOnce(delivery, { allowPrivate, version, now, timeoutMs, signal: this.#abort.signal });
    } catch {
      // The server stops. Whether it arrived is not known, so it is sent again.
      engine.notTried(id);
      return;
    }
    const result = end.delivered ? "delivered" : engine.notDelivered(id, end.problem, end.forGood);
    if (end.delivered) engine.delivered(id);
    tried(result);
    const fields = { delivery_id: id, webhook_id: webhook.id, tries: delivery.tries + 1, result };
    if (end.delivered) log.write("debug", "Webhook delivered", fields);
    else log.write("warn", "Webhook not delivered", { ...fields, problem: end.problem });
  }

  /** Let tries finish for a moment; what is not done then is due again at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    if (this.#woken !== null) clearImmediate(this.#woken);
    const late = setTimeout(() => this.#abort.abort(), GRACE_MS);
    await Promise.all(this.#tries);
    clearTimeout(late);
  }
}
