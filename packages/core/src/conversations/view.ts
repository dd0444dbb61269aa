// From records to what faces show of a conversation: names for handles, words for references.
import type { AgentCard, Attachment, ContentRef, Message } from "@hap/protocol";
import { ContentReader } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import type { AgentRecord, MessageRecord } from "./records.ts";

/** An agent with its names, its counts, and what it waits for at `now`. */
export function viewAgent(store: StoreReader, record: AgentRecord, now: number): AgentCard {
  const contents = new ContentReader(store, record.seq);
  const text = (ref: string | null) =>
    ref === null ? null : ((contents.resolve(ref as ContentRef) as string | undefined) ?? null);
  const given = new ContentReader(store, record.labelSeq);
  const said = (ref: string | null) => (ref === null ? null : ((given.resolve(ref as ContentRef) as string | undefined) ?? null));
  return {
    agent: record.agent,
    agent_runtime: record.agentRuntime,
    project_dir: record.project === null ? null : nameOf(store, record.project),
    agent_terminal: text(record.terminal),
    label: text(record.label),
    name: said(record.name),
    group: said(record.group),
    joined_at: record.joinedAt,
    seen_at: record.seenAt,
    left_at: record.leftAt,
    waiting: store.openTickets(record.agent),
    queued: store.countQueued(record.agent),
    listening: store.listeners(record.agent, now)[0] ?? null,
  };
}

/** Words with their sender's name; files that were erased are left out. */
export function viewMessage(store: StoreReader, record: MessageRecord): Message {
  const contents = new ContentReader(store, record.seq);
  const read = (ref: string) => contents.resolve(ref as ContentRef);
  return {
    id: record.id,
    agent: record.agent,
    from: nameOf(store, record.from),
    text: record.text === null ? null : ((read(record.text) as string | undefined) ?? null),
    attachments: record.attachments.map(({ about }) => read(about)).filter((about) => about !== undefined) as Attachment[],
    queued_at: record.queuedAt,
    taken_at: record.takenAt,
    taken_by: record.takenBy,
    withdrawn_at: record.withdrawnAt,
    place: record.place,
  };
}
