// Prepared statements that are kept, tried again while the file is locked, and fail in our words.
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { HapError } from "@hap/protocol";
import { translateError } from "./errors.ts";
import { retryBusy } from "./retry-busy.ts";

export type Row = Record<string, SQLOutputValue>;
/** A row as its columns in their order. */
export type List = readonly SQLOutputValue[];

/** How many rows a long scan reads at once: each page seeks its place anew, and more than this saves little. */
const PAGE = 128;

/** One statement. */
export class Query {
  readonly #statement: StatementSync;
  readonly #owner: Statements;

  constructor(statement: StatementSync, owner: Statements) {
    this.#statement = statement;
    this.#owner = owner;
  }

  // Each calls SQLite at once: nearly always that is all there is to do.
  get(...values: SQLInputValue[]): Row | undefined {
    try {
      return this.#statement.get(...values);
    } catch (error) {
      return this.#owner.recover(error, () => this.#statement.get(...values));
    }
  }

  /** Write, and return the row that the statement returns. */
  returning(...values: SQLInputValue[]): Row | undefined {
    this.#owner.writes++;
    return this.get(...values);
  }

  all(...values: SQLInputValue[]): Row[] {
    try {
      return this.#statement.all(...values);
    } catch (error) {
      return this.#owner.recover(error, () => this.#statement.all(...values));
    }
  }

  run(...values: SQLInputValue[]): number {
    this.#owner.writes++;
    try {
      return Number(this.#statement.run(...values).changes);
    } catch (error) {
      return this.#owner.recover(error, () => Number(this.#statement.run(...values).changes));
    }
  }

  /**
   * A long scan in pages, each row as a list of its columns: half of what a row at a time costs, and no cursor is left open
   * that would hold this connection to the state of the database that it began with. `values` are those of the first
   * page, `after` those of the page that follows a row; the statement's last value is the size of a page.
   */
  *pages(values: SQLInputValue[], after: (row: List) => SQLInputValue[]): Generator<readonly List[]> {
    this.#statement.setReturnArrays(true);
    for (let from = values; ; ) {
      const rows = this.#owner.attempt(() => this.#statement.all(...from, PAGE)) as unknown as List[];
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      from = after(last);
    }
  }
}

/** Prepares each statement at its first use and keeps it. */
export class Statements {
  /** How many statements have run that may write. */
  writes = 0;
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #busyMs: number;
  readonly #prepared = new Map<string, Query>();

  constructor(database: DatabaseSync, path: string, busyMs: number) {
    this.#database = database;
    this.#path = path;
    this.#busyMs = busyMs;
  }

  get(sql: string): Query {
    let query = this.#prepared.get(sql);
    if (query === undefined) {
      query = this.fresh(sql);
      this.#prepared.set(sql, query);
    }
    return query;
  }

  /** A statement of its own, for a scan that is read while others run. */
  fresh(sql: string): Query {
    return new Query(
      this.attempt(() => this.#database.prepare(sql)),
      this,
    );
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Run a call of SQLite; try again while the file is locked, and say in our words what else went wrong. */
  attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      return this.recover(error, call);
    }
  }

  /** A call has failed: try it again for as long as that is because the file is locked, and say in our words what else it is. */
  recover<T>(first: unknown, call: () => T): T {
    if (!this.#database.isOpen)
      throw new HapError("store_unusable", `${this.#path} was closed in this process; open it again.`, { path: this.#path });
    try {
      return retryBusy(first, call, this.#busyMs);
    } catch (error) {
      throw translateError(error, this.#path);
    }
  }
}
