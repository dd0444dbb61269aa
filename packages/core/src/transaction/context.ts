// What every module of the engine is given: the runner, the store's rows, time and randomness, and who and where we are.
import { dueStep, HapError, isHapError, isOpen, parseHumanId, type TrustClass } from "@hap/protocol";
import type { Anchors } from "../credentials/anchors.ts";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import { scrubEverywhere } from "../log/erase.ts";
import type { CopyTools } from "../log/erase-in-backups.ts";
import { readViolation } from "../log/quarantine.ts";
import type { PolicySource } from "../policies/policies-in-force.ts";
import type { Store, StoreReader, StoreWriter } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { World } from "./facts.ts";
import type { Refused } from "./refused.ts";
import type { Runner } from "./runner.ts";
import { noSuchTicket, type Session } from "./session.ts";

/** What a command may know beside its transaction and its input. The same for every run of one call. */
export type Facts = {
  trust: TrustClass;
  /** The person at this account. */
  localPerson: string;
  /** Where the user's policy file is; verdicts name it. */
  policyPath: string;
  verifySignature: SignatureVerifier;
  /** Fingerprints that root has pinned (D25). Read at most once per call, and only if a key is involved. */
  pinned: () => ReadonlySet<string>;
};

/** How a context is made. */
export type ContextOptions = {
  runner: Runner;
  world: World;
  home: string;
  trust: TrustClass;
  statedPerson: string | null;
  localPerson: string;
  policies: PolicySource;
  verifySignature: SignatureVerifier;
  anchors: Anchors;
};

/** The ground that modules share; it decides nothing. */
export class Context {
  readonly home: string;
  readonly trust: TrustClass;
  readonly localPerson: string;
  readonly policies: PolicySource;
  readonly verifySignature: SignatureVerifier;
  readonly #anchors: Anchors;
  readonly #world: World;
  readonly #stated: string | null;
  readonly #runner: Runner;
  #open = true;

  constructor(options: ContextOptions) {
    this.home = options.home;
    this.trust = options.trust;
    this.localPerson = options.localPerson;
    this.policies = options.policies;
    this.verifySignature = options.verifySignature;
    this.#anchors = options.anchors;
    this.#world = options.world;
    this.#stated = options.statedPerson;
    this.#runner = options.runner;
  }

  /** The store itself: for verification, copies and waiters. Commands and queries read `rows`. */
  get store(): Store {
    this.#assertOpen();
    return this.#runner.store;
  }

  /** The rows as the open transaction sees them, or as they are committed. */
  get rows(): StoreReader {
    this.#assertOpen();
    return this.#runner.rows;
  }

  get runner(): Runner {
    this.#assertOpen();
    return this.#runner;
  }

  now(): number {
    return this.#world.now();
  }

  /** Fill an array with random bytes. */
  readonly random = (bytes: Uint8Array): Uint8Array => this.#world.random(bytes);

  /** What it takes to erase in a backup of this store. */
  copyTools(): CopyTools {
    return { world: this.#world, trust: this.trust, verifySignature: this.verifySignature };
  }

  /** Facts for one call. */
  facts(): Facts {
    const { trust, localPerson, verifySignature } = this;
    let pinned: ReadonlySet<string> | null = null;
    return {
      trust,
      localPerson,
      verifySignature,
      policyPath: this.policies.userPath,
      pinned: () => {
        pinned ??= this.#anchors.read();
        return pinned;
      },
    };
  }

  /** Run a command in a transaction; inside a batch it joins the transaction that is open. */
  run<T>(command: (session: Session, facts: Facts) => T | Refused): T {
    this.#assertOpen();
    const facts = this.facts();
    return this.#runner.run((session) => command(session, facts));
  }

  /** Write rows that are not derived from events; no leases are applied. */
  write<T>(work: (rows: StoreWriter, now: number) => T): T {
    this.#assertOpen();
    return this.#runner.write(work);
  }

  /** Run a command that deletes texts, then remove what is left of them in the files and in the backups. */
  runThenScrub<T>(command: (session: Session, facts: Facts) => T): T {
    const scrub = () => this.#runner.afterCommit(() => scrubEverywhere(this.store, this.copyTools()));
    try {
      const erased = this.run(command);
      scrub();
      return erased;
    } catch (error) {
      // Erased before, but a reader or an unreachable backup may have been in the way then.
      if (isHapError(error) && error.code === "content_erased") scrub();
      throw error;
    }
  }

  /** Apply leases that are due now. On a full disk they stay due, so that tickets can still be read. */
  applyDueLeases(): void {
    this.#assertOpen();
    unlessReadOnly(() => this.#runner.applyDueLeases(), undefined);
  }

  /** A ticket's record with everything due applied. */
  current(id: string): TicketRecord {
    const record = this.rows.ticketById(id);
    if (record === undefined) throw noSuchTicket(id);
    const due = isOpen(record.state) && dueStep(record.state, record.clock, this.now()) !== "nothing";
    if (!due || this.violation() !== null) return record;
    return unlessReadOnly(() => this.run((session) => session.ticket(id)), record);
  }

  /** Who acts: the named person, else the stated one, else null for the ticket's addressee. */
  actingPerson(by: string | undefined): string | null {
    if (by === undefined) return this.#stated;
    return by.includes(":") ? by : parseHumanId(by, "by");
  }

  /** The violation that made this store read-only, or null. */
  violation(): string | null {
    return readViolation(this.rows);
  }

  disposed(): HapError {
    return new HapError("store_unusable", "This engine was disposed; open another one.", { path: this.#runner.store.path });
  }

  #assertOpen(): void {
    if (!this.#open) throw this.disposed();
  }

  /** Close the store, unless others in this process share it. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#runner.release();
  }
}

/** Errors of a store that can be read and not written: a full disk, an archived space, a standby. */
const READ_ONLY: ReadonlySet<string> = new Set(["store_full", "store_read_only", "space_archived", "database_read_only"]);

/** Skip an update that only serves a reader where the store cannot be written: tickets can be read there, and no decision is taken. */
export function unlessReadOnly<T>(update: () => T, otherwise: T): T {
  try {
    return update();
  } catch (error) {
    if (isHapError(error) && READ_ONLY.has(error.code)) return otherwise;
    throw error;
  }
}
