// A small model of the engine, written from the decisions (D6, D9, D10, D15 to D17) and not from its code: plain objects,
// milliseconds, one `if` after another. `model.test.ts` drives both with the same commands.

/** What a test may tell the engine and the model to do. Seconds are whole; `ticket` picks one of those made so far. */
export type Command =
  | { do: "create"; ttl: number; onTimeout: "auto_reject" | "auto_approve" | "cancel"; kind: Kind; chain: number }
  | { do: "ack"; ticket: number; lapse: number | null }
  | { do: "extend" | "snooze"; ticket: number; seconds: number }
  | { do: Simple; ticket: number }
  | { do: "time"; ms: number }
  | { do: "restart" };
type Simple = (typeof simple)[number];
export const simple = [
  "deliver",
  "approve",
  "confirm",
  "reject",
  "changes",
  "answer",
  "cancel",
  "reassign",
  "renew",
  "consume",
  "heard",
] as const;
type Kind = "plain" | "critical" | "question";

/** A ticket of the model. It has a deadline while its lease runs, and a remainder while it is paused. */
export type ModelTicket = {
  state: string;
  by: string | null;
  to: string;
  kind: Kind;
  ttl: number;
  onTimeout: string;
  chain: string[];
  depth: number;
  deadline: number | null;
  left: number | null;
  lapse: number | null;
  added: number;
  renewed: number | null;
  used: boolean;
};

const week = 604_800_000;
const people = ["human:alex", "human:sam", "human:kim", "human:lee"];

export class Model {
  readonly tickets: ModelTicket[] = [];

  /** Do a command at a moment; returns the code of the error that it ends with, or null. */
  apply(command: Command, now: number): string | null {
    if (command.do === "time") return null;
    for (const ticket of this.tickets) settle(ticket, now);
    if (command.do === "restart") return null;
    if (command.do === "create") return this.#create(command, now);
    const ticket = this.tickets[command.ticket % this.tickets.length];
    return ticket === undefined ? "ticket_not_found" : act(ticket, command, now);
  }

  settle(now: number): void {
    for (const ticket of this.tickets) settle(ticket, now);
  }

  #create({ ttl, onTimeout, kind, chain }: Command & { do: "create" }, now: number): string | null {
    if (onTimeout === "auto_approve" && kind !== "plain") return "auto_approve_refused";
    this.tickets.push({
      state: "PENDING",
      by: null,
      to: "human:alex",
      kind,
      ttl: ttl * 1000,
      onTimeout,
      chain: people.slice(1, 1 + chain),
      depth: 0,
      deadline: now + ttl * 1000,
      left: null,
      lapse: null,
      added: 0,
      renewed: null,
      used: false,
    });
    return null;
  }
}

/** What time alone has done by now. */
function settle(ticket: ModelTicket, now: number): void {
  if (ticket.state === "ACKED" && ticket.lapse !== null && now >= ticket.lapse) {
    ticket.state = "DELIVERED";
    ticket.deadline = ticket.lapse + (ticket.left as number);
    ticket.left = null;
    ticket.lapse = null;
  }
  if ((ticket.state !== "PENDING" && ticket.state !== "DELIVERED") || ticket.deadline === null || now < ticket.deadline) return;
  const next = ticket.depth < 3 ? ticket.chain[ticket.depth] : undefined;
  if (next !== undefined) {
    ticket.state = "PENDING";
    ticket.to = next;
    ticket.depth++;
    ticket.deadline = now + ticket.ttl;
    return;
  }
  const late = now - ticket.deadline > 60_000;
  ticket.by = "timer";
  if (ticket.onTimeout === "cancel") ticket.state = "CANCELED";
  else ticket.state = ticket.onTimeout === "auto_approve" && ticket.state === "DELIVERED" && !late ? "APPROVED" : "EXPIRED";
}

const open = (ticket: ModelTicket) => ["PENDING", "DELIVERED", "ACKED"].includes(ticket.state);
const left = (ticket: ModelTicket, now: number) => ticket.left ?? (ticket.deadline as number) - now;

function act(ticket: ModelTicket, command: Exclude<Command, { do: "create" | "time" | "restart" }>, now: number): string | null {
  if (command.do === "consume") {
    if (ticket.state !== "APPROVED" && ticket.state !== "ANSWERED") return "not_consumable";
    if (ticket.used) return "already_consumed";
    ticket.used = true;
    return null;
  }
  if (command.do === "heard") return open(ticket) ? "wrong_state" : null;
  if (!open(ticket)) return ticket.by === "timer" ? "deadline_passed" : "already_decided";
  switch (command.do) {
    case "deliver":
      deliver(ticket, now);
      return null;
    case "ack":
      if (ticket.state === "ACKED" && ticket.lapse === null) return "wrong_state";
      deliver(ticket, now);
      ticket.left = left(ticket, now);
      ticket.deadline = null;
      ticket.lapse = command.lapse === null ? null : now + command.lapse * 1000;
      ticket.state = "ACKED";
      return null;
    case "approve":
    case "confirm":
      if (ticket.kind === "question") return "wrong_state";
      if (ticket.kind === "critical" && command.do === "approve") return "confirmation_needed";
      return end(ticket, "APPROVED", "human");
    case "changes":
      return ticket.kind === "question" ? "wrong_state" : end(ticket, "CHANGES_REQUESTED", "human");
    case "reject":
      return end(ticket, "REJECTED", "human");
    case "answer":
      return ticket.kind === "question" ? end(ticket, "ANSWERED", "human") : "wrong_state";
    case "cancel":
      return end(ticket, "CANCELED", "agent");
    case "extend":
    case "snooze":
      return lengthen(ticket, command.seconds * 1000, command.do === "snooze");
    case "reassign":
      return reassign(ticket, now);
    case "renew":
      return renew(ticket, now);
  }
}

function deliver(ticket: ModelTicket, now: number): void {
  if (ticket.state !== "PENDING") return;
  ticket.state = "DELIVERED";
  // The full time runs from now; what was added before is not taken away.
  ticket.deadline = Math.max(ticket.deadline as number, now + ticket.ttl);
}

function end(ticket: ModelTicket, state: string, by: string): null {
  ticket.state = state;
  ticket.by = by;
  return null;
}

function lengthen(ticket: ModelTicket, ms: number, snooze: boolean): string | null {
  if (ticket.added + ms > week) return "limit_reached";
  ticket.added += ms;
  if (ticket.left === null) ticket.deadline = (ticket.deadline as number) + ms;
  else ticket.left += ms;
  if (snooze && ticket.lapse !== null) ticket.lapse += ms;
  return null;
}

function reassign(ticket: ModelTicket, now: number): string | null {
  const added = ticket.added + Math.max(0, ticket.ttl - left(ticket, now));
  if (added > week) return "limit_reached";
  ticket.added = added;
  ticket.to = people[(people.indexOf(ticket.to) + 1) % people.length] as string;
  ticket.state = "PENDING";
  ticket.deadline = now + ticket.ttl;
  ticket.left = null;
  ticket.lapse = null;
  return null;
}

function renew(ticket: ModelTicket, now: number): string | null {
  if (ticket.renewed !== null && now - ticket.renewed < ticket.ttl / 2) return "limit_reached";
  const missing = Math.ceil((ticket.ttl - left(ticket, now)) / 1000) * 1000;
  if (missing <= 0) return null;
  if (ticket.left === null) ticket.deadline = (ticket.deadline as number) + missing;
  else ticket.left += missing;
  ticket.renewed = now;
  return null;
}

/** Who the ticket goes to when it is reassigned. */
export function nextPerson(to: string): string {
  return people[(people.indexOf(to) + 1) % people.length] as string;
}
