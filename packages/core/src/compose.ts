// Composition: one object with the methods of several modules, each of which stands alone.

type Class = new (...args: never[]) => object;
type Classes = Record<string, Class>;
/** The module objects, by their names. */
type Modules<C extends Classes> = { [K in keyof C]: InstanceType<C[K]> };
type Both<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer I) => void ? I : never;
/** The public methods of all modules. */
type Methods<C extends Classes> = Both<{ [K in keyof C]: Pick<InstanceType<C[K]>, keyof InstanceType<C[K]>> }[keyof C]>;

/** A class that is given a module of each class and hands every call on to the one that has the method. */
export function composed<C extends Classes>(classes: C): new (modules: Modules<C>) => Methods<C> {
  class Composed {
    readonly #modules: Modules<C>;

    constructor(modules: Modules<C>) {
      this.#modules = modules;
    }

    static {
      for (const [module, { prototype }] of Object.entries(classes)) {
        for (const name of Object.getOwnPropertyNames(prototype)) {
          if (name === "constructor") continue;
          if (name in Composed.prototype) throw new Error(`Two modules have a method ${name}.`);
          Object.defineProperty(Composed.prototype, name, {
            value(this: Composed, ...args: unknown[]) {
              const target = this.#modules[module] as Record<string, (...args: unknown[]) => unknown>;
              return target[name]?.(...args);
            },
          });
        }
      }
    }
  }
  return Composed as never;
}
