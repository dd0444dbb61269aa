// Erasing texts for good (D19): text and salt go, the log keeps the digest and says who erased it and why.
import { type BackupErasure, type ContentRef, type EraseResult, findRefs, HapError, type Json, refDigest } from "@hap/protocol";
import type { Store } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import { type CopyTools, eraseInBackups } from "./erase-in-backups.ts";
import { recordErased } from "./record-erased.ts";

/** Which texts: those of one ticket, all or the named fields. */
export type EraseRequest = {
  ticket: string;
  fields?: readonly string[] | undefined;
  reason?: string | undefined;
  by?: string | undefined;
};

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
  recordErased(
    session,
    erased.map(({ digest }) => digest),
    request,
  );
  return { ticket_id: record.ticket.id, erased };
}

/** Erase every text that lies under one event; `name` is what it is called in an error. */
export function eraseTexts(
  session: Session,
  place: number | undefined,
  name: string,
  request: Pick<EraseRequest, "reason"> & { from: string; mayBeEmpty?: boolean },
): EraseResult["erased"] {
  const row = place === undefined ? undefined : session.tx.eventAt(place);
  const found = row === undefined ? [] : fieldsOf(JSON.parse(row.payload));
  const erased = found
    .map(([field, ref]) => ({ field, digest: refDigest(ref) }))
    .filter(({ digest }) => session.tx.deleteContent(row?.seq as number, digest));
  if (erased.length === 0 && request.mayBeEmpty !== true)
    throw new HapError("content_erased", `${name} has no text left to erase.`, { name });
  recordErased(
    session,
    erased.map(({ digest }) => digest),
    request,
  );
  return erased;
}

/** The references of a payload by the name of the field that holds them. */
export function fieldsOf(payload: Json, name = ""): [string, ContentRef][] {
  if (typeof payload === "string") return findRefs(payload).map((ref) => [name, ref]);
  if (typeof payload !== "object" || payload === null) return [];
  return Object.entries(payload).flatMap(([key, value]) =>
    value === undefined ? [] : fieldsOf(value, Array.isArray(payload) ? name : key),
  );
}

/** Remove what is left of erased texts in the files of the store and in its backups. */
export function scrubEverywhere(store: Store, tools: CopyTools): void {
  store.scrub();
  refuseFailed(eraseInBackups(store, tools));
}

/** A text that is erased here and still in a backup is not gone. */
function refuseFailed(backups: readonly BackupErasure[]): void {
  const failed = backups.find(({ result }) => result === "failed");
  if (failed === undefined) return;
  throw new HapError(
    "store_unusable",
    `The text is erased from the store, but not from the backup ${failed.path}: ${failed.problem} Delete that file, or make it writable and run the command again.`,
    { path: failed.path },
  );
}
