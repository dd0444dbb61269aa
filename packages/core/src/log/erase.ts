// Erasing texts for good (D19): text and salt go, the log keeps the digest and says who erased it and why.
import { type ContentRef, type EraseResult, findRefs, HapError, isHapError, type Json, refDigest } from "@hap/protocol";
import type { Store } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import { ContentWriter } from "./contents.ts";

/** Which texts: those of one ticket, all or the named fields. */
export type EraseRequest = {
  ticket: string;
  fields?: readonly string[] | undefined;
  reason?: string | undefined;
  by?: string | undefined;
};

/** How many digests one event names, so that it stays below its limit. */
const DIGESTS_PER_EVENT = 100;

/** Erase inside a session; the caller then scrubs the files. */
export function eraseContents(session: Session, record: TicketRecord, request: EraseRequest & { from: string }): EraseResult {
  const wanted = request.fields === undefined || request.fields.length === 0 ? null : new Set(request.fields);
  const found = new Map<string, string>();
  for (const row of session.tx.ticketEvents(record.lastSeq, 0)) {
    for (const [field, ref] of fieldsOf(JSON.parse(row.payload)))
      if (wanted === null || wanted.has(field)) found.set(refDigest(ref), field);
  }
  const erased = [...found]
    .filter(([digest]) => session.tx.deleteContent(record.seq, digest))
    .map(([digest, field]) => ({ field, digest }));
  if (erased.length === 0) {
    throw new HapError("content_erased", `${record.ticket.id} has no such text left to erase.`, {
      ticket_id: record.ticket.id,
      fields: request.fields ?? [],
    });
  }
  // What somebody was about to sign holds words of theirs too.
  session.tx.dropChallenges({ ticketId: record.ticket.id });
  recordErasure(session, erased, request);
  return { ticket_id: record.ticket.id, erased };
}

/** Erase every text that lies under one event; `name` is what it is called in an error. */
export function eraseTexts(
  session: Session,
  place: number | undefined,
  name: string,
  request: Pick<EraseRequest, "reason"> & { from: string },
): EraseResult["erased"] {
  const row = place === undefined ? undefined : session.tx.eventAt(place);
  const found = row === undefined ? [] : fieldsOf(JSON.parse(row.payload));
  const erased = found
    .map(([field, ref]) => ({ field, digest: refDigest(ref) }))
    .filter(({ digest }) => session.tx.deleteContent(row?.seq as number, digest));
  if (erased.length === 0) throw new HapError("content_erased", `${name} has no text left to erase.`, { name });
  recordErasure(session, erased, request);
  return erased;
}

function recordErasure(
  session: Session,
  erased: EraseResult["erased"],
  request: Pick<EraseRequest, "reason"> & { from: string },
): void {
  for (let start = 0; start < erased.length; start += DIGESTS_PER_EVENT) {
    const contents = new ContentWriter(session.names);
    const digests = erased.slice(start, start + DIGESTS_PER_EVENT).map(({ digest }) => digest);
    const reason = contents.textOrNull("reason", request.reason);
    session.commitApart([{ type: "content.erased", from: request.from, digests, reason }], contents.made);
  }
}

/** The references of a payload by the name of the field that holds them. */
function fieldsOf(payload: Json, name = ""): [string, ContentRef][] {
  if (typeof payload === "string") return findRefs(payload).map((ref) => [name, ref]);
  if (typeof payload !== "object" || payload === null) return [];
  return Object.entries(payload).flatMap(([key, value]) =>
    value === undefined ? [] : fieldsOf(value, Array.isArray(payload) ? name : key),
  );
}

/** Erase, and then make sure that nothing is left in the files. */
export function thenScrub<T>(store: Pick<Store, "scrub">, erase: () => T): T {
  try {
    const erased = erase();
    store.scrub();
    return erased;
  } catch (error) {
    // Erased before: but perhaps a reader kept the files from being scrubbed then.
    if (isHapError(error) && error.code === "content_erased") store.scrub();
    throw error;
  }
}
