// Warnings about characters that hide, move or imitate others in what an agent wrote; the same in every version (D23).
import type { Block } from "./block.ts";
import { compareCodePoints } from "./key-order.ts";
import { findLookAlikes, hasInvisible, quoteShown } from "./text-safety.ts";

/** Warnings about the characters of what an agent wrote; the paths that a diff quotes are among it, as they read then. */
export function characterWarnings(written: readonly unknown[]): Block[] {
  const all: string[] = [];
  collectUnusual(written, all);
  const blocks: Block[] = [];
  if (all.length === 0) return blocks;
  if (all.some(hasInvisible)) {
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: "The agent's words hold invisible or direction-changing characters; they are shown as <U+XXXX>.",
    });
  }
  const alike = [...new Set(all.flatMap(findLookAlikes))].sort(compareCodePoints);
  if (alike.length > 0) {
    const some = alike.slice(0, 5).map((word) => quoteShown(word, 60));
    const more = alike.length > some.length ? ` and ${alike.length - some.length} more` : "";
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: `Some words mix letters of different alphabets that look alike: ${some.join(", ")}${more}.`,
    });
  }
  return blocks;
}

/** Neither hidden nor like any other: printable ASCII, tab and newline. */
const unusual = /[^\t\n -~]/;

/** Every text and every key with a character that could be worth a warning. */
function collectUnusual(value: unknown, found: string[]): void {
  if (typeof value === "string") {
    if (unusual.test(value)) found.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collectUnusual(item, found);
  } else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      if (unusual.test(key)) found.push(key);
      collectUnusual((value as Record<string, unknown>)[key], found);
    }
  }
}
