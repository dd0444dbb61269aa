// From what a terminal sends to keys. Pasted text is told apart (bracketed paste), so that it is never taken for commands.
import { graphemes } from "../../terminal/width.ts";

/** A key by its name (`j`, `enter`, `pagedown`), and the character to insert where it has one. */
export type Key = { name: string; text: string | null };
/** What was typed, or pasted. */
export type Typed = { type: "key"; key: Key } | { type: "paste"; text: string };

const ESC = "\u001b";
const PASTE = { begin: `${ESC}[200~`, end: `${ESC}[201~` };

/** The sequences of xterm and its relatives, without their introducer. */
const sequences: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  Z: "backtab",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "5~": "pageup",
  "6~": "pagedown",
  "7~": "home",
  "8~": "end",
};
const controls: Record<string, string> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
};
const sequence = /^(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))/;
const unfinished = /^(?:$|O$|\[[0-9;]*$)/;

/** Keeps what may still become a longer sequence until more comes, or until `flush`. */
export class KeyReader {
  #rest = "";

  /** The keys that are complete with this chunk. */
  feed(chunk: string): Typed[] {
    this.#rest += chunk;
    const typed: Typed[] = [];
    for (let next = this.#next(); next !== "more"; next = this.#next()) if (next !== null) typed.push(next);
    return typed;
  }

  /** True while a lone Esc, or a part of a sequence, waits for more. */
  get waits(): boolean {
    return this.#rest !== "" && !this.#rest.startsWith(PASTE.begin);
  }

  /** Nothing more came: an Esc was the key, the rest of a sequence is dropped. */
  flush(): Typed[] {
    const typed: Typed[] = this.#rest === ESC ? [{ type: "key", key: { name: "escape", text: null } }] : [];
    this.#rest = "";
    return typed;
  }

  /** One key, null for what is no key, or "more" when it takes more to know. */
  #next(): Typed | null | "more" {
    if (this.#rest === "") return "more";
    if (this.#rest.startsWith(PASTE.begin)) return this.#paste();
    if (this.#rest.startsWith(ESC)) return this.#escape();
    const first = this.#rest[0] as string;
    if (first < " " || first === "\u007f") {
      this.#rest = this.#rest.slice(1);
      return { type: "key", key: { name: controls[first] ?? controlName(first), text: null } };
    }
    const text = graphemes(this.#rest)[0] as string;
    this.#rest = this.#rest.slice(text.length);
    return { type: "key", key: { name: text === " " ? "space" : text, text } };
  }

  #paste(): Typed | "more" {
    const end = this.#rest.indexOf(PASTE.end);
    if (end === -1) return "more";
    const text = this.#rest.slice(PASTE.begin.length, end);
    this.#rest = this.#rest.slice(end + PASTE.end.length);
    return { type: "paste", text };
  }

  #escape(): Typed | null | "more" {
    const after = this.#rest.slice(1);
    if (unfinished.test(after)) return "more";
    const found = sequence.exec(after);
    if (found !== null) {
      this.#rest = after.slice(found[0].length);
      const name = sequences[found[2] === "~" ? `${found[1]}~` : (found[2] ?? found[3] ?? "")];
      return name === undefined ? null : { type: "key", key: { name, text: null } };
    }
    // Alt and Enter begins a line; every other key with Alt is that Esc, then the key.
    if (after.startsWith("\r")) {
      this.#rest = after.slice(1);
      return { type: "key", key: { name: "newline", text: null } };
    }
    this.#rest = after;
    return { type: "key", key: { name: "escape", text: null } };
  }
}

function controlName(character: string): string {
  return `ctrl-${String.fromCharCode(character.charCodeAt(0) + 96)}`;
}
