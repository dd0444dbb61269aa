// A yes that waits a few seconds so that its person can undo it (D44). It is kept in the store, not in the log: the log gets the
// decision when it is applied, and nothing if it was undone. Authority and deadline are checked again at that moment.
import { type AssuranceLevel, HapError, isHapError, isOpen, type LeaseClock, LIMITS, type Ticket } from "@hap/protocol";
import { SlowHashes } from "../credentials/slow-hash.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { viewTicket } from "../tickets/view.ts";
import type { Context, Facts } from "../transaction/context.ts";
import { attempt } from "../transaction/group-commit.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import type { DecisionInput } from "./decision.ts";
import { decide } from "./decisions.ts";

/** A yes to hold, and for how long. */
export type HoldInput = {
  decision: "approve" | "answer";
  comment?: string | undefined;
  answer?: unknown;
  edits?: Record<string, unknown> | undefined;
  seconds: number;
  by: string;
  assurance?: AssuranceLevel | undefined;
};

/** What is kept of one while it waits. */
type Held = Omit<HoldInput, "seconds"> & { id: string; until: number };

const KEY = "held_decisions";
/** A held yes is applied this long before its ticket would end by itself. */
const BEFORE_DEADLINE_MS = 1_000;
/** After a store that was busy or full, try again this much later. */
const RETRY_MS = 1_000;

/** Commands that hold, undo and apply decisions. */
export class HeldDecisions {
  readonly #engine: Context;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /**
   * Keep a yes for some seconds, then apply it. It is checked now as if it were applied, so that what would be refused is refused
   * at once. Critical tickets have a confirmation of their own and are not held.
   */
  holdDecision(id: string, { seconds, ...input }: HoldInput): { ticket: Ticket; until: string } {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > LIMITS.holdSecondsMax)
      throw new HapError("invalid_input", `seconds must be a whole number from 1 to ${LIMITS.holdSecondsMax}.`, {
        field: "seconds",
      });
    const held = this.#engine.run((session, facts) => {
      const record = session.ticket(id);
      if (record.ticket.tier === "critical")
        throw new HapError("invalid_input", "A yes to a critical ticket is confirmed by its own step; it cannot be held.", {
          field: "seconds",
        });
      if (wouldBeRefused(session, facts, id, input))
        return decide(session, facts, { id, input, hashes: new SlowHashes() }) as Refused;
      const until = Math.max(session.now, Math.min(session.now + seconds * 1000, endOf(record.clock) - BEFORE_DEADLINE_MS));
      keep(session.tx, [
        ...readHeld(session.tx).filter((other) => !isSame(other, { id, by: input.by })),
        { ...input, id, until },
      ]);
      return { ticket: viewTicket(session.tx, record, session.now), until };
    });
    this.#engine.runner.afterCommit(() => this.wakeForHeld());
    return { ticket: held.ticket, until: toIso(held.until) };
  }

  /** Take back a held yes. It fails if it was applied meanwhile. */
  undoDecision(id: string, by: string): Ticket {
    return this.#engine.run((session) => {
      const all = readHeld(session.tx);
      const mine = all.find((held) => held.id === id && held.by === by);
      if (mine === undefined)
        throw new HapError("nothing_to_undo", "There is nothing to undo: the decision was applied, or none was held.", {
          ticket: id,
        });
      keep(
        session.tx,
        all.filter((held) => held !== mine),
      );
      return viewTicket(session.tx, session.ticket(id), session.now);
    });
  }

  /** Apply each held yes whose time has come; returns when the next is due, or null. */
  applyHeldDecisions(): number | null {
    const due = readHeld(this.#engine.rows).filter(({ until }) => until <= this.#engine.now());
    for (const one of due) this.#apply(one);
    const left = readHeld(this.#engine.rows).map(({ until }) => until);
    return left.length === 0 ? null : Math.min(...left);
  }

  /** Apply what is due, and set a timer for what is not. A process that ends meanwhile leaves it to the next one. */
  wakeForHeld(): void {
    let next: number | null;
    try {
      next = this.#engine.violation() === null ? this.applyHeldDecisions() : null;
    } catch (error) {
      if (!isHapError(error)) throw error;
      next = this.#engine.now() + RETRY_MS;
    }
    clearTimeout(this.#timer);
    if (next === null) return;
    this.#timer = setTimeout(() => this.wakeForHeld(), Math.max(1, next - this.#engine.now()));
    this.#timer.unref();
  }

  /** Stop the timer; the store keeps what is held. */
  stopHeldTimer(): void {
    clearTimeout(this.#timer);
  }

  #apply(due: Pick<Held, "id" | "by">): void {
    const { id } = due;
    const settled = attempt(() =>
      this.#engine.run((session, facts) => {
        const held = readHeld(session.tx).find((other) => isSame(other, due));
        // Undone, replaced by another, or applied by another process.
        if (held === undefined || held.until > session.now) return null;
        keep(
          session.tx,
          readHeld(session.tx).filter((other) => !isSame(other, due)),
        );
        if (!isOpen(session.ticket(id).state)) return null;
        const { until: _, id: __, ...input } = held;
        return decide(session, facts, { id, input, hashes: new SlowHashes() });
      }),
    );
    if ("error" in settled && !refusedForGood(settled.error)) throw settled.error;
  }
}

/** Each person holds one yes to a ticket: two of a quorum may hold theirs at the same time. */
function isSame(held: Pick<Held, "id" | "by">, other: Pick<Held, "id" | "by">): boolean {
  return held.id === other.id && held.by === other.by;
}

/** Undoes a trial; nobody else sees it. */
class Tried extends HapError {
  constructor() {
    super("wrong_state", "The trial was undone.");
  }
}

/** Try a decision and undo it. A refusal is then made again, so that it is logged. */
function wouldBeRefused(session: Session, facts: Facts, id: string, input: DecisionInput): boolean {
  let refused = false;
  const tried = attempt(() =>
    session.attempt(() => {
      refused = decide(session, facts, { id, input, hashes: new SlowHashes() }) instanceof Refused;
      throw new Tried();
    }),
  );
  if ("error" in tried && !(tried.error instanceof Tried)) throw tried.error;
  return refused;
}

/** When the ticket ends by itself at the earliest. */
function endOf({ deadline, lapseAt, remaining }: LeaseClock): number {
  return deadline ?? (lapseAt === null ? Number.POSITIVE_INFINITY : lapseAt + (remaining ?? 0));
}

/** Any refusal drops the yes, and its reason is in the log; only a store that cannot be written leaves it for later. */
function refusedForGood(error: unknown): boolean {
  return isHapError(error) && error.code !== "store_full" && error.code !== "store_busy";
}

function readHeld(rows: StoreReader): Held[] {
  return JSON.parse(rows.config(KEY) ?? "[]") as Held[];
}

function keep(rows: StoreWriter, held: readonly Held[]): void {
  rows.setConfig(KEY, held.length === 0 ? null : JSON.stringify(held));
}

/** Forget what a person holds; they are being deleted. */
export function dropHeldOf(rows: StoreWriter, person: string): void {
  keep(
    rows,
    readHeld(rows).filter(({ by }) => by !== person),
  );
}
