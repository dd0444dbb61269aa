// What happens when something happens: a key, a moment, an event of the log, an answer of the client. Pure.
import { actionOfKey, isOpen, shortCode, type Ticket } from "@hap/protocol";
import { oneLine } from "../../show/agent-text.ts";
import type { Typed } from "../terminal/key-reader.ts";
import { beginYes, sendHeld, showPhrase, undo } from "./decide.ts";
import { openDetail, renewDetail, resizeDetail } from "./detail.ts";
import { inView, itemsOf, listColumns, pageSize, scrollToCurrent } from "./list-layout.ts";
import { type Dialog, type Effect, type Facts, listRows, type Message, type Model, notify, type Step, still } from "./model.ts";
import { doneWords, endedWords } from "./outcome-notice.ts";
import { readTalks, talksKey, withCards, withConversation } from "./talks.ts";
import { addPage, dropGone, dropTickets, putTicket, wantsMore } from "./ticket-list.ts";
import { detailKey } from "./update-detail.ts";
import { dialogKey, dialogPaste } from "./update-dialog.ts";
import { listKey, loadMore, reload } from "./update-list.ts";

/** More changes at once than this are read as a list, not one by one. */
const FLOOD = 100;
/** How often the top of the inbox is looked at again: what was put off comes back without an event. */
const GLANCE_MS = 30_000;

export function update(before: Model, message: Message, facts: Facts): Step {
  const { model, effects } = step({ ...before, nowMs: facts.nowMs }, message);
  const settled = settle(model);
  return { model: settled.model, effects: [...effects, ...settled.effects] };
}

function step(model: Model, message: Message): Step {
  switch (message.type) {
    case "key":
    case "paste":
      // Whoever types has read what was said.
      return typed({ ...model, notice: null }, message);
    case "resize":
      return resize(model, message);
    case "tick":
      return tick(model);
    case "page":
      if (message.generation !== model.generation) return still(model);
      return still({ ...model, list: addPage(model.list, message.page, model.nowMs) });
    case "changed":
      return changed(model, message.ids);
    case "tickets":
      return still(message.tickets.reduce(putSeen, model));
    case "opened":
      return opened(model, message);
    case "reread":
      return still(reread(model, message));
    case "decided":
      return decided(model, message);
    case "held":
      return still({ ...model, undoable: { plan: message.plan, untilMs: message.untilMs } });
    case "undone":
      return still(undone(model, message));
    case "phrase":
      return showPhrase(model, message);
    case "prolonged":
      return prolonged(model, message);
    case "agents":
      return still({ ...model, talks: withCards(model.talks, message.cards) });
    case "conversation":
      return still(withConversation(model, message.conversation));
    case "said":
      return said(model, message);
    case "failed": {
      const list = message.generation === model.generation ? { ...model.list, loading: false } : model.list;
      return still(notify({ ...model, list }, message.text, "bad"));
    }
    case "live":
      if (message.live === model.live) return still(model);
      return message.live
        ? reload(notify({ ...model, live: true }, "Connected again.", "good"))
        : still({ ...model, live: false });
  }
}

function typed(model: Model, input: Typed): Step {
  const { dialog, detail } = model;
  if (input.type === "paste")
    return dialog === null ? still(notify(model, PASTED, "bad")) : dialogPaste(model, dialog, input.text);
  const { key } = input;
  if (key.name === "ctrl-c") return { model, effects: leave(model) };
  const action = actionOfKey(key.name);
  if (action === "redraw") return { model, effects: [{ type: "redraw" }] };
  if (action === "suspend") return { model, effects: [{ type: "suspend" }] };
  if (dialog !== null) return dialogKey(model, dialog, key);
  if (action === "help") return still({ ...model, dialog: { type: "help", top: 0 } });
  if (action === "undo") return undo(model);
  if (action === "quit")
    return model.held === null ? { model, effects: leave(model) } : still({ ...model, dialog: { type: "leave" } });
  if (detail !== null) return detailKey(model, detail, key);
  return model.talks === null ? listKey(model, key) : talksKey(model, model.talks, key);
}

/** Closing the screen is no undo: a yes that is held takes effect now. */
function leave({ undoable }: Model): Effect[] {
  return [...(undoable === null ? [] : [{ type: "apply" as const, plan: undoable.plan }]), { type: "quit" }];
}

const PASTED = "Pasted text is not taken for keys here.";

function resize(model: Model, { columns, rows }: { columns: number; rows: number }): Step {
  const sized = { ...model, columns, rows };
  const detail = model.detail === null ? null : resizeDetail(sized, model.detail);
  const open = model.talks?.open ?? null;
  const laid = { ...sized, detail };
  return still(open === null ? laid : withConversation(laid, open.conversation));
}

function tick(model: Model): Step {
  const { notice, held, nowMs } = model;
  const fresh = {
    ...model,
    notice: notice !== null && notice.untilMs > nowMs ? notice : null,
    list: dropGone(model.list, nowMs),
  };
  const sent = held !== null && held.sendAtMs <= nowMs && model.dialog?.type !== "leave" ? sendHeld(fresh) : still(fresh);
  const watching =
    model.list.tab === "mine" && model.list.top === 0 && model.detail === null && model.talks === null && model.live;
  if (!watching || nowMs - model.glancedAtMs < GLANCE_MS) return sent;
  const glance: Effect = { type: "glance", limit: pageSize(listRows(model), listColumns(model.columns)) };
  return { model: { ...sent.model, glancedAtMs: nowMs, delivering: new Set() }, effects: [...sent.effects, glance] };
}

function changed(model: Model, ids: readonly string[]): Step {
  const open = model.detail?.tickets.length === 1 ? model.detail.tickets[0]?.id : undefined;
  const shown: Effect[] = open !== undefined && ids.includes(open) ? [{ type: "reread", id: open }] : [];
  const reread = [...shown, ...readTalks(model.talks)];
  if (ids.length > FLOOD) {
    const again = reload(model);
    return { model: again.model, effects: [...again.effects, ...reread] };
  }
  return { model, effects: ids.length === 0 ? reread : [{ type: "read", ids }, ...reread] };
}

/** A ticket as it is now; the person is told what came, and what somebody else decided. */
function putSeen(before: Model, ticket: Ticket): Model {
  if (before.sending.has(ticket.id) && isOpen(ticket.state) && !wasDue(before, ticket.id)) return before;
  const { undoable } = before;
  const mine = undoable?.plan.ids[0] === ticket.id ? undoable : null;
  const model = mine === null ? before : { ...before, undoable: null, sending: without(before.sending, ticket.id) };
  if (mine !== null && !isOpen(ticket.state))
    return notify(
      { ...model, list: putTicket(model.list, ticket, model.person, model.nowMs) },
      ticket.resolution?.actor.id === model.person
        ? doneWords(mine.plan, [ticket])
        : endedWords(ticket, model.person, model.nowMs),
      "good",
    );
  const known = model.list.entries.find((entry) => entry.ticket.id === ticket.id);
  const list = putTicket(model.list, ticket, model.person, model.nowMs);
  const delivering =
    ticket.state === "PENDING" ? model.delivering : new Set([...model.delivering].filter((id) => id !== ticket.id));
  const put = { ...model, list, delivering };
  const news = known === undefined && list !== model.list && ticket.delivered_at === null;
  if (news && list.tab === "mine" && !model.list.stale)
    return notify(put, `New from ${ticket.from}: ${oneLine(ticket.intent.summary)}`);
  const ended = known !== undefined && isOpen(known.ticket.state) && !isOpen(ticket.state);
  if (!ended || model.sending.has(ticket.id)) return put;
  return notify(put, endedWords(ticket, model.person, model.nowMs));
}

/** Its yes should have been applied by now. */
function wasDue({ undoable, nowMs }: Model, id: string): boolean {
  return undoable?.plan.ids[0] === id && undoable.untilMs < nowMs;
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((other) => other !== id));
}

/** The ticket is open again, or the undo came too late. */
function undone(model: Model, { ticket, tooLate }: Message & { type: "undone" }): Model {
  const list = putTicket(model.list, ticket, model.person, model.nowMs);
  const after = { ...model, list, sending: without(model.sending, ticket.id) };
  return tooLate
    ? notify(after, "Too late to undo: it has taken effect.", "bad")
    : notify(after, "Undone. The ticket is open again.", "good");
}

function opened(model: Model, message: Message & { type: "opened" }): Step {
  // Somebody who reads or types is not given another ticket instead, however late it comes.
  if (message.tickets.length === 0 || model.detail !== null || model.dialog !== null) return still(model);
  const list = message.tickets.reduce((next, ticket) => putTicket(next, ticket, model.person, model.nowMs), model.list);
  const put = { ...model, list };
  const detail = openDetail(put, message);
  const shown = { ...put, detail };
  return message.thenApprove && detail.tickets.every(({ state }) => isOpen(state)) ? beginYes(shown) : still(shown);
}

function reread(model: Model, { ticket, history }: Message & { type: "reread" }): Model {
  const { detail } = model;
  const before = detail?.tickets[0];
  if (detail === null || before?.id !== ticket.id || detail.tickets.length !== 1) return model;
  const renewed = { ...model, detail: renewDetail(model, detail, { tickets: [ticket], history }) };
  if (isOpen(ticket.state) || !isOpen(before.state) || model.sending.has(ticket.id)) return renewed;
  // Whatever was about to be decided has been decided.
  const dialog = concerns(model.dialog, ticket.id) ? null : model.dialog;
  return notify({ ...renewed, dialog }, endedWords(ticket, model.person, model.nowMs));
}

function concerns(dialog: Dialog | null, id: string): boolean {
  if (dialog === null) return false;
  if (dialog.type === "decide" || dialog.type === "snooze") return dialog.ids.includes(id);
  return (dialog.type === "answer" || dialog.type === "edit" || dialog.type === "step-up") && dialog.ticket.id === id;
}

function decided(model: Model, { plan, tickets, refused }: Message & { type: "decided" }): Step {
  const ids = new Set(plan.ids);
  const rest = (all: ReadonlySet<string>) => new Set([...all].filter((id) => !ids.has(id)));
  const gone = new Set(tickets.map(({ id }) => id));
  const list = model.list.tab === "decided" ? model.list : dropTickets(model.list, gone);
  const after = { ...model, list, sending: rest(model.sending), chosen: rest(model.chosen) };
  if (refused.length === 0) return still(notify(after, doneWords(plan, tickets), "good"));
  const done = tickets.length === 0 ? "" : `${doneWords(plan, tickets)}. `;
  const text = `${done}${refused.map(({ id, message }) => (message.includes(shortCode(id)) ? message : `${shortCode(id)}: ${message}`)).join(" ")}`;
  return { model: notify(after, text, "bad"), effects: [{ type: "read", ids: refused.map(({ id }) => id) }] };
}

/** Words were left, or have answered a question, which then leaves the list as any other that was decided here. */
function said(model: Model, { conversation, answers, text }: Message & { type: "said" }): Step {
  const gone = new Set(answers === null ? [] : [answers]);
  const list = model.list.tab === "decided" ? model.list : dropTickets(model.list, gone);
  const sending = new Set([...model.sending].filter((id) => !gone.has(id)));
  return still(notify(withConversation({ ...model, list, sending }, conversation), text, "good"));
}

/** Tickets with more time; those that were put off leave the inbox. */
function prolonged(model: Model, { tickets, text }: Message & { type: "prolonged" }): Step {
  const put = tickets.reduce((list, ticket) => putTicket(list, ticket, model.person, model.nowMs), model.list);
  const away = tickets.filter(({ lease }) => lease.snoozed_until !== null && model.list.tab === "mine").map(({ id }) => id);
  const after = { ...model, list: dropTickets(put, new Set(away)) };
  const { detail } = model;
  const shown = tickets.find(({ id }) => detail?.tickets.length === 1 && detail.tickets[0]?.id === id);
  const renewed = shown === undefined || detail === null ? detail : renewDetail(model, detail, { ...detail, tickets: [shown] });
  return still(notify({ ...after, detail: renewed }, text, "good"));
}

/** After everything: the cursor is in view, the view is full, and what is in view has been delivered (D8). */
function settle(model: Model): Step {
  if (model.detail !== null || model.talks !== null) return still(model);
  const rows = listRows(model);
  const list = scrollToCurrent(model.list, rows, listColumns(model.columns));
  const items = itemsOf(list);
  const view = inView(items, list.top, rows, listColumns(model.columns));
  const full = list.top + view.length < items.length;
  const more = !full && list.filter === "" && wantsMore(list) ? loadMore({ ...model, list }) : still({ ...model, list });
  const late = view.flatMap((item) =>
    item.type === "ticket" && item.entry.ticket.state === "PENDING" && item.entry.ticket.to === model.person
      ? [item.entry.ticket.id]
      : [],
  );
  const fresh = late.filter((id) => !model.delivering.has(id));
  if (fresh.length === 0) return more;
  const delivering = new Set([...model.delivering, ...fresh]);
  return { model: { ...more.model, delivering }, effects: [...more.effects, { type: "deliver", ids: fresh }] };
}
