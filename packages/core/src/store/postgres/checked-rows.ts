// The store's reads and writes on a node's copy, each after looking that the rows it needs are there.
import type { HapError } from "@hap/protocol";
import type { StoreReader, StoreWriter } from "../store.ts";
import { type Guard, READS, WRITES } from "./needs.ts";
import type { Scanner } from "./scanner.ts";

type Methods = Record<string, (...args: never[]) => unknown>;
type Checks = Record<string, "whole" | "scan" | "own" | ((guard: Guard, ...args: never[]) => void)>;

/** What a transaction deletes by a condition, beside the rows that it changed. */
export type Conditions = { clear: Set<string>; forget: number | null };

class CheckedReads {
  readonly guard: Guard;
  readonly scanner: Scanner;
  readonly space: string;
  readonly problem: () => string | null;

  constructor(guard: Guard, scanner: Scanner, space: string, problem: () => string | null) {
    this.guard = guard;
    this.scanner = scanner;
    this.space = space;
    this.problem = problem;
  }

  schemaProblem(): string | null {
    return this.problem();
  }
}

class CheckedWrites extends CheckedReads {
  readonly conditions: Conditions = { clear: new Set(), forget: null };
  /** Thrown by every write, where nothing can be written. */
  refusal: HapError | null = null;

  #clear(...tables: string[]): void {
    this.#guardWrite();
    for (const name of tables) {
      this.conditions.clear.add(name);
      this.guard.cleared.add(name);
    }
  }

  clearTickets(): void {
    this.#clear("tickets");
    this.guard.copy.rows.clearTickets();
  }

  clearConversations(): void {
    this.#clear("agents", "messages");
    this.guard.copy.rows.clearConversations();
  }

  clearKeys(): void {
    this.#clear("api_keys");
    this.guard.copy.rows.clearKeys();
  }

  #guardWrite(): void {
    if (this.refusal !== null) throw this.refusal;
  }

  dropIdempotent(before: number): void {
    this.#guardWrite();
    this.conditions.forget = Math.max(before, this.conditions.forget ?? before);
    this.guard.copy.rows.dropIdempotent(before);
  }
}

/** Reads among the methods of a transaction. */
const READING = new Set<string>(["attempt", ...Object.keys(READS)]);

function define(prototype: object, checks: Checks): void {
  for (const [name, check] of Object.entries(checks)) {
    if (check === "own") continue;
    Object.defineProperty(prototype, name, {
      value(this: CheckedReads & { refusal?: HapError | null }, ...args: never[]) {
        if (this.refusal && !READING.has(name)) throw this.refusal;
        if (check === "scan") return (this.scanner as unknown as Methods)[name]?.(...args);
        if (check !== "whole") check(this.guard, ...args);
        return (this.guard.copy.rows as unknown as Methods)[name]?.(...args);
      },
    });
  }
}

define(CheckedReads.prototype, READS as unknown as Checks);
define(CheckedWrites.prototype, WRITES as unknown as Checks);

type Make<T> = new (guard: Guard, scanner: Scanner, space: string, problem: () => string | null) => T;
/** Every read of the store, on a copy. */
export const CheckedReader = CheckedReads as unknown as Make<StoreReader>;
/** Every read and write of a transaction, on a copy. */
export const CheckedWriter = CheckedWrites as unknown as Make<
  StoreWriter & { readonly conditions: Conditions; refusal: HapError | null }
>;
