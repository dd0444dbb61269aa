// One ticket, shown: delivered, held while somebody looks at it (an ack that lapses, D8), and kept up by the live line.
import { DEFAULTS, isHapError, isOpen, type Json, type Ticket } from "@hap/protocol";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { everything, take } from "../inbox/tickets.ts";
import { useTicketEvents } from "../state/changes.ts";
import { type Held, hold } from "../state/held.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";

/** Somebody who stays this long on a ticket looks at it. */
const STAY_MS = 120;

export type OpenTicket = {
  held: Held | null;
  history: readonly Json[];
  failure: string | null;
  /** It was still open when it was shown, and somebody else ended it since. */
  endedElsewhere: boolean;
  /** Put in the ticket that an action of this page returned. */
  settle: (ticket: Ticket) => void;
  /** The page itself is about to end it: its end is then no news from elsewhere. */
  expectEnd: (expected: boolean) => void;
  /** Hold it again after an ack has lapsed. */
  holdOn: () => Promise<void>;
};

export function useTicket(id: string): OpenTicket {
  const [held, setHeld] = useState<Held | null>(null);
  const [history, setHistory] = useState<readonly Json[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [endedElsewhere, setEndedElsewhere] = useState(false);
  const wasOpen = useRef(false);
  const current = useRef(id);
  current.current = id;

  const fail = useCallback((error: unknown) => {
    if (!signedOut(error)) setFailure(wordsOf(error));
  }, []);

  const readHistory = useCallback(async () => {
    const events = await me().history(id);
    if (current.current === id) setHistory(events);
  }, [id]);

  const put = useCallback((ticket: Ticket) => {
    if (ticket.id !== current.current) return;
    setHeld(hold(ticket));
    take(ticket);
  }, []);

  const holdOn = useCallback(async () => {
    put(await me().ack(id, undefined, { lapseSeconds: DEFAULTS.ackTtlSeconds }));
  }, [id, put]);

  useEffect(() => {
    // What the list holds is shown at once; the server is asked when the person stays, so that moving on costs nothing.
    const known = everything.peek().find(({ ticket }) => ticket.id === id) ?? null;
    wasOpen.current = known !== null && isOpen(known.ticket.state);
    setHeld(known);
    setHistory([]);
    setFailure(null);
    setEndedElsewhere(false);
    const open = async () => {
      const ticket = await me().show(id);
      // It may have ended between the list and this answer.
      if (wasOpen.current && !isOpen(ticket.state)) setEndedElsewhere(true);
      wasOpen.current = isOpen(ticket.state);
      put(ticket);
      const mine = ticket.to === me().person;
      if (mine && ticket.state === "DELIVERED") await holdOn().catch(passOver);
      await readHistory();
    };
    const timer = setTimeout(() => void open().catch(fail), known === null ? 0 : STAY_MS);
    return () => clearTimeout(timer);
  }, [id, fail, put, holdOn, readHistory]);

  useTicketEvents(id, () => {
    me()
      .getTicket(id)
      .then((ticket) => {
        if (ticket.id !== current.current) return;
        if (wasOpen.current && !isOpen(ticket.state)) {
          wasOpen.current = false;
          setEndedElsewhere(true);
        }
        put(ticket);
        return readHistory();
      })
      .catch(fail);
  });

  const settle = useCallback(
    (ticket: Ticket) => {
      if (!isOpen(ticket.state)) wasOpen.current = false;
      put(ticket);
      void readHistory().catch(fail);
    },
    [put, readHistory, fail],
  );
  const expectEnd = useCallback((expected: boolean) => {
    wasOpen.current = !expected;
  }, []);
  return { held, history, failure, endedElsewhere, settle, expectEnd, holdOn };
}

/** Somebody else may have ended it in the same moment; the live line says so. */
function passOver(error: unknown): void {
  if (!isHapError(error)) throw error;
}
