// A ticket's summary from any text.
import { LIMITS } from "@hap/protocol";

/** One line without control characters, of at most as many characters as a summary may have. */
export function oneLine(text: string): string {
  const line = [...text.replaceAll(/[\s\p{C}]+/gu, " ").trim()];
  return line.length <= LIMITS.summaryChars ? line.join("") : `${line.slice(0, LIMITS.summaryChars - 1).join("")}…`;
}
