// Waiting for a ticket over HTTP: one request after the other, through restarts of the server and breaks of the line.
import { isOpen, type Ticket } from "@hap/protocol";
import { Backoff, mayRetry } from "./transport.ts";

/** What one request waits at most; below what proxies and servers allow. */
const ONE_WAIT_SECONDS = 50;

/** The ticket as it is once it has ended, or when the time is over. */
export async function waitRemotely(
  read: (input: { id: string; wait?: number }, signal?: AbortSignal) => Promise<Ticket>,
  id: string,
  options: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Ticket> {
  const { timeoutMs, signal } = options;
  const end = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  const backoff = new Backoff();
  for (;;) {
    signal?.throwIfAborted();
    const left = Math.max(0, end - performance.now());
    const seconds = Math.min(ONE_WAIT_SECONDS, Math.ceil(left / 1000));
    // The last stretch is cut by a timer of our own, since the server counts in whole seconds.
    const cut = left < seconds * 1000 ? AbortSignal.timeout(Math.ceil(left)) : null;
    const signals = [signal, cut].filter((one): one is AbortSignal => one !== undefined && one !== null);
    try {
      const ticket = await read({ id, wait: seconds }, signals.length === 0 ? undefined : AbortSignal.any(signals));
      if (!isOpen(ticket.state) || performance.now() >= end) return ticket;
      backoff.reset();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (cut?.aborted) return read({ id });
      if (!mayRetry(error) || performance.now() >= end) throw error;
      await backoff.pause(signal);
    }
  }
}
