// Why a command could not be confined. The message says what to do next.

export type SandboxErrorCode =
  /** Neither bubblewrap nor user namespaces work on this machine. */
  | "not_available"
  /** The project or the working folder cannot be confined to. */
  | "place_refused"
  /** The session's namespaces could not be made or entered. */
  | "session_failed"
  /** A gate path that a command made could not be moved away. */
  | "quarantine_failed";

/** A command could not be confined. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
