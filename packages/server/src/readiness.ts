// GET /readyz: can this server take a decision now? Only a committed write shows that the disk takes one.
import type { HapEngine } from "@hap/core";
import { isHapError } from "@hap/protocol";
import { json } from "./problem.ts";

/** A successful probe holds for this long: whoever asks often must not wear out the disk. */
const PROBE_HOLDS_MS = 5_000;

export class Readiness {
  readonly #engine: HapEngine;
  readonly #stopping: AbortSignal;
  #wroteAt = Number.NEGATIVE_INFINITY;

  constructor(engine: HapEngine, stopping: AbortSignal) {
    this.#engine = engine;
    this.#stopping = stopping;
  }

  /** 200 when requests can be served, else 503 and why. */
  answer(): Response {
    if (this.#stopping.aborted) return json({ status: "stopping" }, 503);
    const violation = this.#engine.violation();
    if (violation !== null) return json({ status: "read_only", violation }, 503);
    const problem = this.#probe();
    if (problem !== null) return json({ status: "not_writable", problem }, 503);
    return json({ status: "ready", seq: this.#engine.head().seq });
  }

  /** Null when the store took a write; its error code otherwise, since the message names paths of the server. */
  #probe(): string | null {
    const now = performance.now();
    if (now - this.#wroteAt < PROBE_HOLDS_MS) return null;
    try {
      this.#engine.probeWrite();
      this.#wroteAt = now;
      return null;
    } catch (error) {
      if (isHapError(error)) return error.code;
      throw error;
    }
  }
}
