// A failure of the hook itself. Whatever it is, the gate stays closed; the message says why and what to do.

/** Something is wrong with how the hook was called. */
export class HookError extends Error {
  override readonly name = "HookError";
}
