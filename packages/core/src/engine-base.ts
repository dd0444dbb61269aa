// What every command of the engine stands on: the store, the one transaction, what is due, who acts, and which policies hold.
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
import { Names, realWorld, sha256, type World } from "./facts.ts";
import { attempt, GroupCommit, type Outcome } from "./group-commit.ts";
import { checkOnOpen } from "./log/check-on-open.ts";
import { readViolation } from "./log/quarantine.ts";
import { nameError } from "./people.ts";
import { PoliciesInForce, type PolicyStatus } from "./policies-in-force.ts";
import type { Policies } from "./policy.ts";
import type { TicketRecord } from "./record.ts";
import { noSuchTicket, Session } from "./session.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";
import type { Store } from "./store/store.ts";
import { viewTicket } from "./view.ts";
import { Waiters } from "./waiters.ts";
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
  readonly #waiters: Waiters;
  readonly #batches: GroupCommit;
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
    this.#waiters = new Waiters({
      store: this.store,
      bell: this.#bell,
      now: () => this.now(),
      applyDueLeases: () => this.applyDueLeases(),
      current: (id) => this.current(id),
      disposed: () => this.#disposed(),
    });
    this.#batches = new GroupCommit(
      (batch) => this.#transact(() => ({ value: batch() })),
      (error) => this.#named(error),
    );
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
    return this.#batches.add(work);
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

  /** The violation that made this store read-only, or null. */
  violation(): string | null {
    return readViolation(this.store);
  }

  /** Wait until the ticket has ended, or for `timeout` milliseconds; resolves with the ticket as it is then. */
  waitFor(id: string, options: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {}): Promise<Ticket> {
    return this.#waiters.waitFor(id, options);
  }

  /** End every wait for a ticket in this process with this error: a server that stops has told its callers then. */
  endWaits(why: Error): void {
    this.#waiters.endWaits(why);
  }

  /** Events as they come, after a cursor or from the first on, until the signal aborts or the engine is disposed. */
  follow(options: { after?: string | undefined; signal?: AbortSignal | undefined } = {}): AsyncGenerator<LoggedEvent[]> {
    return this.#waiters.follow(options);
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
    this.#waiters.close();
    this.#bell.close();
    this.store.close();
  }
}
