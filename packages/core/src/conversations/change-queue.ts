// Changes of an agent's queue by the person who wrote the words: withdraw, edit, reorder. Withdrawn words are never told (D26).
import { HapError, LIMITS, type QueueChange } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import type { Session } from "../transaction/session.ts";
import { foldArrange, foldQueue, isWaiting, type MessageRecord } from "./records.ts";

/** Apply a change of `from`, the handle of a person. */
export function changeQueue(session: Session, agent: string, change: QueueChange, from: string): void {
  const own = (id: string) => ownWaiting(session, id, agent, from);
  if ("withdraw" in change) arrange(session, agent, { from, ordered: [], withdrawn: [own(change.withdraw)] });
  else if ("edit" in change) edit(session, agent, change, from);
  else if (new Set(change.order).size !== change.order.length)
    throw new HapError("invalid_input", "The order names a message twice.", { field: "order" });
  else if (change.order.length > 0) arrange(session, agent, { from, ordered: change.order.map(own), withdrawn: [] });
}

/** Replace a message by one with other words, in its place. */
function edit(session: Session, agent: string, { edit: id, text }: { edit: string; text: string }, from: string): void {
  const old = ownWaiting(session, id, agent, from);
  if (old.attachments.length > 0)
    throw new HapError("invalid_input", `${id} has files and cannot be edited. Withdraw it and queue it again.`, {
      field: "edit",
    });
  if (text.trim() === "")
    throw new HapError("invalid_input", "The new text is empty. Withdraw the message instead.", { field: "text" });
  const own = session.tx.queuedMessages(agent, LIMITS.messagesPerTake).filter((record) => record.from === from);
  const contents = new ContentWriter(session.names);
  const [event] = session.commitApart(
    [
      {
        type: "message.queue",
        message_id: session.names.id("msg_"),
        agent,
        from,
        text: contents.textOrNull("text", text),
        attachments: [],
      },
    ],
    contents.made,
  );
  const fresh = foldQueue(event);
  session.tx.putMessage(fresh);
  const after = own.slice(own.findIndex((record) => record.id === id) + 1);
  arrange(session, agent, { from, ordered: after.length === 0 ? [] : [fresh, ...after], withdrawn: [old] });
}

/** Withdraw a message that is being erased, so that it never answers with silence. */
export function withdrawErased(session: Session, message: MessageRecord): void {
  if (isWaiting(message)) arrange(session, message.agent, { from: message.from, ordered: [], withdrawn: [message] });
}

function arrange(
  session: Session,
  agent: string,
  { from, ...records }: { from: string; ordered: MessageRecord[]; withdrawn: MessageRecord[] },
): void {
  const ids = (list: readonly MessageRecord[]) => list.map(({ id }) => id);
  const [event] = session.commitApart([
    { type: "message.arrange", agent, from, messages: ids(records.ordered), withdrawn: ids(records.withdrawn) },
  ]);
  for (const record of foldArrange(records, event)) session.tx.putMessage(record);
}

function ownWaiting(session: Session, id: string, agent: string, from: string): MessageRecord {
  const record = session.tx.messageById(id);
  if (record === undefined || record.agent !== agent)
    throw new HapError("message_unknown", `No message ${id} was queued for ${agent}.`, { message_id: id });
  if (record.from !== from)
    throw new HapError("not_addressee", `${id} was written by ${nameOf(session.tx, record.from)}; only they can change it.`, {
      message_id: id,
    });
  if (isWaiting(record)) return record;
  const why = record.withdrawnAt === null ? "was told already" : "was withdrawn already";
  throw new HapError("message_told", `${id} ${why}; it cannot be changed.`, { message_id: id });
}
