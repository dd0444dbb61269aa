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
      .get("SELECT * FROM messages INDEXED BY idx_messages_queued WHERE agent=? AND taken_at IS NULL ORDER BY seq LIMIT ?")
      .all(agent, limit)
      .map(toMessage);
  }

  countQueued(agent: string): number {
    return this.sql.get("SELECT count(*) AS n FROM messages WHERE agent=? AND taken_at IS NULL").get(agent)?.n as number;
  }

  countMessages(): number {
    return this.sql.get("SELECT count(*) AS n FROM messages").get()?.n as number;
  }
}

/** Writes of conversations. */
export class ConversationWrites extends Table {
  putAgent(record: AgentRecord): void {
    const { agent, seq, agentRuntime, project, terminal, label, joinedAt, seenAt, leftAt } = record;
    this.sql
      .get(
        `INSERT INTO agents (agent, seq, agent_runtime, project, terminal, label, joined_at, seen_at, left_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(agent) DO UPDATE SET seen_at=excluded.seen_at, left_at=excluded.left_at`,
      )
      .run(agent, seq, agentRuntime, project, terminal, label, joinedAt, seenAt, leftAt);
  }

  putMessage(record: MessageRecord): void {
    const { id, seq, agent, from, text, attachments, queuedAt, takenAt, takenBy } = record;
    this.sql
      .get(
        `INSERT INTO messages (id, seq, agent, "from", text, attachments, queued_at, taken_at, taken_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET taken_at=excluded.taken_at, taken_by=excluded.taken_by`,
      )
      .run(id, seq, agent, from, text, JSON.stringify(attachments), queuedAt, takenAt, takenBy);
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
  };
}
