// Deleting texts and writing that down (D19): text and salt go, the log keeps the digest.
import type { HapEvent } from "@hap/protocol";
import type { Session } from "../transaction/session.ts";
import { ContentWriter } from "./contents.ts";

/** How many digests one event names, so that it stays below its limit. */
const DIGESTS_PER_EVENT = 100;

/** Delete one text; a project whose name it is leaves the directory with it. Returns false if it is gone already. */
export function deleteText(session: Session, place: number, digest: string): boolean {
  if (!session.tx.deleteContent(place, digest)) return false;
  const event = JSON.parse(session.tx.eventAt(place)?.payload ?? "{}") as Partial<HapEvent>;
  if (event.type === "directory.add" && event.handle?.startsWith("prj_")) session.tx.deleteName(event.handle);
  return true;
}

/** Append which texts were erased, by whom and why. */
export function recordErased(
  session: Session,
  erased: readonly string[],
  { from, reason }: { from: string; reason?: string | undefined },
): void {
  for (let start = 0; start < erased.length; start += DIGESTS_PER_EVENT) {
    const contents = new ContentWriter(session.names);
    const digests = erased.slice(start, start + DIGESTS_PER_EVENT);
    const words = contents.textOrNull("reason", reason);
    session.commitApart([{ type: "content.erased", from, digests, reason: words }], contents.made);
  }
}
