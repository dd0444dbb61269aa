// Erasing the texts of a conversation for good (D19): of an agent, or of one message.
import { type EraseResult, HapError } from "@hap/protocol";
import { eraseTexts } from "../log/erase.ts";
import { nameOf } from "../people/people.ts";
import type { Session } from "../transaction/session.ts";
import { withdrawErased } from "./change-queue.ts";
import type { AgentRecord } from "./records.ts";

/** Erase every text of an agent; an error when none is left. */
export function eraseAgent(
  session: Session,
  record: AgentRecord,
  request: { from: string; reason?: string | undefined },
): EraseResult["erased"] {
  const places = record.labelSeq === 0 ? [record.seq] : [record.seq, record.labelSeq];
  const erased = places.flatMap((place) => eraseTexts(session, place, record.agent, { ...request, mayBeEmpty: true }));
  if (erased.length > 0) return erased;
  throw new HapError("content_erased", `${record.agent} has no text left to erase.`, { name: record.agent });
}

/** Erase the words and files of a message, by who wrote it. If it still waits, it is withdrawn. */
export function eraseMessage(
  session: Session,
  id: string,
  request: { from: string; by: string; reason?: string | undefined },
): EraseResult["erased"] {
  const message = session.tx.messageById(id);
  if (message !== undefined && message.from !== request.from)
    throw new HapError("not_addressee", `${id} was written by ${nameOf(session.tx, message.from)}; only they can erase it.`, {
      by: request.by,
    });
  const erased = eraseTexts(session, message?.seq, id, request);
  if (message !== undefined) withdrawErased(session, message);
  return erased;
}
