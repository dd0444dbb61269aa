// The shape of handlers: one function an operation, the same for embedded clients and for a server.
import type { InputOf, Operation, Operations, OutputOf } from "@hap/protocol/operations";

/** Runs one operation for a caller. What it returns may be a promise: stores need not be synchronous. */
export type Handler<O extends Operation, C> = (caller: C, input: InputOf<O>) => OutputOf<O> | Promise<OutputOf<O>>;

/** A handler for every operation of a table. */
export type Handlers<T extends Operations, C> = { [K in keyof T]: Handler<T[K], C> };
