// Words that an agent wrote, made safe to print: nothing hidden, nothing that moves the cursor or changes direction.
import { showInvisible } from "@hap/protocol";

/** On one line: line breaks and tabs are shown too. */
export function oneLine(text: string): string {
  return showInvisible(text).replaceAll("\n", "<U+000A>").replaceAll("\t", "<U+0009>");
}
