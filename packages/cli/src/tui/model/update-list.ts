// Keys in the list.
import { actionOfKey, isOpen, type Ticket } from "@hap/protocol";
import type { Key } from "../terminal/key-reader.ts";
import { batchProblem, beginNo } from "./decide.ts";
import { makeEditor } from "./editor.ts";
import { listColumns, pageSize } from "./list-layout.ts";
import { makeMenu } from "./menu.ts";
import { type Effect, listRows, type Model, notify, type Step, still } from "./model.ts";
import { currentEntry, emptyList, matching, moveCurrent, setFilter, TABS, wantsMore } from "./ticket-list.ts";

/** How long "not now" is, ready to choose. */
const SNOOZE_PRESETS = ["15m", "1h", "4h", "1d"] as const;
/** How much time one press adds. */
const EXTEND_SECONDS = 300;

export function listKey(model: Model, { name }: Key): Step {
  const page = pageSize(listRows(model), listColumns(model.columns));
  switch (actionOfKey(name)) {
    case "next":
      return move(model, 1);
    case "previous":
      return move(model, -1);
    case "pageDown":
      return move(model, page);
    case "pageUp":
      return move(model, -page);
    case "first":
      return move(model, Number.NEGATIVE_INFINITY);
    case "last":
      return move(model, Number.POSITIVE_INFINITY);
    case "open":
      return open(model, false);
    case "approve":
      return model.chosen.size > 1 ? openBatch(model) : open(model, true);
    case "reject":
      return beginNo(model, "reject", targets(model));
    case "changes":
      return beginNo(model, "changes", targets(model));
    case "snooze":
      return beginSnooze(model, targets(model));
    case "moreTime":
      return extend(model, currentEntry(model.list)?.ticket);
    case "select":
      return choose(model);
    case "conversations":
      return { model, effects: [{ type: "agents" }] };
    case "search":
      return still({ ...model, dialog: { type: "filter", editor: makeEditor(model.list.filter) } });
    case "nextTab":
      return switchTab(model, 1);
    case "previousTab":
      return switchTab(model, -1);
    case "back":
      return model.list.filter === ""
        ? still({ ...model, chosen: new Set() })
        : still({ ...model, list: setFilter(model.list, "") });
    default:
      return still(model);
  }
}

/** At the end of what was read, moving on reads on. */
function move(model: Model, by: number): Step {
  const list = moveCurrent(model.list, by);
  const last = matching(list).at(-1)?.ticket.id ?? null;
  const moved = { ...model, list };
  return by > 0 && list.current === last ? loadMore(moved) : still(moved);
}

/** Read the next page, unless there is none or it is on its way. */
export function loadMore(model: Model): Step {
  const { list, generation } = model;
  if (!wantsMore(list)) return still(model);
  const load: Effect = {
    type: "load",
    tab: list.tab,
    generation,
    cursor: list.next,
    limit: pageSize(listRows(model), listColumns(model.columns)),
  };
  return { model: { ...model, list: { ...list, loading: true } }, effects: [load] };
}

/** Read the list from its beginning; what is shown stays until it comes. */
export function reload(model: Model, list = model.list): Step {
  const generation = model.generation + 1;
  const limit = pageSize(listRows(model), listColumns(model.columns));
  return {
    model: { ...model, generation, list: { ...list, loading: true, stale: true } },
    effects: [{ type: "load", tab: list.tab, generation, cursor: null, limit }],
  };
}

function switchTab(model: Model, by: number): Step {
  const tab = TABS[(TABS.indexOf(model.list.tab) + by + TABS.length) % TABS.length] ?? "mine";
  return reload({ ...model, chosen: new Set() }, emptyList(tab, model.list.filter));
}

function open(model: Model, thenApprove: boolean): Step {
  const { current } = model.list;
  if (current === null) return still(model);
  return { model, effects: [{ type: "open", ids: [current], thenApprove }] };
}

function openBatch(model: Model): Step {
  const tickets = targets(model);
  const problem = batchProblem(tickets);
  if (problem !== null) return still(notify(model, problem, "bad"));
  return { model, effects: [{ type: "open", ids: tickets.map(({ id }) => id), thenApprove: true }] };
}

/** What was selected, else what is under the cursor. */
function targets({ chosen, list }: Model): Ticket[] {
  const entries = chosen.size > 0 ? list.entries.filter(({ ticket }) => chosen.has(ticket.id)) : [currentEntry(list)];
  return entries.flatMap((entry) => (entry === undefined ? [] : [entry.ticket]));
}

function choose(model: Model): Step {
  const { current } = model.list;
  const entry = currentEntry(model.list);
  if (current === null || entry === undefined || !isOpen(entry.ticket.state)) return still(model);
  const chosen = new Set(model.chosen);
  if (!chosen.delete(current)) chosen.add(current);
  return move({ ...model, chosen }, 1);
}

export function beginSnooze(model: Model, tickets: readonly Ticket[]): Step {
  const ids = tickets.filter(({ state }) => isOpen(state)).map(({ id }) => id);
  if (ids.length === 0) return still(model);
  return still({ ...model, dialog: { type: "snooze", ids, menu: makeMenu(SNOOZE_PRESETS), problem: null } });
}

export function extend(model: Model, ticket: Ticket | undefined): Step {
  if (ticket === undefined || !isOpen(ticket.state)) return still(model);
  return { model, effects: [{ type: "extend", id: ticket.id, seconds: EXTEND_SECONDS }] };
}
