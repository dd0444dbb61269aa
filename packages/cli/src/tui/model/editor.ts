// A text that is being typed: pure, by the characters as a reader counts them.
import { graphemes } from "../../terminal/width.ts";
import type { Key } from "../terminal/key-reader.ts";

export type Editor = { readonly chars: readonly string[]; readonly at: number; readonly lines: boolean };

/** `lines` allows more than one line. */
export function makeEditor(text = "", lines = false): Editor {
  const chars = graphemes(text);
  return { chars, at: chars.length, lines };
}

export function editorText({ chars }: Editor): string {
  return chars.join("");
}

/** The editor after a key, or null for a key that does nothing here. */
export function editKey(editor: Editor, { name, text }: Key): Editor | null {
  const { chars, at } = editor;
  const cut = (from: number, to: number): Editor => ({ ...editor, chars: chars.toSpliced(from, to - from), at: from });
  switch (name) {
    case "left":
      return { ...editor, at: Math.max(0, at - 1) };
    case "right":
      return { ...editor, at: Math.min(chars.length, at + 1) };
    case "up":
      return moveByLine(editor, -1);
    case "down":
      return moveByLine(editor, 1);
    case "home":
    case "ctrl-a":
      return { ...editor, at: 0 };
    case "end":
    case "ctrl-e":
      return { ...editor, at: chars.length };
    case "backspace":
      return at === 0 ? editor : cut(at - 1, at);
    case "delete":
      return at === chars.length ? editor : { ...cut(at, at + 1), at };
    case "ctrl-u":
      return cut(0, at);
    case "ctrl-k":
      return cut(at, chars.length);
    case "ctrl-w":
      return cut(wordStart(chars, at), at);
    case "newline":
      return editor.lines ? insert(editor, "\n") : null;
    default:
      return text === null ? null : insert(editor, text);
  }
}

/** Pasted text goes in as text: without control characters, on one line where there is only one. */
export function editPaste(editor: Editor, pasted: string): Editor {
  const text = pasted.replace(/\r\n?/g, "\n").replace(/\p{Cc}/gu, (char) => (char === "\n" || char === "\t" ? char : ""));
  return insert(editor, editor.lines ? text : text.replace(/[\n\t]+/g, " "));
}

function insert(editor: Editor, text: string): Editor {
  const before = editor.chars.slice(0, editor.at).join("") + text;
  const chars = graphemes(before + editor.chars.slice(editor.at).join(""));
  // A mark may join the letter before it: the place is found by its text, not by counting.
  return { ...editor, chars, at: graphemes(before).length };
}

/** To the same place in the line before or after, or null where there is none. */
function moveByLine(editor: Editor, by: -1 | 1): Editor | null {
  const { chars, at } = editor;
  const start = lineStart(chars, at);
  const column = at - start;
  if (by === -1) return start === 0 ? null : { ...editor, at: Math.min(lineStart(chars, start - 1) + column, start - 1) };
  const end = chars.indexOf("\n", at);
  if (end === -1) return null;
  const next = chars.indexOf("\n", end + 1);
  return { ...editor, at: Math.min(end + 1 + column, next === -1 ? chars.length : next) };
}

function lineStart(chars: readonly string[], at: number): number {
  return at === 0 ? 0 : chars.lastIndexOf("\n", at - 1) + 1;
}

function wordStart(chars: readonly string[], at: number): number {
  let start = at;
  while (start > 0 && chars[start - 1] === " ") start--;
  while (start > 0 && chars[start - 1] !== " ") start--;
  return start;
}
