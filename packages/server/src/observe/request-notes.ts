// What a request turns out to be about, noted where it is known and read where it is logged and traced.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Ticket } from "@hap/protocol";
import type { Principal } from "../auth/principal.ts";

/** Ids and numbers only: never a word that an agent or a person wrote. */
export type RequestNotes = {
  by?: string;
  ticket?: Pick<Ticket, "id" | "from" | "to" | "risk" | "priority" | "state">;
};

const current = new AsyncLocalStorage<RequestNotes>();

/** Run the handling of one request, and give its notes to whoever asks after it. */
export function withNotes<T>(notes: RequestNotes, work: () => Promise<T>): Promise<T> {
  return current.run(notes, work);
}

/** The request comes from them. */
export function noteCaller(principal: Principal | null): void {
  const notes = current.getStore();
  if (notes !== undefined && principal !== null) notes.by = principal.kind === "agent" ? principal.agent : principal.person;
}

/** The request is about this ticket. */
export function noteTicket({ id, from, to, risk, priority, state }: Ticket): void {
  const notes = current.getStore();
  if (notes !== undefined) notes.ticket = { id, from, to, risk, priority, state };
}
