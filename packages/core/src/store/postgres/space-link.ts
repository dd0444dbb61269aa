// The protocol between a node and the database, written once: each step yields a call, and is resumed with its answer, by a driver
// that blocks or by one that waits. Every result, also a refusal, counts only once the version was confirmed (D42).
import { randomUUID } from "node:crypto";
import { HapError, isHapError } from "@hap/protocol";
import type { StoreWriter } from "../store.ts";
import { CheckedWriter } from "./checked-rows.ts";
import type { DatabaseClock } from "./clock.ts";
import { PgFailure } from "./errors.ts";
import type { Changes, Delta, LocalCopy } from "./local-copy.ts";
import { fetched, Guard, NeedRows, type Needs } from "./needs.ts";
import type { Scanner } from "./scanner.ts";
import type { ChangedKey, WireRows } from "./tables.ts";

/** A statement to run, or a pause. */
export type Call = { sql: string; values: unknown[] } | { pauseMs: number };
/** Steps that yield calls and are resumed with the first column of the first row. */
export type Steps<T> = Generator<Call, T, unknown>;

type FetchAnswer = {
  missing?: true;
  now: number;
  archived: boolean;
  read_only: boolean;
  delta: Delta | null;
  found: WireRows[] | null;
};
type CommitAnswer = {
  missing?: true;
  archived?: true;
  clock?: true;
  /** Another node has the space to itself for so many milliseconds. */
  wait?: number;
  now: number;
  applied?: number;
  delta?: Delta;
  version?: number;
  head_at?: number;
};

/** How long a write is tried while others are faster, and a commit is sent again whose answer was lost. */
const TRY_MS = 15_000;
/** After so many losses in a row hap.commit_in_turn lets a node go first. */
const TURN_AFTER = 8;
/** PostgreSQL's code for a write to a database that is read-only. */
const READ_ONLY = "25006";
/** This process, where nodes take turns. */
const NODE = randomUUID();

/** One node's side of one space. */
export class SpaceLink {
  readonly copy: LocalCopy;
  readonly guard: Guard;
  readonly #clock: DatabaseClock;
  readonly #scanner: Scanner;
  readonly #space: string;
  readonly #path: string;
  /** True while the work of a transaction runs: reads then see what it has written. */
  inside = false;
  /** Commits that lost a race and ran again, since the start. */
  losses = 0;
  /** Why nothing can be written now, as far as the last answer said: the space is archived, or the database takes reads only. */
  refusal: "archived" | "read_only" | null = null;
  /** The highest epoch of a history that the database no longer has, 0 if none was lost. */
  lostEpoch = 0;
  /** Called when a history was found to be lost. */
  onLost: (() => void) | null = null;

  constructor(copy: LocalCopy, options: { clock: DatabaseClock; scanner: Scanner; space: string; path: string }) {
    this.copy = copy;
    this.guard = new Guard(copy);
    this.#clock = options.clock;
    this.#scanner = options.scanner;
    this.#space = options.space;
    this.#path = options.path;
  }

  /** Look whether others have committed, and fetch rows; true if the copy was current. */
  *refresh(needs: Needs | null = null): Steps<boolean> {
    const { copy } = this;
    if (copy.heavy) copy.forget();
    const { version, batch } = copy;
    const sql = "SELECT hap.fetch($1, $2, $3, $4)";
    const values = [this.#space, version, batch, needs === null ? null : JSON.stringify(needs)];
    const answer = (yield* this.#again(sql, values)) as FetchAnswer;
    if (answer.missing) throw this.#noSpace();
    this.#clock.learn(answer.now);
    this.refusal = answer.archived ? "archived" : answer.read_only ? "read_only" : null;
    if (answer.delta !== null && (yield* this.#isLost(answer.delta))) this.#noteLost();
    // While this waited, another call may have brought the copy further: then this answer is of the past.
    if (copy.version !== version || copy.batch !== batch) return false;
    if (answer.delta !== null) copy.follow(answer.delta);
    if (needs !== null) {
      for (const rows of answer.found ?? []) {
        copy.add(rows);
        for (const ticket of rows.tickets ?? []) copy.texts.add(ticket.seq as number);
      }
      fetched(copy, needs);
    }
    return answer.delta === null;
  }

  /** Run reads on a confirmed version. */
  *query<T>(work: () => T, confirm: boolean): Steps<T> {
    if (confirm || this.copy.version < 0) yield* this.refresh();
    for (;;) {
      const needs = { found: null as NeedRows | null };
      const result = attemptReads(work, needs);
      if (needs.found === null) return result as T;
      yield* this.refresh(needs.found.needs);
    }
  }

  /** Run `work` and commit what it wrote; again with fresh rows as often as others were faster or rows were missing. */
  *transact<T>(work: (tx: StoreWriter) => T): Steps<T> {
    const started = performance.now();
    for (let losses = 0; ; ) {
      if (performance.now() - started > TRY_MS) throw this.#busy();
      if (this.copy.version < 0) yield* this.refresh();
      const { refusal } = this;
      const run = this.#run(work);
      if ("needs" in run) {
        yield* this.refresh(run.needs.needs);
        continue;
      }
      if ("error" in run) {
        if (!isHapError(run.error)) throw run.error;
        if ((yield* this.refresh()) && refusal === this.refusal) throw run.error;
        continue;
      }
      if (run.keys?.length === 0) {
        // What was refused because nothing could be written runs again once it can.
        if ((yield* this.refresh()) && refusal === this.refusal) return run.result;
        continue;
      }
      const outcome = yield* this.#commit(run, losses);
      if (outcome === "done") return run.result;
      if (typeof outcome === "object") {
        yield { pauseMs: Math.random() * outcome.waitMs };
        continue;
      }
      this.losses++;
      losses++;
      // Losers wait a random while, so that no node is always the last; after eight losses the database gives them a turn.
      if (losses > 2 && losses < TURN_AFTER) yield { pauseMs: Math.random() * losses };
    }
  }

  #run<T>(work: (tx: StoreWriter) => T): Run<T> {
    this.guard.begin();
    this.#clock.begin();
    const tx = new CheckedWriter(this.guard, this.#scanner, this.#space, () => null);
    if (this.refusal !== null) tx.refusal = this.refusal === "archived" ? this.#archived() : this.#readOnly();
    this.inside = true;
    try {
      const { result, put, del, keys } = this.copy.attempt(() => work(tx));
      const { clear, forget } = tx.conditions;
      const changes: Changes = { put, del };
      if (clear.size > 0) changes.clear = [...clear];
      if (forget !== null) {
        changes.forget_requests = forget;
        keys.push(["idempotency", "*"]);
      }
      const { reading } = this.#clock;
      return { result, changes, keys: clear.size > 0 ? null : keys, reading };
    } catch (error) {
      return error instanceof NeedRows ? { needs: error } : { error };
    } finally {
      this.inside = false;
      this.guard.begin();
    }
  }

  /** True if the database answers with a whole space because it does not have the history of this node's copy. */
  *#isLost(delta: Delta): Steps<boolean> {
    const { copy } = this;
    if (delta.load === undefined || copy.version < 0) return false;
    const { seq, hash } = copy.rows.head();
    const values = [this.#space, copy.version, copy.batch, seq, hash];
    return !(yield* this.#again("SELECT hap.knows($1, $2, $3, $4, $5)", values));
  }

  /** The epoch of the copy is over: signatures that were given in it must not count again (D57). */
  #noteLost(): void {
    const epoch = Number(this.copy.rows.config("epoch") ?? 0);
    if (epoch <= this.lostEpoch) return;
    this.lostEpoch = epoch;
    this.onLost?.();
  }

  /** Send a batch; "again" if it must run again, and for how long to wait if another node has its turn. */
  *#commit(
    run: { changes: Changes; keys: ChangedKey[] | null; reading: number | null },
    losses: number,
  ): Steps<"done" | "again" | { waitMs: number }> {
    const { copy } = this;
    const { version, batch: before } = copy;
    const batch = randomUUID();
    const { changes, keys, reading } = run;
    const sql = "SELECT hap.commit_in_turn($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    const sent = [keys === null ? null : JSON.stringify(keys), JSON.stringify(changes), NODE, losses];
    const values = [this.#space, version, before, batch, reading, ...sent];
    let answer: CommitAnswer;
    try {
      answer = (yield* this.#again(sql, values)) as CommitAnswer;
    } catch (error) {
      if (!(error instanceof PgFailure) || error.code !== READ_ONLY) throw error;
      this.refusal = "read_only";
      return "again";
    }
    if (answer.missing) throw this.#noSpace();
    this.#clock.learn(answer.now);
    if (answer.archived) {
      this.refusal = "archived";
      return "again";
    }
    if (answer.wait !== undefined) return { waitMs: answer.wait };
    if (answer.delta !== undefined && (yield* this.#isLost(answer.delta))) this.#noteLost();
    const current = copy.version === version && copy.batch === before;
    if (answer.delta !== undefined && current) copy.follow(answer.delta);
    if (answer.delta !== undefined || answer.clock) return "again";
    // Applied: by this call, or by one whose answer was lost; then others may have committed since.
    const reached = answer.version ?? (answer.applied as number);
    if (!current) return "done";
    if (keys === null || answer.applied !== undefined) copy.forget();
    else copy.committed(changes, keys, { version: reached, batch, headAt: answer.head_at as number });
    return "done";
  }

  /** Call, and call again while the connection fails. Both calls of the protocol may be sent twice. */
  *#again(sql: string, values: unknown[]): Steps<unknown> {
    const started = performance.now();
    for (let tries = 0; ; tries++) {
      try {
        return yield { sql, values };
      } catch (error) {
        if (!(error instanceof PgFailure) || error.refused || performance.now() - started > TRY_MS / 2) throw error;
      }
      yield { pauseMs: Math.min(20 * 2 ** tries, 500) * (0.5 + Math.random()) };
    }
  }

  #noSpace(): HapError {
    const name = this.#space;
    return new HapError("store_unusable", `${this.#path} has no space ${name}. Create it with \`hap space create ${name}\`.`, {
      path: this.#path,
      space: name,
    });
  }

  #archived(): HapError {
    return new HapError(
      "space_archived",
      `The space ${this.#space} is archived: it can be read, not changed. \`hap space archive ${this.#space} --undo\` opens it again.`,
      { space: this.#space },
    );
  }

  #readOnly(): HapError {
    return new HapError(
      "database_read_only",
      `${this.#path} takes reads only, as a standby does. Reads go on; try again once it is writable.`,
      { path: this.#path },
    );
  }

  #busy(): HapError {
    return new HapError("store_busy", `${this.#path}: other nodes wrote to ${this.#space} all the time. Try again.`, {
      path: this.#path,
    });
  }
}

type Run<T> =
  | { needs: NeedRows }
  | { error: unknown }
  | { result: T; changes: Changes; keys: ChangedKey[] | null; reading: number | null };

/** Run reads; what they need goes into `needs`. */
function attemptReads<T>(work: () => T, needs: { found: NeedRows | null }): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NeedRows)) throw error;
    needs.found = error;
    return undefined;
  }
}
