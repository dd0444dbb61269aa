// Agents and their queued messages, in SQLite.
import type { AgentRecord, MessageRecord } from "../../../conversations/records.ts";
import type { AgentFilter } from "../../store.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of conversations. */
export class ConversationReads extends Table {
  agentByName(agent: string): AgentRecord | undefined {
    return optional(this.sql.get("SELECT * FROM agents WHERE agent=?").get(agent), toAgent);
  }

  listAgents(filter: AgentFilter): AgentRecord[] {
    const given = (["project", "agentRuntime"] as const).filter((name) => filter[name] !== undefined);
    const column = { project: "project", agentRuntime: "agent_runtime" };
    const where = [...given.map((name) => `${column[name]}=?`), ...(filter.present ? ["left_at IS NULL"] : [])];
    return this.sql
      .get(
        `SELECT * FROM agents ${where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`} ORDER BY seen_at DESC, seq DESC LIMIT ?`,
      )
      .all(...given.map((name) => filter[name] as string), filter.limit)
      .map(toAgent);
  }

  countAgents(): number {
    return this.sql.get("SELECT count(*) AS n FROM agents").get()?.n as number;
  }

  messageById(id: string): MessageRecord | undefined {
    return optional(this.sql.get("SELECT * FROM messages WHERE id=?").get(id), toMessage);
  }

  listMessages(agent: string, afterSeq: number, limit: number): MessageRecord[] {
    return this.sql
      .get("SELECT * FROM messages WHERE agent=? AND seq>? ORDER BY seq DESC LIMIT ?")
      .all(agent, afterSeq, limit)
      .map(toMessage)
      .reverse();
  }

  queuedMessages(agent: string, limit: number): MessageRecord[] {
    return this.sql
      .get(
        "SELECT * FROM messages INDEXED BY idx_messages_waiting WHERE agent=? AND taken_at IS NULL AND withdrawn_at IS NULL ORDER BY place LIMIT ?",
      )
      .all(agent, limit)
      .map(toMessage);
  }

  countQueued(agent: string): number {
    return this.sql
      .get("SELECT count(*) AS n FROM messages WHERE agent=? AND taken_at IS NULL AND withdrawn_at IS NULL")
      .get(agent)?.n as number;
  }

  listeners(agent: string, now: number): string[] {
    return this.sql
      .get(
        `SELECT l.ticket_id FROM listeners l JOIN tickets t ON t.id=l.ticket_id
         WHERE l.agent=? AND l.until>? AND t.open=1 ORDER BY l.since DESC`,
      )
      .all(agent, now)
      .map((row) => row.ticket_id as string);
  }

  countMessages(): number {
    return this.sql.get("SELECT count(*) AS n FROM messages").get()?.n as number;
  }
}

/** Writes of conversations. */
export class ConversationWrites extends Table {
  putAgent(record: AgentRecord): void {
    const { agent, seq, agentRuntime, project, terminal, label, joinedAt, seenAt, leftAt, labelSeq, name, group } = record;
    this.sql
      .get(
        `INSERT INTO agents (agent, seq, agent_runtime, project, terminal, label, joined_at, seen_at, left_at, label_seq, name, "group")
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(agent) DO UPDATE SET seen_at=excluded.seen_at,
         left_at=excluded.left_at, label_seq=excluded.label_seq, name=excluded.name, "group"=excluded."group"`,
      )
      .run(agent, seq, agentRuntime, project, terminal, label, joinedAt, seenAt, leftAt, labelSeq, name, group);
  }

  putMessage(record: MessageRecord): void {
    const { id, seq, agent, from, text, attachments, queuedAt, takenAt, takenBy, place, withdrawnAt } = record;
    this.sql
      .get(
        `INSERT INTO messages (id, seq, agent, "from", text, attachments, queued_at, taken_at, taken_by, place, withdrawn_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET taken_at=excluded.taken_at,
         taken_by=excluded.taken_by, place=excluded.place, withdrawn_at=excluded.withdrawn_at`,
      )
      .run(id, seq, agent, from, text, JSON.stringify(attachments), queuedAt, takenAt, takenBy, place, withdrawnAt);
  }

  putListener(row: { ticketId: string; agent: string; until: number; now: number }): void {
    this.sql.get("DELETE FROM listeners WHERE until<=? OR (ticket_id=? AND ?=0)").run(row.now, row.ticketId, row.until);
    if (row.until === 0) return;
    this.sql
      .get(
        `INSERT INTO listeners (ticket_id, agent, since, until) VALUES (?, ?, ?, ?)
         ON CONFLICT(ticket_id) DO UPDATE SET until=excluded.until`,
      )
      .run(row.ticketId, row.agent, row.now, row.until);
  }

  clearConversations(): void {
    this.sql.get("DELETE FROM agents").run();
    this.sql.get("DELETE FROM messages").run();
  }
}

function optional<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}

function toAgent(row: Row): AgentRecord {
  return {
    agent: row.agent as string,
    seq: row.seq as number,
    agentRuntime: row.agent_runtime as string,
    project: row.project as string | null,
    terminal: row.terminal as string | null,
    label: row.label as string | null,
    joinedAt: row.joined_at as string,
    seenAt: row.seen_at as string,
    leftAt: row.left_at as string | null,
    labelSeq: row.label_seq as number,
    name: row.name as string | null,
    group: row.group as string | null,
  };
}

function toMessage(row: Row): MessageRecord {
  return {
    id: row.id as string,
    seq: row.seq as number,
    agent: row.agent as string,
    from: row.from as string,
    text: row.text as string | null,
    attachments: JSON.parse(row.attachments as string),
    queuedAt: row.queued_at as string,
    takenAt: row.taken_at as string | null,
    takenBy: row.taken_by as string | null,
    place: row.place as number,
    withdrawnAt: row.withdrawn_at as string | null,
  };
}
