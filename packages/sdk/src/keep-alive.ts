// A live waiter keeps its question open (D15).
import { HapError, isOpen, type Ticket } from "@hap/protocol";

/**
 * Renew while waiting: at once when half of the lease is gone, then four times a lease, of which the engine takes
 * every second one. A refusal (it ended, or was renewed just now) is the wait's business. Returns how to stop.
 */
export function keepAlive({ id, lease, state }: Ticket, renewTicket: (id: string) => Promise<unknown>): () => void {
  if (!isOpen(state)) return () => {};
  const renew = () => {
    renewTicket(id).catch((error: unknown) => {
      if (!(error instanceof HapError)) throw error;
    });
  };
  if (lease.remaining_seconds <= lease.ttl_seconds / 2) renew();
  const timer = setInterval(renew, lease.ttl_seconds * 250);
  return () => clearInterval(timer);
}
