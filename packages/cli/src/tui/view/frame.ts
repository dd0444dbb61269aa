// The whole screen from the model: a title, the list or a ticket, a dialog over its lower part, and two lines below.
import { editableParts, keyLabel, showInvisible } from "@hap/protocol";
import { isLastMinute, ticketNow } from "../model/countdown.ts";
import { listColumns } from "../model/list-layout.ts";
import type { Detail, Model, Talks } from "../model/model.ts";
import { currentEntry, TABS } from "../model/ticket-list.ts";
import type { Frame } from "../terminal/frame-update.ts";
import { detailView, positionWords } from "./detail-view.ts";
import { type DialogView, dialogView } from "./dialog-view.ts";
import { countWords, listView } from "./list-view.ts";
import { withPreview } from "./preview.ts";
import { fill, line, type Part, spread } from "./spread.ts";
import { talksView } from "./talks-view.ts";

/** The least that everything fits into. */
const LEAST = { columns: 40, rows: 10 };

export function frame(model: Model): Frame {
  const { columns, rows } = model;
  if (columns < LEAST.columns || rows < LEAST.rows) {
    const words = [`Too small: ${columns} x ${rows}.`, `Make it ${LEAST.columns} x ${LEAST.rows} or more.`, "q quits."];
    return {
      rows: fill(
        words.map((text) => line([{ text }], columns)),
        rows,
      ),
      cursor: null,
    };
  }
  const body = bodyOf(model);
  const bottom = [status(model), hints(model)];
  if (model.dialog === null) return { rows: [...body, ...bottom], cursor: null };
  return over(model, body, bottom, dialogView(model, model.dialog));
}

function bodyOf(model: Model): string[] {
  if (model.detail !== null) return detailView(model, model.detail);
  if (model.talks !== null) return [title(model), ...talksView(model, model.talks)];
  const list = listView({ ...model, columns: listColumns(model.columns) });
  return [title(model), ...withPreview(model, list)];
}

/** The dialog takes as many rows as it needs, at most all but one, and scrolls to what is being typed. */
function over(model: Model, body: readonly string[], bottom: readonly string[], view: DialogView): Frame {
  const { paint, columns } = model;
  const most = body.length - 2;
  const height = Math.min(most, view.rows.length);
  const first = Math.max(0, Math.min(view.focus - Math.floor(height / 2), view.rows.length - height));
  const from = body.length - height - 1;
  const more = view.rows.length > height ? `  rows ${first + 1}-${first + height} of ${view.rows.length}` : "";
  const bar = line(
    [{ text: `── ${view.title}${more} ${"─".repeat(columns)}`, paint: (text) => paint.bold(paint.cyan(text.replace("…", "─"))) }],
    columns,
  );
  const shown = [...body.slice(0, from), bar, ...view.rows.slice(first, first + height)];
  const row = view.cursor === null ? -1 : view.cursor.row - first;
  const visible = view.cursor !== null && row >= 0 && row < height;
  const cursor =
    visible && view.cursor !== null ? { row: from + 1 + row, column: Math.min(columns - 1, view.cursor.column) } : null;
  const keys = line([{ text: ` ${view.hints}`, paint: paint.dim }], columns);
  return { rows: [...shown, bottom[0] ?? "", keys], cursor };
}

function title(model: Model): string {
  const { paint, list, columns } = model;
  const tabs = TABS.map((tab): Part => {
    const here = tab === list.tab && model.talks === null;
    return {
      text: here ? ` ${tab} ${countWords(list)} ` : ` ${tab} `,
      paint: here ? (text) => paint.bold(paint.inverse(text)) : paint.dim,
    };
  });
  const talking: Part = { text: model.talks === null ? "" : " conversations ", paint: (text) => paint.bold(paint.inverse(text)) };
  const filter: Part = { text: list.filter === "" ? "" : `  /${showInvisible(list.filter)}`, paint: paint.yellow };
  const state: Part = model.live
    ? { text: "live ", paint: paint.green }
    : { text: "connection lost, trying again ", paint: paint.red };
  return spread(
    [{ text: " HAP ", paint: paint.bold }, ...tabs, talking, filter],
    [{ text: `  ${model.person}  `, paint: paint.dim }, state],
    columns,
  );
}

/** What was said last; what waits to be sent; the store that is read-only; else where one is. */
function status(model: Model): string {
  const { paint, columns, held, undoable, notice, violation, detail, chosen } = model;
  const quiet = (text: string) => line([{ text: ` ${text}`, paint: paint.dim }], columns);
  if (held !== null) {
    const left = Math.max(0, Math.ceil((held.sendAtMs - model.nowMs) / 1000));
    const what = `${held.plan.verb} ${held.plan.ids.length} tickets in ${left} s`;
    return line([{ text: ` ${what}: ${keyLabel("undo")} undoes it `, paint: (text) => paint.inverse(text) }], columns);
  }
  if (undoable !== null) {
    const left = Math.max(0, Math.ceil((undoable.untilMs - model.nowMs) / 1000));
    const done = undoable.plan.verb === "answer" ? "Answered" : "Approved";
    const text = ` ${done}. It takes effect in ${left} s: ${keyLabel("undo")} undoes it `;
    return line([{ text, paint: (words) => paint.inverse(words) }], columns);
  }
  if (notice !== null) {
    const tone = { good: paint.green, bad: paint.yellow, plain: paint.cyan }[notice.tone];
    return line([{ text: ` ${showInvisible(notice.text).replaceAll("\n", " ")}`, paint: tone }], columns);
  }
  if (violation !== null)
    return line([{ text: ` Read-only, the log does not verify: ${showInvisible(violation)}`, paint: paint.red }], columns);
  if (detail !== null) return quiet(positionWords(model, detail));
  if (model.talks !== null) return quiet("");
  if (chosen.size > 0) return quiet(`${chosen.size} selected`);
  const { list } = model;
  if (list.filter !== "" && list.next !== null)
    return quiet(`${list.entries.length} tickets looked at; G looks at the next page`);
  return quiet(list.loading ? "Reading…" : "");
}

function hints(model: Model): string {
  const { paint, columns, detail } = model;
  const parts = detail !== null ? detailHints(model, detail) : model.talks !== null ? talkHints(model.talks) : listHints(model);
  // What does not fit whole is left out: the most needed come first, and ? shows all.
  let left = columns;
  const fitting = parts.filter(([key, what]) => {
    const width = key.length + what.length + 3;
    left -= width;
    return left >= 0;
  });
  return line(
    fitting.flatMap(([key, what]): Part[] => [
      { text: ` ${key}`, paint: paint.bold },
      { text: ` ${what} `, paint: paint.dim },
    ]),
    columns,
  );
}

/** The two keys that move. */
const MOVE = `${keyLabel("next")} ${keyLabel("previous")}`;

function talkHints({ open }: Talks): [string, string][] {
  if (open === null)
    return [
      [keyLabel("open"), "open"],
      [MOVE, "move"],
      [keyLabel("back"), "back"],
      [keyLabel("help"), "help"],
    ];
  return [
    [keyLabel("approve"), "reply"],
    [keyLabel("open"), "open its question"],
    [MOVE, "scroll"],
    [keyLabel("back"), "back"],
    [keyLabel("help"), "help"],
  ];
}

function listHints(model: Model): [string, string][] {
  const entry = currentEntry(model.list);
  const last = entry !== undefined && isLastMinute(ticketNow(entry.ticket, entry.readAtMs, model.nowMs));
  const more: [string, string][] = last ? [[keyLabel("moreTime"), "5 min"]] : [];
  return [
    ...more,
    [keyLabel("open"), "open"],
    [keyLabel("approve"), "approve"],
    [keyLabel("reject"), "reject"],
    [keyLabel("changes"), "changes"],
    [keyLabel("select"), "select"],
    [keyLabel("search"), "filter"],
    [keyLabel("help"), "help"],
    [keyLabel("quit"), "quit"],
    [keyLabel("nextTab"), "list"],
    [keyLabel("snooze"), "snooze"],
    [keyLabel("conversations"), "conversations"],
  ];
}

function detailHints(model: Model, detail: Detail): [string, string][] {
  const first = detail.tickets[0];
  const last = first !== undefined && isLastMinute(ticketNow(first, detail.readAtMs, model.nowMs));
  const question = detail.tickets.length === 1 && first?.ask.type !== "approval";
  const editable = detail.tickets.length === 1 && first !== undefined && editableParts(first).length > 0;
  return [
    ...(last ? [[keyLabel("moreTime"), "5 min"] as [string, string]] : []),
    [keyLabel("approve"), question ? "answer" : "approve"],
    [keyLabel("reject"), "reject"],
    ...(question ? [] : [[keyLabel("changes"), "changes"] as [string, string]]),
    ...(editable ? [[keyLabel("edit"), "edit"] as [string, string]] : []),
    [keyLabel("snooze"), "snooze"],
    [keyLabel("pageDown"), "page down"],
    [keyLabel("back"), "back"],
    [keyLabel("help"), "help"],
  ];
}
