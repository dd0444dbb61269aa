// How a person narrows the list. The server narrows; what comes in live, and what is loaded while it answers, is narrowed here.
import { holdsText, riskWord, TICKET_STATES, type Ticket, type TicketState } from "@hap/protocol";
import type { TicketQuery } from "@hap/sdk";

export type View = "mine" | "all" | "decided";

export type Filters = {
  text: string;
  to: string;
  from: string;
  project: string;
  session: string;
  kind: string;
  risk: "" | "low" | "medium" | "high";
  state: "" | TicketState;
};

export const NO_FILTERS: Filters = { text: "", to: "", from: "", project: "", session: "", kind: "", risk: "", state: "" };

/** The numbers behind the words of `riskWord`. */
const RISKS = { low: { risk_below: 0.3 }, medium: { risk_min: 0.3, risk_below: 0.7 }, high: { risk_min: 0.7 } };

/** The states that each view shows. */
export const ENDED_STATES = TICKET_STATES.filter((state) => !["PENDING", "DELIVERED", "ACKED"].includes(state));

/** What the server is asked; null for the plain inbox, which has an order of its own. */
export function toQuery(view: View, filters: Filters, person: string): TicketQuery | null {
  const { to, from, project, session, kind, state, risk } = filters;
  const text = filters.text.trim();
  const named = Object.fromEntries(
    Object.entries({ to, from, project, session, kind, text }).filter(([, value]) => value !== ""),
  ) as TicketQuery;
  if (view === "mine" && Object.keys(named).length === 0 && state === "" && risk === "") return null;
  const states: TicketQuery["state"] = state !== "" ? [state] : view === "decided" ? ENDED_STATES : "open";
  return { ...named, ...(risk === "" ? {} : RISKS[risk]), ...(view === "mine" ? { to: person } : {}), state: states };
}

/** Does a ticket that changed belong to the view as it is narrowed? */
export function fits(ticket: Ticket, view: View, filters: Filters, person: string): boolean {
  const ended = ENDED_STATES.includes(ticket.state);
  if (ended !== (view === "decided")) return false;
  if (view === "mine" && ticket.to !== person) return false;
  if (filters.state !== "" && ticket.state !== filters.state) return false;
  if (filters.to !== "" && ticket.to !== filters.to) return false;
  if (filters.from !== "" && ticket.from !== filters.from) return false;
  if (filters.project !== "" && ticket.project !== filters.project) return false;
  if (filters.session !== "" && ticket.session !== filters.session) return false;
  return filters.kind === "" || ticket.intent.kind === filters.kind;
}

/** Does a ticket hold what is looked for? */
export function found(ticket: Ticket, { text, risk }: Filters): boolean {
  if (risk !== "" && riskWord(ticket.risk) !== risk) return false;
  return holdsText(ticket, text);
}

/** True when anything is narrowed. */
export function isNarrowed(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}
