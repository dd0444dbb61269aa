// Each operation with its handler: the one that embedded clients run, or the server's own.
import {
  agentOperations,
  type InputOf,
  type Operation,
  type OutputOf,
  personOperations,
  serverOperations,
} from "@hap/protocol/operations";
import { agentHandlers, type Caller, eitherHandlers, personHandlers } from "@hap/sdk/embedded";
import { type InputReader, inputReader } from "./read-input.ts";
import type { OwnReply } from "./reply.ts";
import type { ApiRequest } from "./request.ts";

const operations = { ...agentOperations, ...personOperations, ...serverOperations };
type Table = typeof operations;

/** A handler of the server's own: its operation means something only on a server, or needs the request. */
type ServerHandler<O extends Operation> = (
  call: ApiRequest,
  input: InputOf<O>,
) => OutputOf<O> | OwnReply | Promise<OutputOf<O> | OwnReply>;

/** A handler for each operation that only a server has, and for those that a server does differently. */
export type ServerHandlers = {
  [K in keyof typeof serverOperations]: ServerHandler<(typeof serverOperations)[K]>;
} & { [K in keyof Table]?: ServerHandler<Table[K]> };

/** An operation, ready to serve. */
export type Entry = {
  operation: Operation;
  read: InputReader;
  handle: (call: ApiRequest, input: object) => unknown;
};

type Shared = (caller: Caller, input: object) => unknown;

/** Every operation of the table, ready to serve. */
export function entriesOf(own: ServerHandlers): Entry[] {
  const shared = { ...eitherHandlers, ...agentHandlers, ...personHandlers } as unknown as Record<string, Shared | undefined>;
  return Object.entries(operations).map(([name, operation]) => {
    const special = (own as Record<string, ((call: ApiRequest, input: object) => unknown) | undefined>)[name];
    const common = shared[name];
    // The table says who calls, and `whoAsks` has checked it: an agent's handler never gets a person.
    const handle = special ?? ((call: ApiRequest, input: object) => (common as Shared)(call.caller as Caller, input));
    return { operation, read: inputReader(operation), handle };
  });
}

/** Every operation, for the document. */
export const allOperations: readonly Operation[] = Object.values(operations);
