// Schemas are made when they are first used: to make them all would cost every start more than reading the inbox does.

/** A function that calls `make` when it is first called, and gives the same result ever after. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
