// Keys in a dialog. Esc goes back and decides nothing.
import { HapError } from "@hap/protocol";
import { parseDuration } from "../../input/duration.ts";
import type { Key } from "../terminal/key-reader.ts";
import { answerKey, answerPaste } from "./answer-draft.ts";
import { sendHeld, submitAnswer, submitDecision, submitEdit, submitPhrase } from "./decide.ts";
import { editKey, editorText, editPaste } from "./editor.ts";
import { menuKey, menuPaste, menuValue } from "./menu.ts";
import type { Dialog, Model, Step } from "./model.ts";
import { still } from "./model.ts";
import { setFilter } from "./ticket-list.ts";

export function dialogKey(model: Model, dialog: Dialog, key: Key): Step {
  if (key.name === "escape") return still({ ...model, dialog: null });
  if (key.name === "enter") return submit(model, dialog);
  const shown = (next: Dialog | null): Step => still(next === null ? model : { ...model, dialog: next });
  switch (dialog.type) {
    case "decide":
    case "snooze": {
      const menu = menuKey(dialog.menu, key);
      return shown(menu === null ? null : { ...dialog, menu, problem: null });
    }
    case "answer":
    case "edit": {
      const draft = answerKey(dialog.draft, key);
      return shown(draft === null ? null : { ...dialog, draft, problem: null });
    }
    case "step-up": {
      const by = { up: -1, down: 1, pageup: -10, pagedown: 10 }[key.name];
      if (by !== undefined) return shown({ ...dialog, top: Math.max(0, dialog.top + by) });
      const editor = editKey(dialog.editor, key);
      return shown(editor === null ? null : { ...dialog, editor, problem: null });
    }
    case "reply": {
      const editor = editKey(dialog.editor, key);
      return shown(editor === null ? null : { ...dialog, editor, problem: null });
    }
    case "filter": {
      const editor = editKey(dialog.editor, key);
      if (editor === null) return still(model);
      return still({ ...model, dialog: { ...dialog, editor }, list: setFilter(model.list, editorText(editor)) });
    }
    case "help": {
      const by = { j: 1, down: 1, k: -1, up: -1, space: 10, pagedown: 10, pageup: -10, b: -10 }[key.name];
      return by === undefined ? still({ ...model, dialog: null }) : shown({ ...dialog, top: Math.max(0, dialog.top + by) });
    }
    case "leave":
      return leaveKey(model, key);
  }
}

/** Pasted text goes where text is typed, and nowhere else. A phrase is typed, not pasted. */
export function dialogPaste(model: Model, dialog: Dialog, text: string): Step {
  switch (dialog.type) {
    case "decide":
    case "snooze":
      return still({ ...model, dialog: { ...dialog, menu: menuPaste(dialog.menu, text), problem: null } });
    case "answer":
    case "edit":
      return still({ ...model, dialog: { ...dialog, draft: answerPaste(dialog.draft, text), problem: null } });
    case "reply":
      return still({ ...model, dialog: { ...dialog, editor: editPaste(dialog.editor, text), problem: null } });
    case "filter": {
      const editor = editPaste(dialog.editor, text);
      return still({ ...model, dialog: { ...dialog, editor }, list: setFilter(model.list, editorText(editor)) });
    }
    case "step-up":
      return still({ ...model, dialog: { ...dialog, problem: "Type the phrase: it cannot be pasted." } });
    default:
      return still(model);
  }
}

function submit(model: Model, dialog: Dialog): Step {
  switch (dialog.type) {
    case "decide":
      return submitDecision(model, dialog);
    case "answer":
      return submitAnswer(model, dialog);
    case "edit":
      return submitEdit(model, dialog);
    case "step-up":
      return submitPhrase(model, dialog);
    case "snooze":
      return submitSnooze(model, dialog);
    case "reply": {
      const text = editorText(dialog.editor);
      if (text.trim() === "") return still({ ...model, dialog: { ...dialog, problem: "Type a message." } });
      const { agent, answers } = dialog;
      const sending = new Set([...model.sending, ...(answers === null ? [] : [answers])]);
      return { model: { ...model, dialog: null, sending }, effects: [{ type: "say", agent, answers, text }] };
    }
    case "leave":
      return still(model);
    default:
      return still({ ...model, dialog: null });
  }
}

function submitSnooze(model: Model, dialog: Dialog & { type: "snooze" }): Step {
  try {
    const seconds = parseDuration(menuValue(dialog.menu), "The time");
    return {
      model: { ...model, dialog: null, detail: null, chosen: new Set() },
      effects: [{ type: "snooze", ids: dialog.ids, seconds }],
    };
  } catch (error) {
    if (error instanceof HapError) return still({ ...model, dialog: { ...dialog, problem: error.message } });
    throw error;
  }
}

/** Something waits to be sent while the person leaves: they say what becomes of it. */
function leaveKey(model: Model, { name }: Key): Step {
  if (name === "u") return { model: { ...model, held: null, dialog: null }, effects: [{ type: "quit" }] };
  if (name !== "s") return still(model);
  const { model: sent, effects } = sendHeld({ ...model, dialog: null });
  return { model: sent, effects: [...effects, { type: "quit" }] };
}
