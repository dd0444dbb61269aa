// An answer while it is being given: every kind of question is a few fields, each typed or chosen (D15). Pure.
import { type Answer, type AskOption, type FieldValue, type FormField, parseAnswer, type Question } from "@hap/protocol";
import type { Key } from "../terminal/key-reader.ts";
import { type Editor, editKey, editorText, editPaste, makeEditor } from "./editor.ts";

/** Typed, or chosen by moving; `at` -1 is no choice yet, and `other`, where there is one, stands below the options. */
export type Field = { readonly key: string; readonly label: string; readonly hint: string } & (
  | { readonly kind: "typed"; readonly editor: Editor }
  | {
      readonly kind: "chosen";
      readonly options: readonly AskOption[];
      readonly several: boolean;
      readonly marked: readonly string[];
      readonly at: number;
      readonly other: Editor | null;
      /** The question suggests something: choosing nothing is then no way to leave the field out. */
      readonly suggests: boolean;
    }
);
export type AnswerDraft = { readonly fields: readonly Field[]; readonly focus: number };

const YES_NO: readonly AskOption[] = [
  { key: "no", label: "No" },
  { key: "yes", label: "Yes" },
];

/** The question's fields with what it suggests filled in. Without a suggestion, Enter alone never agrees. */
export function startAnswer(ask: Question): AnswerDraft {
  switch (ask.type) {
    case "text":
      return single({ key: "", label: "", hint: "", kind: "typed", editor: makeEditor(ask.default, true) });
    case "confirm": {
      const options = [
        { key: "no", label: ask.cancel_label },
        { key: "yes", label: ask.confirm_label },
      ];
      return single(choose({ key: "", label: "", hint: "" }, options, { suggested: [ask.default === true ? "yes" : "no"] }));
    }
    case "choice": {
      const suggested = [ask.default ?? []].flat();
      const how = { suggested, several: ask.allow_multiple, other: ask.allow_other };
      return single(choose({ key: "", label: "", hint: "" }, ask.options, how));
    }
    case "form":
      return { fields: ask.fields.map(formField), focus: 0 };
  }
}

/** Texts to change, each as it stands. */
export function startEdit(parts: readonly { key: string; text: string }[]): AnswerDraft {
  const fields = parts.map(({ key, text }): Field => {
    return { key, label: key, hint: "", kind: "typed", editor: makeEditor(text, true) };
  });
  return { fields, focus: 0 };
}

/** Those texts that are no longer what they were. */
export function finishEdit(parts: readonly { key: string; text: string }[], { fields }: AnswerDraft): Record<string, string> {
  const typed = fields.flatMap((field) => (field.kind === "typed" ? [[field.key, editorText(field.editor)] as const] : []));
  return Object.fromEntries(typed.filter(([key, text]) => text !== parts.find((part) => part.key === key)?.text));
}

function single(field: Field): AnswerDraft {
  return { fields: [field], focus: 0 };
}

function formField(field: FormField): Field {
  const hint = [field.kind === "number" ? "a number" : null, field.required ? null : "may be left out"]
    .filter(Boolean)
    .join(", ");
  const named = { key: field.key, label: field.label, hint };
  const suggested = field.default === undefined ? [] : [field.default].flat().map(String);
  if (field.kind === "boolean")
    return choose(named, YES_NO, { suggested: suggested.map((value) => (value === "true" ? "yes" : "no")) });
  if (field.kind === "choice")
    return choose(named, field.options ?? [], { suggested, several: field.allow_multiple, other: field.allow_other ?? false });
  return { ...named, kind: "typed", editor: makeEditor(suggested[0]) };
}

function choose(
  named: { key: string; label: string; hint: string },
  options: readonly AskOption[],
  { suggested, several = false, other = false }: { suggested: readonly string[]; several?: boolean; other?: boolean },
): Field {
  const at = options.findIndex(({ key }) => suggested.includes(key));
  const marked = several ? [...suggested] : [];
  return {
    ...named,
    kind: "chosen",
    options,
    several,
    marked,
    at: several ? Math.max(0, at) : at,
    other: other ? makeEditor() : null,
    suggests: suggested.length > 0,
  };
}

/** The draft after a key, or null for a key that does nothing here. Enter is not among them: it sends. */
export function answerKey(draft: AnswerDraft, key: Key): AnswerDraft | null {
  const field = draft.fields[draft.focus] as Field;
  if (key.name === "tab") return focusOn(draft, draft.focus + 1);
  if (key.name === "backtab") return focusOn(draft, draft.focus - 1);
  const changed = field.kind === "typed" ? typedKey(field, key) : chosenKey(field, key);
  if (changed !== null) return { ...draft, fields: draft.fields.with(draft.focus, changed) };
  if (key.name === "up") return focusOn(draft, draft.focus - 1);
  return key.name === "down" ? focusOn(draft, draft.focus + 1) : null;
}

export function answerPaste(draft: AnswerDraft, text: string): AnswerDraft {
  const field = draft.fields[draft.focus] as Field;
  if (field.kind === "typed")
    return { ...draft, fields: draft.fields.with(draft.focus, { ...field, editor: editPaste(field.editor, text) }) };
  if (field.other === null) return draft;
  const changed = { ...field, other: editPaste(field.other, text), at: field.options.length };
  return { ...draft, fields: draft.fields.with(draft.focus, changed) };
}

function focusOn(draft: AnswerDraft, focus: number): AnswerDraft {
  return { ...draft, focus: Math.max(0, Math.min(draft.fields.length - 1, focus)) };
}

function typedKey(field: Field & { kind: "typed" }, key: Key): Field | null {
  const editor = editKey(field.editor, key);
  return editor === null ? null : { ...field, editor };
}

function chosenKey(field: Field & { kind: "chosen" }, key: Key): Field | null {
  const { options, at, other, several } = field;
  const end = options.length - (other === null ? 1 : 0);
  const typing = other !== null && at === options.length;
  if (key.name === "up" || (!typing && key.name === "k")) return at <= 0 ? null : { ...field, at: at - 1 };
  if (key.name === "down" || (!typing && key.name === "j")) return at >= end ? null : { ...field, at: at + 1 };
  if (typing) {
    const edited = editKey(other, key);
    return edited === null ? null : { ...field, other: edited };
  }
  if (several && (key.name === "space" || key.name === "x")) return mark(field, at);
  const number = /^[1-9]$/.test(key.name) ? Number(key.name) - 1 : -1;
  if (number < 0 || number >= options.length) return null;
  return several ? mark({ ...field, at: number }, number) : { ...field, at: number };
}

function mark(field: Field & { kind: "chosen" }, at: number): Field {
  const key = field.options[at]?.key;
  if (key === undefined) return field;
  const marked = field.marked.includes(key) ? field.marked.filter((other) => other !== key) : [...field.marked, key];
  return { ...field, marked };
}

/** The answer, checked against the question; throws what does not fit, in words for the person. */
export function finishAnswer(ask: Question, draft: AnswerDraft): Answer {
  const [field] = draft.fields as [Field];
  switch (ask.type) {
    case "text":
      return parseAnswer(ask, { type: "text", text: field.kind === "typed" ? editorText(field.editor) : "" });
    case "confirm":
      return { type: "confirm", confirmed: chosenKeys(field)[0] === "yes" };
    case "choice": {
      const other = ownWords(field);
      return parseAnswer(ask, { type: "choice", choices: chosenKeys(field), ...(other === null ? {} : { other }) });
    }
    case "form":
      return parseAnswer(ask, { type: "form", values: formValues(draft.fields) });
  }
}

function formValues(fields: readonly Field[]): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (const field of fields) {
    const other = ownWords(field);
    const chosen = [...chosenKeys(field), ...(other === null || other.trim() === "" ? [] : [other])];
    if (field.kind === "typed") values[field.key] = editorText(field.editor);
    else if (field.several && (chosen.length > 0 || field.suggests)) values[field.key] = chosen;
    else if (!field.several && chosen[0] !== undefined) values[field.key] = chosen[0];
  }
  return values;
}

function chosenKeys(field: Field): string[] {
  if (field.kind === "typed") return [];
  if (field.several) return field.options.map(({ key }) => key).filter((key) => field.marked.includes(key));
  const picked = field.options[field.at];
  return picked === undefined ? [] : [picked.key];
}

/** Words of one's own count where the cursor is on them, or, beside several options, where there are any. */
function ownWords(field: Field): string | null {
  if (field.kind === "typed" || field.other === null) return null;
  const words = editorText(field.other);
  const meant = field.several ? words.trim() !== "" : field.at === field.options.length;
  return meant ? words : null;
}
