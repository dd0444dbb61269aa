// What is known about an agent that joined, and about words that wait for it. Made only by these folds (D18).
import type { EventOf } from "@hap/protocol";

/** An agent, in references and handles. */
export type AgentRecord = {
  agent: string;
  /** Place of its `agent.join`, where its texts lie. */
  seq: number;
  agentRuntime: string;
  project: string | null;
  terminal: string | null;
  label: string | null;
  joinedAt: string;
  seenAt: string;
  leftAt: string | null;
  /** Place of the last `agent.label`, where the texts of `name` and `group` lie; 0 where there is none. */
  labelSeq: number;
  name: string | null;
  group: string | null;
};

/** Queued words, in references and handles. */
export type MessageRecord = {
  id: string;
  /** Place of its `message.queue`, where its texts lie. */
  seq: number;
  agent: string;
  from: string;
  text: string | null;
  attachments: EventOf<"message.queue">["attachments"];
  queuedAt: string;
  takenAt: string | null;
  takenBy: string | null;
  /** Where it stands in the queue: smaller is told first. */
  place: number;
  withdrawnAt: string | null;
};

/** The agent that a join makes. */
export function foldJoin(event: EventOf<"agent.join">): AgentRecord {
  const { agent, seq, agent_runtime: agentRuntime, project, terminal, label, ts } = event;
  return {
    agent,
    seq,
    agentRuntime,
    project,
    terminal,
    label,
    joinedAt: ts,
    seenAt: ts,
    leftAt: null,
    labelSeq: 0,
    name: null,
    group: null,
  };
}

/** The agent after a sign of life, which also takes a leave back, or after it left. */
export function foldAgent(record: AgentRecord, event: EventOf<"agent.seen"> | EventOf<"agent.leave">): AgentRecord {
  return event.type === "agent.seen" ? { ...record, seenAt: event.ts, leftAt: null } : { ...record, leftAt: event.ts };
}

/** Words as they were queued. */
export function foldQueue(event: EventOf<"message.queue">): MessageRecord {
  const { message_id: id, seq, agent, from, text, attachments, ts } = event;
  return { id, seq, agent, from, text, attachments, queuedAt: ts, takenAt: null, takenBy: null, place: seq, withdrawnAt: null };
}

/** The agent with the label and the group that a person gave it. */
export function foldLabel(record: AgentRecord, event: EventOf<"agent.label">): AgentRecord {
  return { ...record, labelSeq: event.seq, name: event.name, group: event.group };
}

/** Messages after a change of their queue, which must be given in the event's order: they exchange places. */
export function foldArrange(
  { ordered, withdrawn }: { ordered: readonly MessageRecord[]; withdrawn: readonly MessageRecord[] },
  event: EventOf<"message.arrange">,
): MessageRecord[] {
  const places = ordered.map(({ place }) => place).sort((a, b) => a - b);
  return [
    ...ordered.map((record, at) => ({ ...record, place: places[at] as number })),
    ...withdrawn.map((record) => ({ ...record, withdrawnAt: event.ts })),
  ];
}

/** True while the words wait to be told. */
export function isWaiting(record: MessageRecord): boolean {
  return record.takenAt === null && record.withdrawnAt === null;
}

/** Words that were told. */
export function foldTake(record: MessageRecord, event: EventOf<"message.take">): MessageRecord {
  return { ...record, takenAt: event.ts, takenBy: event.taken_by };
}
