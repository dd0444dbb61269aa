// What every command of the engine stands on: the store, the one transaction, group commit, waiting, policies and defaults.
import {
  type CallIdentity,
  callHash,
  dueStep,
  HapError,
  isOpen,
  LIMITS,
  type LoggedEvent,
  parseHumanId,
  type Ticket,
  type TrustClass,
} from "@hap/protocol";
import { ANCHORS_FILE, Anchors } from "./credentials/anchors.ts";
import { type SignatureVerifier, verifyEnrolled } from "./credentials/verify-signature.ts";
import { defaultHome, localPerson, resolveDbPath, statedPerson } from "./defaults.ts";
import { queryEvents } from "./events.ts";
import { Names, realWorld, sha256, type World } from "./facts.ts";
import { Feed } from "./feed.ts";
import { checkOnOpen } from "./log/check-on-open.ts";
import type { LastVerification, VerifyReport } from "./log/verify.ts";
import { nameError } from "./people.ts";
import { PoliciesInForce, type PolicyStatus } from "./policies-in-force.ts";
import type { Policies } from "./policy.ts";
import { type TicketRecord, toIso } from "./record.ts";
import { noSuchTicket, Session } from "./session.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";
import type { Store } from "./store/store.ts";
import { viewTicket } from "./view.ts";
import { Bell } from "./wake.ts";

/** How an engine is opened; everything has a default. */
export type HapEngineOptions = {
  /** Path of the store; `~` is the home folder. Default HAP_DB_PATH, else ~/.hap/hap.db. */
  dbPath?: string | undefined;
  /** Who acts when a call does not say. Default HAP_HUMAN_ID; unset, the addressee of the ticket at hand. */
  humanId?: string | undefined;
  /** The home folder, where the user's policy lies. */
  home?: string | undefined;
  /** Time and chance; given by tests. */
  world?: World | undefined;
  trust?: TrustClass | undefined;
  /** How long to try for the write lock before `store_busy`. */
  busyMs?: number | undefined;
  verifySignature?: SignatureVerifier | undefined;
  /** The file of pinned fingerprints (D25). Default /etc/hap/anchors. */
  anchorsFile?: string | undefined;
  /** The file system's type of a folder; given by tests. */
  fileSystemType?: ((folder: string) => number) | undefined;
};

/** How long a batch may hold the write lock before it commits. */
const BATCH_MS = 20;

/** The longest that a timer of Node can run. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

type Queued = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

export class EngineBase {
  readonly path: string;
  readonly home: string;
  readonly trust: TrustClass;
  readonly localPerson: string;
  protected readonly store: Store;
  protected readonly verifySignature: SignatureVerifier;
  protected readonly anchors: Anchors;
  readonly #world: World;
  readonly #names: Names;
  readonly #stated: string | null;
  readonly #policies: PoliciesInForce;
  readonly #bell: Bell;
  readonly #feed: Feed;
  readonly #queue: Queued[] = [];
  readonly #endings = new Set<() => void>();
  #session: Session | null = null;
  #open = true;

  constructor(options: HapEngineOptions) {
    this.home = options.home ?? defaultHome();
    this.path = resolveDbPath(options.dbPath, this.home);
    this.trust = options.trust ?? "open";
    this.#stated = statedPerson(options.humanId);
    this.localPerson = localPerson(options.humanId);
    this.verifySignature = options.verifySignature ?? verifyEnrolled;
    this.#world = options.world ?? realWorld();
    this.#names = new Names(this.#world);
    this.store = new SqliteStore({
      path: this.path,
      busyMs: options.busyMs,
      ...(options.fileSystemType === undefined ? {} : { fileSystemType: options.fileSystemType }),
    });
    this.anchors = new Anchors(options.anchorsFile ?? ANCHORS_FILE);
    this.#policies = new PoliciesInForce(this.store, this.home);
    this.#bell = new Bell(this.path);
    this.#feed = new Feed(this.store, this.#bell, this.#world.now, () => this.applyDueLeases());
    try {
      checkOnOpen(this.store);
      this.applyDueLeases();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  protected now(): number {
    return this.#world.now();
  }

  /** Fill an array with the world's chance. */
  protected readonly random = (bytes: Uint8Array): Uint8Array => this.#world.random(bytes);

  /** One command in one transaction; inside a batch it joins the transaction that is open. */
  protected run<T>(work: (session: Session) => T): T {
    const joined = this.#session;
    if (joined !== null) return joined.attempt(() => work(joined));
    // When leases were applied first, only the command is undone by its error; otherwise the whole transaction is.
    return this.#transact((session) =>
      session.wrote ? attempt(() => session.attempt(() => work(session))) : { value: work(session) },
    );
  }

  /** Write down a refusal; joins the transaction that is open. */
  recordInvalid(work: (session: Session) => void): void {
    this.run(work);
  }

  /** Open a transaction and apply what is due. An error that `work` returns is thrown after the commit. */
  #transact<T>(work: (session: Session) => Outcome<T>): T {
    this.#assertOpen();
    let wrote = false;
    try {
      const outcome = this.store.write((tx) => {
        const session = new Session(tx, this.#world, this.#names, this.trust);
        this.#session = session;
        try {
          session.sweep();
          const result = work(session);
          wrote = session.wrote;
          return result;
        } finally {
          this.#session = null;
        }
      });
      if (wrote) this.#bell.ring();
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    } catch (error) {
      throw this.#named(error);
    }
  }

  #named(error: unknown): unknown {
    return error instanceof HapError ? nameError(this.store, error) : error;
  }

  /**
   * Run `work`, which may call any method of this engine, in a transaction shared with everything else that was
   * asked for in this turn of the event loop: one sync to disk for all of them. Resolves once it is durable.
   */
  later<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#queue.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const done: { item: Queued; outcome: Outcome<unknown> }[] = [];
    const taken: Queued[] = [];
    try {
      this.#transact(() => {
        const started = performance.now();
        while (this.#queue.length > 0 && performance.now() - started < BATCH_MS) {
          const item = this.#queue.shift() as Queued;
          taken.push(item);
          done.push({ item, outcome: attempt(item.work) });
        }
        return { value: undefined };
      });
    } catch (error) {
      // The transaction itself failed: nothing in it happened, and nobody is told otherwise.
      for (const item of [...taken, ...this.#queue.splice(0)]) item.reject(error);
      return;
    }
    for (const { item, outcome } of done) {
      if ("error" in outcome) item.reject(this.#named(outcome.error));
      else item.resolve(outcome.value);
    }
    if (this.#queue.length > 0) setImmediate(() => this.#flush());
  }

  /** Apply leases that are due now; a look without a lock comes first. */
  applyDueLeases(): void {
    if (this.#session !== null) return;
    while (this.store.anyDue(this.now()) && this.violation() === null) {
      if (this.#transact((session) => ({ value: session.sweep() })) === 0) return;
    }
  }

  /** A ticket's record with everything due applied. */
  protected current(id: string): TicketRecord {
    const record = this.store.ticketById(id);
    if (record === undefined) throw noSuchTicket(id);
    const due = isOpen(record.state) && dueStep(record.state, record.clock, this.now()) !== "nothing";
    return due && this.violation() === null ? this.run((session) => session.ticket(id)) : record;
  }

  protected view(session: Session, record: TicketRecord): Ticket {
    return viewTicket(session, record, session.now);
  }

  /** Who acts: the one named, else the stated person, else null for the addressee. */
  protected actingPerson(by: string | undefined): string | null {
    if (by === undefined) return this.#stated;
    return by.includes(":") ? by : parseHumanId(by, "by");
  }

  /** The policies in force for a project. */
  policies(project: string | null): Policies {
    return this.#policies.forProject(project);
  }

  /** What decides who may decide: the confirmed policy alone, so that a file that is broken or changed stops nobody's no. */
  protected confirmedPolicies(): Policies {
    return this.#policies.confirmedAlone();
  }

  /** What was just confirmed counts at once. */
  protected forgetTrust(): void {
    this.#policies.forget();
  }

  protected writeUserPolicy(text: string): void {
    this.#policies.write(text);
  }

  /** The user's file as it is now, and whether it is the one that is confirmed. */
  userPolicyStatus(): PolicyStatus {
    return this.#policies.status();
  }

  /** The identity of a call (D17). */
  callHash(call: CallIdentity): string {
    return callHash(call, sha256);
  }

  protected wholeSeconds(seconds: number): number {
    if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LIMITS.addedSecondsMax) return seconds;
    throw new HapError("invalid_input", `seconds is ${seconds}; it must be a whole number from 1 to ${LIMITS.addedSecondsMax}.`, {
      field: "seconds",
    });
  }

  /**
   * A violation makes the store read-only for every process; a clean verification lifts it (D21). When the log was last
   * verified, and what was found, is kept for everybody who asks.
   */
  protected quarantine(report: VerifyReport): void {
    const words = report.ok ? null : report.violation.message;
    const { events, head, chainOnly } = report;
    const last: LastVerification = { at: toIso(this.now()), ok: report.ok, events, head, chain_only: chainOnly, problem: words };
    const changes = (this.store.config("violation") ?? null) !== words && !(report.ok && report.chainOnly);
    try {
      this.store.write((tx) => {
        tx.setConfig("last_verification", JSON.stringify(last));
        if (changes) tx.setConfig("violation", words);
      });
    } catch (error) {
      // A log on a full disk can be verified all the same; only the note of it is missing.
      if (changes) throw error;
    }
  }

  /** The last verification of the log by anybody, or null when there was none. */
  lastVerification(): LastVerification | null {
    const text = this.store.config("last_verification");
    return text === undefined ? null : (JSON.parse(text) as LastVerification);
  }

  /** The violation that made this store read-only, or null. */
  violation(): string | null {
    return this.store.config("violation") ?? null;
  }

  /** Wait until the ticket has ended, or for `timeout` milliseconds; resolves with the ticket as it is then. */
  waitFor(id: string, options: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {}): Promise<Ticket> {
    const { timeout, signal } = options;
    return new Promise<Ticket>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let stop = () => {};
      const finish = (end: () => void) => {
        stop();
        clearTimeout(timer);
        this.#endings.delete(disposed);
        signal?.removeEventListener("abort", abort);
        end();
      };
      const abort = () => finish(() => reject(signal?.reason));
      const disposed = () => finish(() => reject(this.#disposed()));
      /** Settle when the ticket has ended or the time is over; say whether that was so. */
      const look = (timeIsOver = false) => {
        try {
          const record = this.current(id);
          if (isOpen(record.state) && !timeIsOver) return false;
          const ticket = viewTicket(this.store, record, this.now());
          finish(() => resolve(ticket));
        } catch (error) {
          finish(() => reject(error));
        }
        return true;
      };
      if (signal?.aborted) return abort();
      // Watch first, then look: whatever is committed in between is heard.
      stop = this.#feed.watchTicket(id, () => look());
      this.#endings.add(disposed);
      signal?.addEventListener("abort", abort);
      if (timeout !== undefined) timer = setTimeout(() => look(true), Math.min(timeout, LONGEST_TIMEOUT_MS));
      look();
    });
  }

  /** Events as they come, after a cursor or from the first on, until the signal aborts or the engine is disposed. */
  async *follow(options: { after?: string | undefined; signal?: AbortSignal | undefined } = {}): AsyncGenerator<LoggedEvent[]> {
    const { signal } = options;
    let after = options.after;
    let wake = () => {};
    const stop = this.#feed.watchAll(() => wake());
    const end = () => wake();
    this.#endings.add(end);
    signal?.addEventListener("abort", end);
    try {
      while (this.#open && !signal?.aborted) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const events = queryEvents(this.store, { ...(after === undefined ? {} : { after }), limit: 500 });
        if (events.length > 0) {
          after = events.at(-1)?.cursor;
          yield events;
        } else await changed;
      }
    } finally {
      stop();
      this.#endings.delete(end);
      signal?.removeEventListener("abort", end);
    }
  }

  #assertOpen(): void {
    if (!this.#open) throw this.#disposed();
  }

  #disposed(): HapError {
    return new HapError("store_unusable", "This engine was disposed; open another one.", { path: this.path });
  }

  /** Close the store. Whoever waits is told. */
  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const end of [...this.#endings]) end();
    this.#feed.close();
    this.#bell.close();
    this.store.close();
  }
}

type Outcome<T> = { value: T } | { error: unknown };

/** Errors of a command travel past the commit; a broken disk, lock or log does not. */
function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof HapError && error.kind !== "busy" && error.kind !== "integrity") return { error };
    if (error instanceof HapError && error.code === "quota_exceeded") return { error };
    throw error;
  }
}
