// The folder in which a session began, as its transcript says: agents change their folder, the project stays.
import { closeSync, openSync, readSync } from "node:fs";
import { type JsonObject, word } from "./read-event.ts";

const LONGEST = 65_536;

/** The first \`cwd\` of the host's transcript; null where there is none. */
export function firstFolder(raw: JsonObject): string | null {
  const transcript = word(raw, "transcript_path");
  if (transcript?.startsWith("/") !== true) return null;
  try {
    const file = openSync(transcript, "r");
    try {
      const bytes = Buffer.alloc(LONGEST);
      const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, LONGEST, 0));
      const found = /"cwd":("\/(?:[^"\\]|\\.)*")/.exec(text)?.[1];
      return found === undefined ? null : (JSON.parse(found) as string);
    } finally {
      closeSync(file);
    }
  } catch {
    // No transcript yet: the session begins with this call.
    return null;
  }
}
