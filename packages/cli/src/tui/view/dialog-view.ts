// A dialog: rows that take the place of the lower part of what is behind it, and the cursor where something is typed.
import { answerWords, type Question, shortCode, showInvisible } from "@hap/protocol";
import { oneLine } from "../../show/agent-text.ts";
import { confirmRows } from "../../show/confirm-rows.ts";
import { ownRows } from "../../show/gutter.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Field } from "../model/answer-draft.ts";
import type { Editor } from "../model/editor.ts";
import type { Menu } from "../model/menu.ts";
import { type Dialog, type Model, styleOfModel } from "../model/model.ts";
import { editorView } from "./editor-view.ts";
import { helpRows } from "./help.ts";
import { line } from "./spread.ts";

/** Rows, the row that must be in view, and the cursor. `head` rows stay at the top, `foot` rows at the bottom. */
export type DialogView = {
  title: string;
  rows: string[];
  focus: number;
  cursor: { row: number; column: number } | null;
  hints: string;
};

const titles = { approve: "Approve", reject: "Reject", changes: "Request changes" } as const;

export function dialogView(model: Model, dialog: Dialog): DialogView {
  switch (dialog.type) {
    case "decide": {
      const many = dialog.ids.length === 1 ? shortCode(dialog.ids[0] as string) : `${dialog.ids.length} tickets`;
      const own = {
        approve: "A comment for the agent, if you like:",
        reject: "In your own words:",
        changes: "What should change:",
      }[dialog.verb];
      const held = dialog.ids.length > 1 ? ", u undoes it for five seconds" : "";
      return menuView(model, dialog.menu, {
        title: `${titles[dialog.verb]} ${many}`,
        own,
        problem: dialog.problem,
        hints: `Enter ${titles[dialog.verb].toLowerCase()}${held}   Esc back`,
      });
    }
    case "snooze":
      return menuView(model, dialog.menu, {
        title: "Not now: back in the inbox after",
        own: "Another time, such as 45m or 2h:",
        problem: dialog.problem,
        hints: "Enter put it off   Esc back",
      });
    case "answer":
    case "edit":
      return fieldsView(model, dialog);
    case "step-up":
      return stepUpView(model, dialog);
    case "reply": {
      const typing = inputRows(model, dialog.editor, "  > ");
      const title = dialog.answers === null ? `Words for the next question of ${dialog.agent}` : `Answer ${dialog.agent}`;
      const rows = [...typing.rows, ...problemRows(model, dialog.problem)];
      return { title, rows, cursor: typing.cursor, focus: typing.cursor.row, hints: "Enter send   Ctrl-J new line   Esc back" };
    }
    case "filter": {
      const typing = inputRows(model, dialog.editor, "Filter: ");
      return { title: "Show only tickets that hold all of these words", ...typing, focus: 0, hints: "Enter keep   Esc close" };
    }
    case "help":
      return {
        title: "Keys",
        rows: helpRows(model),
        focus: dialog.top,
        cursor: null,
        hints: "j k scroll   any other key closes",
      };
    case "leave": {
      const count = model.held?.plan.ids.length ?? 0;
      const rows = [`  A decision on ${count} tickets was not sent yet.`];
      return { title: "Quit", rows, focus: 0, cursor: null, hints: "s send now and quit   u undo and quit   Esc stay" };
    }
  }
}

type MenuWords = { title: string; own: string; problem: string | null; hints: string };

function menuView(model: Model, menu: Menu, { title, own, problem, hints }: MenuWords): DialogView {
  const { paint, columns } = model;
  const options = menu.options.map((text, at) =>
    line(
      [pointer(paint, at === menu.at), { text: `${at + 1}. ${text}`, ...(at === menu.at ? { paint: paint.bold } : {}) }],
      columns,
    ),
  );
  const typing = menu.at === menu.options.length;
  const label = line([pointer(paint, typing), { text: own }], columns);
  const input = inputRows(model, menu.own, "     ");
  const before = options.length + 1;
  const cursor = typing ? { row: before + input.cursor.row, column: input.cursor.column } : null;
  const rows = [...options, label, ...input.rows, ...problemRows(model, problem)];
  return { title, rows, focus: cursor?.row ?? menu.at, cursor, hints };
}

function fieldsView(model: Model, dialog: Dialog & { type: "answer" | "edit" }): DialogView {
  const rows: string[] = [];
  let focus = 0;
  let cursor: DialogView["cursor"] = null;
  for (const [at, field] of dialog.draft.fields.entries()) {
    const view = fieldView(model, field, at === dialog.draft.focus);
    if (at === dialog.draft.focus) {
      focus = rows.length + view.focus;
      if (view.cursor !== null) cursor = { row: rows.length + view.cursor.row, column: view.cursor.column };
    }
    rows.push(...view.rows);
  }
  const form = dialog.draft.fields.length > 1 ? "   Tab next field" : "";
  const typed = dialog.draft.fields[dialog.draft.focus]?.kind === "typed" ? "   Ctrl-J new line" : "";
  const several = dialog.draft.fields.some((field) => field.kind === "chosen" && field.several) ? "   Space mark" : "";
  const editing = dialog.type === "edit";
  const code = shortCode(dialog.ticket.id);
  return {
    title: editing ? `Edit, then approve ${code}: the agent is given your version` : `Answer ${code}`,
    rows: [...rows, ...problemRows(model, dialog.problem)],
    focus: dialog.problem === null ? focus : rows.length,
    cursor,
    hints: `Enter ${editing ? "approve my version" : "send"}${form}${several}${editing || dialog.ticket.ask.type === "text" ? typed : ""}   Esc back`,
  };
}

function fieldView(model: Model, field: Field, focused: boolean): Pick<DialogView, "rows" | "focus" | "cursor"> {
  const { paint, columns } = model;
  const hint = field.hint === "" ? "" : ` (${field.hint})`;
  const label =
    field.label === ""
      ? []
      : [line([pointer(paint, focused), { text: `${oneLine(field.label)}${hint}`, paint: paint.bold }], columns)];
  if (field.kind === "typed") {
    const input = inputRows(model, field.editor, "     ");
    const cursor = focused ? { row: label.length + input.cursor.row, column: input.cursor.column } : null;
    return { rows: [...label, ...input.rows], focus: cursor?.row ?? 0, cursor };
  }
  const options = field.options.map((option, at) => {
    const box = field.several ? (field.marked.includes(option.key) ? "[x] " : "[ ] ") : at === field.at ? "(*) " : "( ) ";
    const about = option.description === undefined ? "" : `  ${oneLine(option.description)}`;
    const parts = [
      pointer(paint, focused && at === field.at),
      { text: `${box}${at + 1}. ${oneLine(option.label)}` },
      { text: about, paint: paint.dim },
    ];
    return line(parts, columns);
  });
  if (field.other === null) return { rows: [...label, ...options], focus: label.length + Math.max(0, field.at), cursor: null };
  const typing = focused && field.at === field.options.length;
  const input = inputRows(model, field.other, "     ");
  const own = line([pointer(paint, typing), { text: "In your own words:" }], columns);
  const before = label.length + options.length + 1;
  const cursor = typing ? { row: before + input.cursor.row, column: input.cursor.column } : null;
  return { rows: [...label, ...options, own, ...input.rows], focus: cursor?.row ?? label.length + Math.max(0, field.at), cursor };
}

function stepUpView(model: Model, dialog: Dialog & { type: "step-up" }): DialogView {
  const style = styleOfModel(model);
  const { ticket, plan } = dialog;
  const answer = plan.answer === null ? [] : [`Your answer: ${showInvisible(answerWords(ticket.ask as Question, plan.answer))}`];
  const comment = plan.comment === null ? [] : [`Your comment: ${oneLine(plan.comment)}`];
  const edits = Object.entries(plan.edits ?? {}).map(([key, text]) => `Your ${key}: ${showInvisible(text)}`);
  const about = confirmRows(style, ticket, [...answer, ...edits, ...comment]);
  const ask = ownRows(`To confirm, type:  ${dialog.phrase}`, style).map(style.paint.bold);
  const input = inputRows(model, dialog.editor, "  > ");
  const before = about.length + 1 + ask.length;
  const rows = [...about, "", ...ask, ...input.rows, ...problemRows(model, dialog.problem)];
  const cursor = { row: before + input.cursor.row, column: input.cursor.column };
  return {
    title: "This is critical: a yes must be confirmed",
    rows,
    // From the phrase upwards: arrows show what is above.
    focus: Math.max(0, rows.length - 1 - dialog.top),
    cursor,
    hints: "Enter confirm   up, down scroll   Esc back",
  };
}

function inputRows(
  { columns }: Model,
  editor: Editor,
  prompt: string,
): { rows: string[]; cursor: { row: number; column: number } } {
  const typing = editorView(editor, columns - prompt.length);
  const indent = " ".repeat(prompt.length);
  const rows = typing.rows.map((row, at) => (at === 0 ? prompt : indent) + row);
  return { rows, cursor: { row: typing.cursor.row, column: prompt.length + typing.cursor.column } };
}

function problemRows(model: Model, problem: string | null): string[] {
  return problem === null ? [] : ownRows(showInvisible(problem), styleOfModel(model)).map(model.paint.red);
}

function pointer(paint: Paint, here: boolean): { text: string; paint: (text: string) => string } {
  return { text: here ? "  > " : "    ", paint: (text) => paint.bold(paint.cyan(text)) };
}
