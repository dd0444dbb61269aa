// The base of every table: prepared statements and the connection's cache. A table has no state of its own, so that the
// methods of all tables can be merged into one class.
import type { Mirror } from "../mirror.ts";
import type { Statements } from "../statements.ts";

/** Reads or writes of one subject. */
export abstract class Table {
  protected readonly sql: Statements;
  protected readonly mirror: Mirror;
  /** The space whose log this is. */
  readonly space: string;

  constructor(sql: Statements, mirror: Mirror, space: string) {
    this.sql = sql;
    this.mirror = mirror;
    this.space = space;
  }
}

type TableClass = new (sql: Statements, mirror: Mirror, space: string) => Table;
type Instance<T> = T extends new (...args: never[]) => infer I ? I : never;
type Both<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer I) => void ? I : never;

/** One class with the methods of all these tables; two that share a name are a mistake. */
export function merge<T extends readonly TableClass[]>(
  ...tables: T
): new (
  sql: Statements,
  mirror: Mirror,
  space: string,
) => Both<Instance<T[number]>> {
  class Merged extends Table {}
  for (const { prototype } of tables) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === "constructor") continue;
      if (Object.hasOwn(Merged.prototype, name)) throw new Error(`Two tables have a method ${name}.`);
      Object.defineProperty(Merged.prototype, name, descriptor);
    }
  }
  return Merged as never;
}
