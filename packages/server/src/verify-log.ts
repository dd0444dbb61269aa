// The server checks its own log (D21): all of it when it starts and every hour, in the background; what came since the last verified
// place every minute. A violation makes the store read-only; the log, the metrics and the owners' webhooks tell it, once a process.
import { setTimeout as sleep } from "node:timers/promises";
import type { DueDelivery, HapEngine } from "@hap/core";
import type { Log } from "./observe/log.ts";
import { type SendOptions, sendOnce } from "./webhooks/send.ts";

/** How often what is new is checked, and all of it. */
const TAIL_MS = 60_000;
const WHOLE_MS = 3_600_000;
/** A whole check takes at most a twentieth of the time, however long it takes. */
const SHARE = 20;
/** It works this long at a time, and lets requests go first for as long as the pause. */
const SLICE_MS = 4;
const PAUSE_MS = 12;
/** How many new events are checked in one go. */
const TAIL_EVENTS = 2_000;
/** After how long a webhook that did not answer is told again. */
const AGAIN_MS = [1_000, 10_000, 60_000, 600_000];

/** What it works with. The times are given by tests. */
export type VerifierOptions = Pick<SendOptions, "allowPrivate" | "version" | "now"> & {
  engine: HapEngine;
  log: Log;
  /** A whole check ended: whether it verified, and how long it took. */
  verified: (ok: boolean, seconds: number) => void;
  timeoutMs: number;
  tailMs?: number | undefined;
  wholeMs?: number | undefined;
};

export class LogVerifier {
  readonly #options: VerifierOptions;
  readonly #abort = new AbortController();
  readonly #work = new Set<Promise<unknown>>();
  readonly #timer: NodeJS.Timeout;
  /** The last place that verified, or null until the first check has ended. */
  #place: { seq: number; hash: string } | null = null;
  #told: string | null = null;

  constructor(options: VerifierOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.tailMs ?? TAIL_MS).unref();
    this.#tell();
    this.#run(this.#checkAgainAndAgain());
  }

  #run(work: Promise<unknown>): void {
    const kept = work
      .catch((error) => {
        if (!this.#abort.signal.aborted) this.#options.log.unexpected("The log could not be verified", error);
      })
      .finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }

  async #checkAgainAndAgain(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const began = performance.now();
      await this.#checkWhole();
      const took = performance.now() - began;
      await sleep(Math.max(this.#options.wholeMs ?? WHOLE_MS, took * SHARE), null, { signal, ref: false });
    }
  }

  async #checkWhole(): Promise<void> {
    const { engine, log, verified } = this.#options;
    const began = performance.now();
    const pause = () => sleep(PAUSE_MS, null, { ref: false });
    try {
      const report = await engine.verifyInBackground({ sliceMs: SLICE_MS, pause, signal: this.#abort.signal });
      if (report === null) return;
      const seconds = (performance.now() - began) / 1000;
      verified(report.ok, seconds);
      if (report.ok) this.#place = { seq: report.events, hash: report.head };
      log.write(report.ok ? "info" : "error", report.ok ? "Log verified" : "Log does not verify", {
        events: report.events,
        seconds,
      });
    } catch (error) {
      if (!this.#abort.signal.aborted) log.unexpected("The log could not be verified", error);
    }
    this.#tell();
  }

  /** What is new, and whether another process has found something. */
  #look(): void {
    const { engine, log } = this.#options;
    try {
      for (let more = this.#place !== null && engine.violation() === null; more && this.#place !== null; ) {
        const before = this.#place.seq;
        const report = engine.verifySince(this.#place, TAIL_EVENTS);
        if (report.ok) this.#place = { seq: report.events, hash: report.head };
        more = report.ok && report.events - before === TAIL_EVENTS;
      }
    } catch (error) {
      log.unexpected("The log could not be verified", error);
    }
    this.#tell();
  }

  /** Tell of a violation that this process has not told of yet; after a restart that is so again. */
  #tell(): void {
    const { engine, log } = this.#options;
    const violation = engine.violation();
    if (violation === this.#told) return;
    this.#told = violation;
    if (violation === null) return;
    log.write("error", "The store is read-only: its log does not verify", { violation });
    for (const notice of engine.violationNotices()) this.#run(this.#notify(notice));
  }

  async #notify(notice: DueDelivery): Promise<void> {
    const { allowPrivate, version, now, timeoutMs, log } = this.#options;
    const { signal } = this.#abort;
    for (const wait of [...AGAIN_MS, null]) {
      const end = await sendOnce(notice, { allowPrivate, version, now, timeoutMs, signal });
      const fields = { webhook_id: notice.webhook.id, delivery_id: notice.id };
      if (end.delivered) return log.write("info", "Webhook told that the log does not verify", fields);
      log.write("warn", "Webhook not told that the log does not verify", { ...fields, problem: end.problem });
      if (end.forGood || wait === null) return;
      await sleep(wait, null, { signal, ref: false });
    }
  }

  /** End what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#abort.abort();
    await Promise.all(this.#work);
  }
}
