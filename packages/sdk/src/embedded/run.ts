// Running an operation on an engine of this process.
import type { Operations, Send } from "@hap/protocol/operations";
import type { Handler, Handlers } from "./handlers/handlers.ts";

/** Sends every operation to its handler. */
export function runOn<T extends Operations, C>(handlers: Handlers<T, C>, caller: C): Send<T> {
  return async (name, input) => (handlers[name] as Handler<T[typeof name], C>)(caller, given(input as object) as never);
}

/** Values without those that were left out. */
function given(values: object): object {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) copy[name] = value;
  return copy;
}
