// A few ready answers and, below them, words of one's own: reasons for a no, or how long "not now" is. Pure.
import type { Key } from "../terminal/key-reader.ts";
import { type Editor, editKey, editorText, editPaste, makeEditor } from "./editor.ts";

export type Menu = {
  readonly options: readonly string[];
  readonly own: Editor;
  /** The option under the cursor; `options.length` is the line for one's own words. */
  readonly at: number;
};

export function makeMenu(options: readonly string[]): Menu {
  return { options, own: makeEditor(), at: 0 };
}

/** What is chosen: an option, or the words that were typed. */
export function menuValue({ options, own, at }: Menu): string {
  return options[at] ?? editorText(own).trim();
}

/** The menu after a key, or null for a key that does nothing here. */
export function menuKey(menu: Menu, key: Key): Menu | null {
  const { options, at } = menu;
  const typing = at === options.length;
  const to = (place: number): Menu => ({ ...menu, at: Math.max(0, Math.min(options.length, place)) });
  if (key.name === "up" || key.name === "backtab") return to(at - 1);
  if (key.name === "down" || key.name === "tab") return to(at + 1);
  if (typing) return edited(menu, editKey(menu.own, key));
  if (key.name === "j") return to(at + 1);
  if (key.name === "k") return to(at - 1);
  if (/^[1-9]$/.test(key.name) && Number(key.name) <= options.length) return to(Number(key.name) - 1);
  // Any other letter begins words of one's own.
  return key.text === null || key.name === "space" ? null : edited(menu, editKey(menu.own, key));
}

export function menuPaste(menu: Menu, text: string): Menu {
  return { ...menu, own: editPaste(menu.own, text), at: menu.options.length };
}

function edited(menu: Menu, own: Editor | null): Menu | null {
  return own === null ? null : { ...menu, own, at: menu.options.length };
}
