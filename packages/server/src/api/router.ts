// From a method and a path to an operation. Paths without parameters are looked up at once, others by their segments.
import type { Operation } from "@hap/protocol/operations";

/** An operation's entry and the values of its path parameters. */
export type Match<E> = { entry: E; params: Record<string, string> };

type Node<E> = { fixed: Map<string, Node<E>>; any: Node<E> | null; methods: Map<string, { entry: E; names: readonly string[] }> };

const newNode = <E>(): Node<E> => ({ fixed: new Map(), any: null, methods: new Map() });

/** Finds entries by method and path. */
export class Router<E extends { operation: Operation }> {
  readonly #root = newNode<E>();

  constructor(entries: readonly E[]) {
    for (const entry of entries) this.#add(entry);
  }

  #add(entry: E): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of entry.operation.path.slice(1).split("/")) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = node.fixed.get(segment) ?? newNode<E>();
        node.fixed.set(segment, next);
        node = next;
      } else {
        names.push(name);
        node.any ??= newNode<E>();
        node = node.any;
      }
    }
    node.methods.set(entry.operation.method, { entry, names });
  }

  /** The entry, or the methods that the path has as the header Allow lists them, or null where nothing is. */
  find(method: string, path: string): Match<E> | { allow: string } | null {
    const values: string[] = [];
    const node = walk(this.#root, path.slice(1).split("/"), 0, values);
    if (node === null) return null;
    const found = node.methods.get(method === "HEAD" ? "GET" : method);
    if (found === undefined) return { allow: [...node.methods.keys()].join(", ") };
    const params: Record<string, string> = {};
    for (const [index, name] of found.names.entries()) params[name] = decoded(values[index] as string);
    return { entry: found.entry, params };
  }
}

/** The node at the end of a path; a fixed segment wins over a parameter. */
function walk<E>(node: Node<E>, segments: readonly string[], at: number, values: string[]): Node<E> | null {
  if (at === segments.length) return node.methods.size === 0 ? null : node;
  const segment = segments[at] as string;
  const fixed = node.fixed.get(segment);
  if (fixed !== undefined) {
    const found = walk(fixed, segments, at + 1, values);
    if (found !== null) return found;
  }
  if (node.any === null || segment === "") return null;
  values.push(segment);
  const found = walk(node.any, segments, at + 1, values);
  if (found === null) values.pop();
  return found;
}

/** A path segment as it was meant; what is no valid encoding is taken as it is. */
function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
