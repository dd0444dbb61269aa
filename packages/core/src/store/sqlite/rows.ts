// All tables of the SQLite store as one reader, and as one writer for as long as a transaction is open.
import type { NewContent } from "../../log/contents.ts";
import type { TicketRecord } from "../../tickets/record.ts";
import type { StoreReader, StoreWriter } from "../store.ts";
import { ConfigReads, ConfigWrites } from "./tables/config.ts";
import { ContentReads, ContentWrites } from "./tables/contents.ts";
import { ConversationReads, ConversationWrites } from "./tables/conversations.ts";
import { CredentialReads, CredentialWrites } from "./tables/credentials.ts";
import { DecisionReads, DecisionWrites } from "./tables/decisions.ts";
import { EventReads, EventWrites } from "./tables/events.ts";
import { GrantReads, GrantWrites } from "./tables/grants.ts";
import { KeyReads, KeyWrites } from "./tables/keys.ts";
import { PeopleReads, PeopleWrites } from "./tables/people.ts";
import { PushReads, PushWrites } from "./tables/push.ts";
import { merge } from "./tables/table.ts";
import { TicketReads, TicketWrites } from "./tables/tickets.ts";
import { WebhookReads, WebhookWrites } from "./tables/webhooks.ts";

const Reads = merge(
  EventReads,
  TicketReads,
  ContentReads,
  DecisionReads,
  PeopleReads,
  CredentialReads,
  KeyReads,
  GrantReads,
  ConversationReads,
  WebhookReads,
  PushReads,
  ConfigReads,
);
const ReadsAndWrites = merge(
  Reads,
  EventWrites,
  TicketWrites,
  ContentWrites,
  DecisionWrites,
  PeopleWrites,
  CredentialWrites,
  KeyWrites,
  GrantWrites,
  ConversationWrites,
  WebhookWrites,
  PushWrites,
  ConfigWrites,
);

/** Every read of the store. */
export class SqliteReader extends Reads implements StoreReader {}

/** Every read and write of a transaction; it sees what it has written. */
export class SqliteWriter extends ReadsAndWrites implements StoreWriter {
  /** Statements that had run when the innermost savepoint was set, or null outside of any. */
  #savedAt: number | null = null;
  #savepoints = true;
  #spoiled = false;

  /** Start a transaction. Without savepoints, a part that fails after it has written spoils the whole transaction. */
  begin(savepoints: boolean): void {
    this.#savepoints = savepoints;
    this.#spoiled = false;
  }

  /** True if something must be undone that has no savepoint: roll back, and run the work again with savepoints. */
  get spoiled(): boolean {
    return this.#spoiled;
  }

  attempt<T>(work: () => T): T {
    return this.#savepoints ? this.#withSavepoint(work) : this.#withoutSavepoint(work);
  }

  /** A savepoint copies every page that is changed after it, and commands rarely fail once they have written. */
  #withoutSavepoint<T>(work: () => T): T {
    const { writes } = this.sql;
    try {
      return work();
    } catch (error) {
      if (this.sql.writes !== writes) this.#spoiled = true;
      throw error;
    }
  }

  #withSavepoint<T>(work: () => T): T {
    const outer = this.#savedAt;
    // One inside another that has written nothing yet needs no savepoint of its own.
    const shares = outer === this.sql.writes;
    const counted = new Map(this.mirror.unsaved);
    if (!shares) this.sql.get("SAVEPOINT attempt").run();
    this.#savedAt = this.sql.writes;
    try {
      const result = work();
      if (!shares) this.sql.get("RELEASE attempt").run();
      return result;
    } catch (error) {
      this.mirror.clear();
      this.mirror.resumeCounts(counted);
      // A full disk may have ended the whole transaction already.
      if (this.sql.inTransaction) {
        this.sql.get("ROLLBACK TO attempt").run();
        if (!shares) this.sql.get("RELEASE attempt").run();
      }
      throw error;
    } finally {
      this.#savedAt = outer;
    }
  }

  insertTicket(record: TicketRecord, texts?: readonly NewContent[]): void {
    this.insertTicketRow(record);
    if (texts === undefined) return;
    this.mirror.keepContents(record.seq, []);
    for (const { ref, salt, body } of texts) this.putContent(record.seq, ref, salt, body);
  }
}
