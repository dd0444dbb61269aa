// Removes terminal escape sequences from a stream of text, so that coloured JSON can be parsed. A sequence may be split between chunks.

const ESC = "\u001b";
/** A sequence that is whole: CSI, OSC (ended by BEL or ST), or two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
const whole = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/g;
/** Longer than any real sequence: what has not ended by then is text. */
const LONGEST = 4096;

/** Push text as it comes; get it without escape sequences. */
export class AnsiStripper {
  #rest = "";

  push(text: string): string {
    const all = this.#rest + text;
    this.#rest = "";
    if (!all.includes(ESC)) return all;
    const stripped = all.replace(whole, "");
    const open = stripped.indexOf(ESC);
    if (open === -1 || stripped.length - open > LONGEST) return stripped;
    this.#rest = stripped.slice(open);
    return stripped.slice(0, open);
  }
}
