// Claude's control protocol, our side: requests to the host and their answers. A request that is given up is withdrawn.

import type { Frame } from "../frames/encoder.ts";
import { randomUuid } from "../random-uuid.ts";

type Pending = { resolve: (response: Frame) => void; reject: (error: Error) => void };

class ControlError extends Error {}

export class ControlChannel {
  readonly #send: (frame: Frame) => void;
  readonly #pending = new Map<string, Pending>();
  #closed = false;

  constructor(send: (frame: Frame) => void) {
    this.#send = send;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Ask the host. Rejects when it answers with an error, goes away, or takes longer than it may. */
  request(request: Frame, options: { signal?: AbortSignal; timeoutMs?: number } = {}): Promise<Frame> {
    if (this.#closed) return Promise.reject(new ControlError("the host has closed its end"));
    if (options.signal?.aborted) return Promise.reject(new ControlError("the request was withdrawn"));
    const request_id = randomUuid();
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.#pending.delete(request_id);
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", withdraw);
      };
      const giveUp = (why: string) => {
        finish();
        this.#send({ type: "control_cancel_request", request_id });
        reject(new ControlError(why));
      };
      const withdraw = () => giveUp("the request was withdrawn");
      const timer =
        options.timeoutMs === undefined
          ? undefined
          : setTimeout(() => giveUp("the host did not answer in time"), options.timeoutMs);
      options.signal?.addEventListener("abort", withdraw, { once: true });
      this.#pending.set(request_id, {
        resolve: (response) => {
          finish();
          resolve(response);
        },
        reject: (error) => {
          finish();
          reject(error);
        },
      });
      this.#send({ type: "control_request", request_id, request });
    });
  }

  /** An answer of the host. */
  settle(frame: Frame): void {
    const response = frame.response as Frame | undefined;
    const pending = this.#pending.get(String(response?.request_id));
    if (response === undefined || pending === undefined) return;
    if (response.subtype === "success") pending.resolve((response.response as Frame | undefined) ?? {});
    else pending.reject(new ControlError(typeof response.error === "string" ? response.error : "the host refused"));
  }

  /** Answer a request of the host. */
  answer(requestId: unknown, response: Frame): void {
    this.#send({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
  }

  refuse(requestId: unknown, error: string, code = "unsupported_request"): void {
    this.#send({ type: "control_response", response: { subtype: "error", request_id: requestId, error, error_code: code } });
  }

  /** The host is gone: nobody will answer any more. */
  close(): void {
    this.#closed = true;
    for (const pending of [...this.#pending.values()]) pending.reject(new ControlError("the host has closed its end"));
  }
}
