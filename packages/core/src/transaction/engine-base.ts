// What every command of the engine stands on: the store, the one transaction, what is due, who acts, and which policies hold.
import {
  type CallIdentity,
  callHash,
  dueStep,
  HapError,
  isHapError,
  isOpen,
  LIMITS,
  type LoggedEvent,
  parseHumanId,
  quote,
  type Ticket,
  TRUST_CLASSES,
  type TrustClass,
} from "@hap/protocol";
import { ANCHORS_FILE, Anchors } from "../credentials/anchors.ts";
import { type SignatureVerifier, verifyEnrolled } from "../credentials/verify-signature.ts";
import { defaultHome, localPerson, resolveDbPath, statedPerson } from "../defaults.ts";
import type { CopyTools } from "../log/erase-in-backups.ts";
import { readViolation } from "../log/quarantine.ts";
import { PoliciesInForce, type PolicyStatus } from "../policies/policies-in-force.ts";
import type { Policies } from "../policies/policy.ts";
import type { Store } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { viewTicket } from "../tickets/view.ts";
import type { EventListener } from "../waiting/feed.ts";
import { Waiters, type WaitForOptions } from "../waiting/waiters.ts";
import { realWorld, sha256, type World } from "./facts.ts";
import { OpenStore } from "./open-store.ts";
import { noSuchTicket, type Session } from "./session.ts";

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
  /** Share the open store with others in this process who say so too. */
  shared?: boolean | undefined;
  /** How long to try for the write lock before `store_busy`. */
  busyMs?: number | undefined;
  verifySignature?: SignatureVerifier | undefined;
  /** The file of pinned fingerprints (D25). Default /etc/hap/anchors. */
  anchorsFile?: string | undefined;
  /** The file system's type of a folder; given by tests. */
  fileSystemType?: ((folder: string) => number) | undefined;
};

/** A class that nobody knows must not reach the log: a reader would take it for a label. */
function checkTrust(trust: TrustClass): TrustClass {
  if (TRUST_CLASSES.includes(trust)) return trust;
  throw new HapError("invalid_input", `The trust class is ${quote(String(trust))}; it must be ${TRUST_CLASSES.join(", ")}.`, {
    field: "trust",
  });
}

/** What only brings a reader up to date is left undone on a full disk: tickets can be read there, and no decision is taken. */
function readingOnFullDisk<T>(update: () => T, otherwise: T): T {
  try {
    return update();
  } catch (error) {
    if (isHapError(error) && error.code === "store_full") return otherwise;
    throw error;
  }
}

export class EngineBase {
  readonly path: string;
  readonly home: string;
  readonly trust: TrustClass;
  readonly localPerson: string;
  protected readonly verifySignature: SignatureVerifier;
  protected readonly anchors: Anchors;
  readonly #world: World;
  readonly #stated: string | null;
  readonly #opened: OpenStore;
  readonly #policies: PoliciesInForce;
  readonly #waiters: Waiters;
  #open = true;

  constructor(options: HapEngineOptions) {
    this.home = options.home ?? defaultHome();
    this.path = resolveDbPath(options.dbPath, this.home);
    this.trust = checkTrust(options.trust ?? "open");
    this.#stated = statedPerson(options.humanId);
    this.localPerson = localPerson(options.humanId);
    this.verifySignature = options.verifySignature ?? verifyEnrolled;
    this.#world = options.world ?? realWorld();
    this.#opened = this.#openStore(options);
    this.anchors = new Anchors(options.anchorsFile ?? ANCHORS_FILE);
    this.#policies = new PoliciesInForce(this.#opened.store, this.home);
    this.#waiters = new Waiters({
      store: this.#opened.store,
      feed: this.#opened.feed,
      now: () => this.now(),
      current: (id) => this.current(id),
      disposed: () => this.#disposed(),
    });
    try {
      this.applyDueLeases();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Time that a test gives, or a file system that it makes up, is no one else's. */
  #openStore({ shared, world, busyMs, fileSystemType }: HapEngineOptions): OpenStore {
    const options = { path: this.path, world: this.#world, trust: this.trust, busyMs, fileSystemType };
    return shared && world === undefined && fileSystemType === undefined ? OpenStore.shared(options) : new OpenStore(options);
  }

  /** The store, for as long as this engine is open: others may go on with it. */
  protected get store(): Store {
    this.#assertOpen();
    return this.#opened.store;
  }

  protected now(): number {
    return this.#world.now();
  }

  /** What it takes to erase in a backup of this store. */
  protected copyTools(): CopyTools {
    return { world: this.#world, trust: this.trust, verifySignature: this.verifySignature };
  }

  /** Fill an array with the world's chance. */
  protected readonly random = (bytes: Uint8Array): Uint8Array => this.#world.random(bytes);

  /** One command in one transaction; inside a batch it joins the transaction that is open. */
  protected run<T>(work: (session: Session) => T): T {
    this.#assertOpen();
    return this.#opened.run(work);
  }

  /** Write down a refusal; joins the transaction that is open. */
  recordInvalid(work: (session: Session) => void): void {
    this.run(work);
  }

  /**
   * Run `work`, which may call any method of this engine, in a transaction shared with everything else that was
   * asked for in this turn of the event loop: one sync to disk for all of them. Resolves once it is durable.
   */
  later<T>(work: () => T): Promise<T> {
    return this.#opened.later(work);
  }

  /** Apply leases that are due now; a look without a lock comes first. */
  applyDueLeases(): void {
    readingOnFullDisk(() => this.#opened.applyDueLeases(), undefined);
  }

  /** A ticket's record with everything due applied. */
  protected current(id: string): TicketRecord {
    const record = this.store.ticketById(id);
    if (record === undefined) throw noSuchTicket(id);
    const due = isOpen(record.state) && dueStep(record.state, record.clock, this.now()) !== "nothing";
    if (!due || this.violation() !== null) return record;
    return readingOnFullDisk(() => this.run((session) => session.ticket(id)), record);
  }

  protected view(session: Session, record: TicketRecord): Ticket {
    return viewTicket(session.tx, record, session.now);
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
  waitFor(id: string, options: WaitForOptions = {}): Promise<Ticket> {
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

  /**
   * Tell `listen` every event from now on, each once and in order, whoever wrote it; returns how to stop. Those of this process
   * are handed over as they are, right after their commit: look at them only, and do not throw.
   */
  watchEvents(listen: EventListener): () => void {
    return this.#waiters.watchEvents(listen);
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
    this.#opened.release();
  }
}
