// What one transaction writes, as SQL. It reads as well, and sees what it has written.
import { type CodePurpose, type ContentRef, refDigest } from "@hap/protocol";
import type { AgentRecord, MessageRecord } from "../../conversations/records.ts";
import type { CredentialRecord } from "../../credentials/record.ts";
import type { NewContent } from "../../log/contents.ts";
import type { KeyRecord, SessionRecord } from "../../people/records.ts";
import type { PushRecord } from "../../push/records.ts";
import type { TicketRecord } from "../../tickets/record.ts";
import type { DeliveryRecord, KeptWebhook } from "../../webhooks/records.ts";
import type { BackupRow, CodeRow, DirectoryRow, EventRow, PhraseRow, RequestRow, StoreWriter, SubjectRow } from "../store.ts";
import { putAgent, putMessage } from "./conversation-rows.ts";
import { countWrongCode, putCode, putCredential, putPhrase } from "./credential-rows.ts";
import { putKey, putRequest, putSession, putSubject } from "./identity-rows.ts";
import { dropWaiting, putBackup } from "./person-rows.ts";
import { dropPushSubscriptions, putPushSubscription } from "./push-rows.ts";
import { digestBytes, SqliteReader } from "./reader.ts";
import { INSERT_TICKET, insertValues, UPDATE_TICKET, updateValues } from "./ticket-row.ts";
import { putDelivery, putWebhook } from "./webhook-rows.ts";

/** The writing half of the store, for as long as a transaction is open. */
export class SqliteWriter extends SqliteReader implements StoreWriter {
  attempt<T>(work: () => T): T {
    const counted = new Map(this.mirror.unsaved);
    this.sql.get("SAVEPOINT attempt").run();
    try {
      const result = work();
      this.sql.get("RELEASE attempt").run();
      return result;
    } catch (error) {
      this.mirror.clear();
      this.mirror.resumeCounts(counted);
      // A full disk may have ended the whole transaction already.
      if (this.sql.inTransaction) {
        this.sql.get("ROLLBACK TO attempt").run();
        this.sql.get("RELEASE attempt").run();
      }
      throw error;
    }
  }

  appendEvent(row: EventRow, ticketPrev: number | null): void {
    this.sql
      .get("INSERT INTO events (seq, payload, prev_hash, hash, ticket_prev) VALUES (?, ?, ?, ?, ?)")
      .run(row.seq, row.payload, row.prev_hash, row.hash, ticketPrev);
    this.mirror.head = { seq: row.seq, hash: row.hash };
    this.mirror.hashes.set(row.seq, row.hash);
  }

  insertTicket(record: TicketRecord, texts?: readonly NewContent[]): void {
    this.sql.get(INSERT_TICKET).run(...insertValues(record));
    this.mirror.tickets.set(record.ticket.id, record);
    if (texts === undefined) return;
    this.mirror.keepContents(record.seq, []);
    for (const { ref, salt, body } of texts) this.putContent(record.seq, ref, salt, body);
  }

  updateTicket(record: TicketRecord): void {
    this.sql.get(UPDATE_TICKET).run(...updateValues(record));
    this.mirror.tickets.set(record.ticket.id, record);
  }

  countOpen(agent: string, change: 1 | -1): number {
    const open = Math.max(0, this.openTickets(agent) + change);
    this.mirror.countOpen(agent, open);
    return open;
  }

  /** Write what `countOpen` counted: once a transaction and agent, however many tickets it opened and ended. */
  saveCounts(): void {
    const upsert =
      "INSERT INTO quotas (agent, open_tickets) VALUES (?, ?) ON CONFLICT(agent) DO UPDATE SET open_tickets=excluded.open_tickets";
    for (const [agent, open] of this.mirror.unsaved) this.sql.get(upsert).run(agent, open);
    this.mirror.resumeCounts();
  }

  clearTickets(): void {
    this.sql.get("DELETE FROM tickets").run();
    this.mirror.clear();
  }

  recountOpen(): void {
    this.mirror.resumeCounts();
    this.sql.get("DELETE FROM quotas").run();
    this.sql
      .get(`INSERT INTO quotas (agent, open_tickets) SELECT "from", count(*) FROM tickets WHERE open=1 GROUP BY "from"`)
      .run();
  }

  putContent(ticketSeq: number, ref: ContentRef, salt: Uint8Array, body: string): void {
    const digest = refDigest(ref);
    this.sql
      .get("INSERT INTO contents (ticket_seq, digest, salt, body) VALUES (?, ?, ?, ?)")
      .run(ticketSeq, digestBytes(digest), salt, body);
    this.mirror.addContent(ticketSeq, digest, { salt, body });
  }

  deleteContent(ticketSeq: number, digest: string): boolean {
    this.mirror.dropContents(ticketSeq);
    return this.sql.get("DELETE FROM contents WHERE ticket_seq=? AND digest=?").run(ticketSeq, digestBytes(digest)) > 0;
  }

  putName({ handle, name, created_at, seq }: DirectoryRow): void {
    this.sql
      .get(
        `INSERT INTO directory (handle, name, created_at, seq) VALUES (?, ?, ?, ?)
         ON CONFLICT(handle) DO UPDATE SET seq=excluded.seq`,
      )
      .run(handle, name, created_at, seq);
    this.mirror.names.set(handle, name);
    this.mirror.handles.set(name, handle);
  }

  deleteName(handle: string): void {
    this.sql.get("DELETE FROM directory WHERE handle=?").run(handle);
    this.mirror.names.clear();
    this.mirror.handles.clear();
    this.dropPushSubscriptions({ person: handle });
  }

  burnNonce(nonce: string, ticketId: string, at: string): void {
    this.sql.get("INSERT INTO used_nonces (nonce, ticket_id, used_at) VALUES (?, ?, ?)").run(nonce, ticketId, at);
  }

  putChallenge(nonce: string, ticketId: string, intent: string, expires: number): void {
    this.sql
      .get("INSERT INTO challenges (nonce, ticket_id, intent, expires) VALUES (?, ?, ?, ?)")
      .run(nonce, ticketId, intent, expires);
  }

  takeChallenge(nonce: string): { ticketId: string; intent: string; expires: number } | undefined {
    return this.sql.get("DELETE FROM challenges WHERE nonce=? RETURNING ticket_id AS ticketId, intent, expires").get(nonce) as
      | { ticketId: string; intent: string; expires: number }
      | undefined;
  }

  dropChallenges(which: { ticketId: string } | { expiredBefore: number }): void {
    if ("ticketId" in which) this.sql.get("DELETE FROM challenges WHERE ticket_id=?").run(which.ticketId);
    else this.sql.get("DELETE FROM challenges WHERE expires<?").run(which.expiredBefore);
  }

  putAnchor(ticketSeq: number, wall: number, uptime: number): void {
    this.sql
      .get(
        "INSERT INTO anchors (ticket_seq, wall, uptime) VALUES (?, ?, ?) ON CONFLICT(ticket_seq) DO UPDATE SET wall=excluded.wall, uptime=excluded.uptime",
      )
      .run(ticketSeq, wall, uptime);
  }

  putAgent(record: AgentRecord): void {
    putAgent(this.sql, record);
  }

  putMessage(record: MessageRecord): void {
    putMessage(this.sql, record);
  }

  clearConversations(): void {
    this.sql.get("DELETE FROM agents").run();
    this.sql.get("DELETE FROM messages").run();
  }

  putPhrase(row: PhraseRow, now: number): void {
    putPhrase(this.sql, row, now);
  }

  dropPhrase(ticketId: string, person: string): void {
    this.sql.get("DELETE FROM phrases WHERE ticket_id=? AND person=?").run(ticketId, person);
  }

  putCode(row: CodeRow): void {
    putCode(this.sql, row);
  }

  dropCode(purpose: CodePurpose, person: string): void {
    this.sql.get("DELETE FROM one_time_codes WHERE purpose=? AND person=?").run(purpose, person);
  }

  countWrongCode(purpose: CodePurpose, now: number, tries: number): number {
    return countWrongCode(this.sql, purpose, now, tries);
  }

  putCredential(record: CredentialRecord & { signCount: number }): void {
    putCredential(this.sql, record);
  }

  useCredential(id: string, signCount: number, at: string): void {
    this.sql.get("UPDATE credentials SET sign_count=?, last_used_at=? WHERE id=?").run(signCount, at, id);
  }

  putStatement(nonce: string, statement: string, expires: number): void {
    this.sql.get("INSERT INTO statements (nonce, statement, expires) VALUES (?, ?, ?)").run(nonce, statement, expires);
  }

  dropStatement(nonce: string): void {
    this.sql.get("DELETE FROM statements WHERE nonce=?").run(nonce);
  }

  dropStatements(expiredBefore: number): void {
    this.sql.get("DELETE FROM statements WHERE expires<?").run(expiredBefore);
  }

  putKey(record: KeyRecord): void {
    putKey(this.sql, record);
    this.mirror.keys.clear();
  }

  keyUsed(id: string, at: string): void {
    this.sql.get("UPDATE api_keys SET last_used_at=? WHERE id=?").run(at, id);
  }

  clearKeys(): void {
    this.sql.get("DELETE FROM api_keys").run();
    this.mirror.keys.clear();
  }

  putSession(record: SessionRecord): void {
    putSession(this.sql, record);
    this.mirror.sessions.clear();
  }

  dropSession(hash: string): void {
    this.mirror.sessions.clear();
    this.sql.get("DELETE FROM sessions WHERE hash=?").run(hash);
  }

  putSubject(row: SubjectRow): void {
    putSubject(this.sql, row);
  }

  dropSubject(issuer: string, subject: string): boolean {
    return this.sql.get("DELETE FROM subjects WHERE issuer=? AND subject=?").run(issuer, subject) > 0;
  }

  putAgentOwner(agent: string, owner: string): void {
    this.sql.get("INSERT OR REPLACE INTO agent_owners (agent, owner) VALUES (?, ?)").run(agent, owner);
  }

  putRequest(row: RequestRow): void {
    putRequest(this.sql, row);
  }

  dropIdempotent(before: number): void {
    this.sql.get("DELETE FROM idempotency WHERE created_at<?").run(before);
  }

  putBackup(row: BackupRow): void {
    putBackup(this.sql, row);
  }

  dropBackup(path: string): void {
    this.sql.get("DELETE FROM backups WHERE path=?").run(path);
  }

  dropWaiting(person: { handle: string; name: string }): void {
    dropWaiting(this.sql, person);
  }

  putWebhook(record: KeptWebhook): void {
    putWebhook(this.sql, record);
  }

  silenceWebhook(id: string): void {
    this.sql.get("DELETE FROM deliveries WHERE webhook=?").run(id);
    this.sql.get("UPDATE webhooks SET secret='' WHERE id=?").run(id);
  }

  putDelivery(record: DeliveryRecord): void {
    putDelivery(this.sql, record);
  }

  dropDelivery(id: string): void {
    this.sql.get("DELETE FROM deliveries WHERE id=?").run(id);
  }

  dropDeadDeliveries(before: number): void {
    this.sql.get("DELETE FROM deliveries WHERE dead=1 AND created_at<?").run(before);
  }

  putPushSubscription(record: PushRecord): void {
    putPushSubscription(this.sql, record);
  }

  dropPushSubscriptions(which: { endpoint: string } | { person: string }): void {
    dropPushSubscriptions(this.sql, which);
  }

  setConfig(key: string, value: string | null): void {
    if (value === null) this.sql.get("DELETE FROM config WHERE key=?").run(key);
    else
      this.sql
        .get("INSERT INTO config (key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value")
        .run(key, value);
    this.mirror.config.set(key, value ?? undefined);
  }
}
