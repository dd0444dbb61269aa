// Real numbers from the server: how many tickets wait for the person, how many the list has in all and in each group.
import type { TicketQuery } from "@hap/sdk";
import { signal } from "@preact/signals";
import { preferences } from "../state/preferences.ts";
import { me, signedOut } from "../state/session.ts";
import type { Filters, View } from "./filters.ts";
import { toQuery } from "./filters.ts";
import { groupNameOf } from "./grouping.ts";

/** Numbers of the list that is shown; null where the server does not count: searches in texts, and by risk. */
type ListTotals = { total: number; groups: ReadonlyMap<string, number> } | null;

/** How many open tickets wait for the person, whatever is shown; snoozed ones do not. */
export const waiting = signal(0);
/** How many open tickets of others the person could see. */
export const othersWaiting = signal(0);
/** Numbers of the list that is shown. */
export const listTotals = signal<ListTotals>(null);

const SOON_MS = 200;
const FIELDS = { priority: "priority", agent: "from", project: "project", session: "session" } as const;
let timer: ReturnType<typeof setTimeout> | undefined;
let generation = 0;

/** Count again in a moment; several changes count once. */
export function countSoon(view: View, filters: Filters): void {
  clearTimeout(timer);
  timer = setTimeout(() => void count(view, filters), SOON_MS);
}

/** Count now. */
export async function count(view: View, filters: Filters): Promise<void> {
  const mine = ++generation;
  const { person } = me();
  const { grouping } = preferences.value;
  const query = toQuery(view, filters, person);
  const counted = query === null || (query.text === undefined && query.risk_min === undefined && query.risk_below === undefined);
  const { to, from, project, session, kind, state }: TicketQuery = query ?? { to: person, state: "open" };
  const named = Object.fromEntries(
    Object.entries({ to, from, project, session, kind, state }).filter(([, value]) => value !== undefined),
  );
  try {
    const [own, ownWithSnoozed, all, list] = await Promise.all([
      me().counts({ to: person, state: "open", awake: true }),
      me().counts({ to: person, state: "open" }),
      me().counts({ state: "open" }),
      counted ? me().counts({ ...named, by: FIELDS[grouping], ...(view === "mine" ? { awake: true } : {}) }) : null,
    ]);
    if (mine !== generation) return;
    waiting.value = own.total;
    othersWaiting.value = Math.max(0, all.total - ownWithSnoozed.total);
    listTotals.value =
      list === null
        ? null
        : {
            total: list.total,
            groups: list.groups.reduce((names, { key, count: n }) => {
              const name = groupNameOf(key, grouping);
              return names.set(name, (names.get(name) ?? 0) + n);
            }, new Map<string, number>()),
          };
  } catch (error) {
    // The live line says that the server cannot be reached; the last numbers stay.
    signedOut(error);
  }
}
