// Errors of the harness itself. How an agent or a task ended is a result, not an error.

/** What went wrong, by code; each has an exit code of the command line. */
const TERM_ERRORS = {
  usage: 2,
  task_invalid: 2,
  run_missing: 2,
  sandbox_missing: 6,
  terminal_failed: 6,
  setup_failed: 6,
  gate_failed: 6,
} as const;
export type TermErrorCode = keyof typeof TERM_ERRORS;

/** An error with a code; the message says what was expected, what came, and what to do next. */
export class TermError extends Error {
  override readonly name = "TermError";
  readonly code: TermErrorCode;

  constructor(code: TermErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  get exitCode(): number {
    return TERM_ERRORS[this.code];
  }
}
