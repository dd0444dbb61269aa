// A client made from a table of operations: one method for each, which turns its arguments into the input and sends it.
import type { Method, Operations, Send } from "@hap/protocol/operations";

/** The methods that a client gets from its table, but for those that it writes itself. */
export type Derived<T extends Operations, Own extends keyof T> = { [K in Exclude<keyof T, Own>]: Method<T[K]> };

/** A class with a method for each operation of the table, but for `own`: those the subclass offers in another form, or not. */
export function clientOf<T extends Operations, Own extends keyof T>(
  operations: T,
  own: readonly Own[],
): new (
  send: Send<T>,
) => Derived<T, Own> {
  class Client {
    readonly #send: Send<T>;

    constructor(send: Send<T>) {
      this.#send = send;
    }

    static {
      for (const [name, { call, give }] of Object.entries(operations)) {
        if (call === undefined || own.includes(name as Own)) continue;
        Object.defineProperty(Client.prototype, name, {
          configurable: true,
          async value(this: Client, ...args: unknown[]) {
            const answer: unknown = await this.#send(name, call(...args) as never);
            return give === undefined ? answer : (answer as Record<string, unknown>)[give];
          },
        });
      }
    }
  }
  return Client as never;
}
