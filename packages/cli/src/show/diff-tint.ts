// Colours of a diff's lines: files bold, hunks cyan, added green, removed red.
import type { Paint } from "../terminal/paint.ts";
import type { Tint } from "./gutter.ts";

export function diffTint(paint: Paint): Tint {
  return (line) => {
    if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return paint.bold;
    if (line.startsWith("@@")) return paint.cyan;
    if (line.startsWith("+")) return paint.green;
    return line.startsWith("-") ? paint.red : String;
  };
}
