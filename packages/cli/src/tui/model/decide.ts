// From a key to a decision that is sent: what must be read, said or typed first (D3), and what waits to be undone. Pure.
import { editableParts, HapError, isOpen, type Question, readPhrase, shortCode, type Ticket } from "@hap/protocol";
import { finishAnswer, finishEdit, startAnswer, startEdit } from "./answer-draft.ts";
import { showUnread, unseenRows } from "./detail.ts";
import { editorText, makeEditor } from "./editor.ts";
import { makeMenu, menuValue } from "./menu.ts";
import {
  type Detail,
  type Dialog,
  type Effect,
  type Message,
  type Model,
  notify,
  type Plan,
  type Step,
  still,
  type Verb,
} from "./model.ts";
import { dropTickets } from "./ticket-list.ts";

/** Reasons for a no that need no typing. */
const NO_PRESETS = [
  "No.",
  "Not now.",
  "Too risky: find a safer way.",
  "Out of scope: leave this alone.",
  "Add or run the tests first.",
] as const;
/** How long decisions on several tickets wait before they are sent. */
export const HOLD_MS = 5000;

/** A yes to the ticket that is open: only after all of it was in view. A question gets its answer. */
export function beginYes(model: Model): Step {
  const { detail } = model;
  if (detail === null) return still(model);
  const [first] = detail.tickets as [Ticket];
  const why = noYesYet(detail);
  if (why !== null) return refuse({ ...model, detail: showUnread(model, detail) }, why);
  if (detail.tickets.length === 1 && first.ask.type !== "approval")
    return still({ ...model, dialog: { type: "answer", ticket: first, draft: startAnswer(first.ask), problem: null } });
  const ids = detail.tickets.map(({ id }) => id);
  return still({ ...model, dialog: { type: "decide", verb: "approve", ids, menu: makeMenu([]), problem: null } });
}

/** A yes to one's own version of the action, where the ticket allows it. */
export function beginEdit(model: Model): Step {
  const { detail } = model;
  if (detail === null) return still(model);
  const [first] = detail.tickets as [Ticket];
  const parts = editableParts(first);
  if (detail.tickets.length > 1) return refuse(model, "Tickets are edited one at a time: open one of them.");
  if (parts.length === 0) return refuse(model, "This ticket does not allow edits: approve it as it is, or request changes (c).");
  const why = noYesYet(detail);
  if (why !== null) return refuse(model, why);
  return still({ ...model, dialog: { type: "edit", ticket: first, draft: startEdit(parts), problem: null } });
}

/** Why there can be no yes now, or null. */
function noYesYet(detail: Detail): string | null {
  if (!detail.tickets.every(({ state }) => isOpen(state))) return "It has ended: there is nothing left to decide.";
  const unseen = unseenRows(detail);
  return unseen === 0 ? null : `Read all of it first: ${unseen} more ${unseen === 1 ? "row" : "rows"} (Space).`;
}

/** A no, or changes first: needs no reading to the end. */
export function beginNo(model: Model, verb: "reject" | "changes", tickets: readonly Ticket[]): Step {
  const open = tickets.filter(({ state }) => isOpen(state));
  if (open.length === 0) return refuse(model, "It has ended: there is nothing left to decide.");
  if (verb === "changes" && open.some(({ ask }) => ask.type !== "approval"))
    return refuse(model, "Answer a question (a) or reject it (r); changes can be requested on approvals only.");
  const menu = makeMenu(verb === "reject" ? NO_PRESETS : []);
  return still({ ...model, dialog: { type: "decide", verb, ids: open.map(({ id }) => id), menu, problem: null } });
}

/** Why these tickets cannot be approved together, or null: only alike ones of the lowest tier. */
export function batchProblem(tickets: readonly Ticket[]): string | null {
  const [first] = tickets;
  const odd = (test: (ticket: Ticket) => boolean) => tickets.find((ticket) => !test(ticket));
  const question = odd(({ ask }) => ask.type === "approval");
  if (question !== undefined) return `${shortCode(question.id)} asks a question: answer it on its own.`;
  const risky = odd(({ tier }) => tier === "routine");
  if (risky !== undefined)
    return `${shortCode(risky.id)} is ${risky.tier}: approve it on its own. Only routine tickets go together.`;
  const other = odd(({ from, intent }) => from === first?.from && intent.kind === first?.intent.kind);
  if (other !== undefined) return `${shortCode(other.id)} is of another agent or kind: only alike tickets are approved together.`;
  return null;
}

/** Enter in a dialog of a decision. */
export function submitDecision(model: Model, dialog: Dialog & { type: "decide" }): Step {
  const comment = menuValue(dialog.menu);
  if (dialog.verb === "changes" && comment === "") return problem(model, dialog, "Say what should change: the agent reads it.");
  return commit(model, plan(dialog.verb, dialog.ids, { comment: comment === "" ? null : comment }));
}

/** Enter in an answer: it must fit the question. */
export function submitAnswer(model: Model, dialog: Dialog & { type: "answer" | "edit" }): Step {
  try {
    const answer = finishAnswer(dialog.ticket.ask as Question, dialog.draft);
    return commit(model, plan("answer", [dialog.ticket.id], { answer }));
  } catch (error) {
    if (error instanceof HapError) return problem(model, dialog, error.message);
    throw error;
  }
}

/** Enter in one's own version: something must be different. */
export function submitEdit(model: Model, dialog: Dialog & { type: "answer" | "edit" }): Step {
  const { ticket, draft } = dialog;
  const edits = finishEdit(editableParts(ticket), draft);
  if (Object.keys(edits).length === 0)
    return problem(model, dialog, "Nothing changed yet. Edit it, or go back (Esc) and approve it as it is (a).");
  return commit(model, plan("approve", [ticket.id], { edits }));
}

/** Enter after the phrase. One that does not match decides nothing, and the next is another. */
export function submitPhrase(model: Model, dialog: Dialog & { type: "step-up" }): Step {
  const typed = editorText(dialog.editor);
  if (readPhrase(typed) === dialog.phrase) return commit(model, { ...dialog.plan, phrase: typed });
  return askPhrase(model, dialog.ticket, dialog.plan, "That was not the phrase. Nothing was recorded.");
}

/** The runtime has issued a phrase: show it, if the ticket is still open on the screen. */
export function showPhrase(model: Model, { ticket, plan, phrase, problem }: Message & { type: "phrase" }): Step {
  if (!model.detail?.tickets.some(({ id }) => id === ticket.id)) return still(model);
  const top = model.dialog?.type === "step-up" ? model.dialog.top : 0;
  return still({ ...model, dialog: { type: "step-up", ticket, plan, phrase, editor: makeEditor(), top, problem } });
}

/** Take back what was not sent or applied yet. */
export function undo(model: Model): Step {
  const { undoable } = model;
  if (model.held === null) {
    if (undoable === null) return still(model);
    return { model: { ...model, undoable: null }, effects: [{ type: "undo", id: undoable.plan.ids[0] as string }] };
  }
  const { ids } = model.held.plan;
  return still(notify({ ...model, held: null, chosen: new Set(ids) }, `Undone: nothing was sent for ${ids.length} tickets.`));
}

/** Send what waits. */
export function sendHeld(model: Model): Step {
  if (model.held === null) return still(model);
  return send({ ...model, held: null }, model.held.plan);
}

/** Ask for the phrase where one is needed, hold back what concerns several tickets, send the rest. */
function commit(model: Model, ready: Plan): Step {
  const ticket = model.detail?.tickets.find(({ id }) => id === ready.ids[0]);
  const yes = ready.verb === "approve" || ready.verb === "answer";
  if (yes && ticket?.tier === "critical" && ready.phrase === null) return askPhrase(model, ticket, ready, null);
  const closed: Model = { ...model, dialog: null, detail: null };
  if (ready.ids.length === 1) {
    const seconds = yes && ticket !== undefined && ticket.tier !== "critical" ? model.undoSeconds[ticket.tier] : 0;
    return seconds === 0 ? send(closed, ready) : give(closed, ready, { type: "hold", plan: ready, seconds });
  }
  // Two batches that wait at once would be hard to tell apart: the one before is sent now.
  const before = sendHeld(closed);
  return { model: { ...before.model, held: { plan: ready, sendAtMs: model.nowMs + HOLD_MS } }, effects: before.effects };
}

function askPhrase(model: Model, ticket: Ticket, ready: Plan, problem: string | null): Step {
  return { model, effects: [{ type: "phrase", ticket, plan: ready, problem }] };
}

function send(model: Model, ready: Plan): Step {
  return give(model, ready, { type: "decide", plan: ready });
}

function give(model: Model, ready: Plan, effect: Effect): Step {
  const sending = new Set([...model.sending, ...ready.ids]);
  // Out of the list at once, so that the next key is for the next ticket; what is refused comes back.
  const list = model.list.tab === "decided" ? model.list : dropTickets(model.list, new Set(ready.ids));
  return { model: { ...model, sending, list }, effects: [effect] };
}

function plan(verb: Verb, ids: readonly string[], more: Partial<Plan>): Plan {
  return { verb, ids, comment: null, answer: null, edits: null, phrase: null, ...more };
}

function problem(model: Model, dialog: Dialog & { type: "decide" | "answer" | "edit" }, text: string): Step {
  return still({ ...model, dialog: { ...dialog, problem: text } });
}

function refuse(model: Model, text: string): Step {
  return still(notify(model, text, "bad"));
}
