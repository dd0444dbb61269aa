// Names of keys as tmux has them: legacy agents send "C-c" or "Up" where they mean the key.

const NAMED: Record<string, string> = {
  Enter: "\r",
  Tab: "\t",
  Escape: "\u001b",
  Space: " ",
  BSpace: "\u007f",
  Up: "\u001b[A",
  Down: "\u001b[B",
  Right: "\u001b[C",
  Left: "\u001b[D",
  Home: "\u001b[H",
  End: "\u001b[F",
  PageUp: "\u001b[5~",
  PageDown: "\u001b[6~",
  IC: "\u001b[2~",
  DC: "\u001b[3~",
  F1: "\u001bOP",
  F2: "\u001bOQ",
  F3: "\u001bOR",
  F4: "\u001bOS",
};

const ARROWS = new Set(["Up", "Down", "Right", "Left", "Home", "End"]);

/** The bytes of keystrokes: verbatim, except that text which is nothing but the name of a key is that key. */
export function keyBytes(keystrokes: string, applicationKeys: boolean): string {
  const named = Object.hasOwn(NAMED, keystrokes) ? NAMED[keystrokes] : undefined;
  // A program may ask the terminal to send its arrow keys in another form; then it understands no other.
  if (named !== undefined) return applicationKeys && ARROWS.has(keystrokes) ? named.replace("[", "O") : named;
  const [, modifier, key] = /^([CM])-([\x21-\x7e])$/.exec(keystrokes) ?? [];
  if (modifier === "M") return `\u001b${key}`;
  if (modifier === "C" && key !== undefined) return String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f);
  return keystrokes;
}
