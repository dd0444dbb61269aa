// The list in the address: which tab, what is looked for, and how it is narrowed, so that a link or a reload shows the same.
import { TICKET_STATES } from "@hap/protocol";
import { type Filters, NO_FILTERS, type View } from "./filters.ts";

const VIEWS: readonly View[] = ["mine", "all", "decided"];
const RISKS = ["low", "medium", "high"];

/** `?tab=decided&q=deploy&from=agent:ci`; empty for the plain inbox. */
export function toSearch(view: View, filters: Filters): string {
  const { text, ...named } = filters;
  const wanted = { tab: view === "mine" ? "" : view, q: text.trim(), ...named };
  const given = Object.entries(wanted).filter(([, value]) => value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** What an address asks for; what it cannot mean is left out. */
export function fromSearch(search: string): { view: View; filters: Filters } {
  const given = new URLSearchParams(search);
  const word = (name: string) => given.get(name) ?? "";
  const one = <T extends string>(name: string, allowed: readonly T[]): T | "" =>
    allowed.find((value) => value === word(name)) ?? "";
  return {
    view: one("tab", VIEWS) || "mine",
    filters: {
      ...NO_FILTERS,
      text: word("q"),
      to: word("to"),
      from: word("from"),
      project: word("project"),
      session: word("session"),
      kind: word("kind"),
      risk: one("risk", RISKS) as Filters["risk"],
      state: one("state", TICKET_STATES),
    },
  };
}
