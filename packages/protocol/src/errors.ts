// Every error that HAP can give, as data: code, kind, HTTP status, exit code, title. Callers match on `code`.
// "Rejected" and "expired" are results, not errors. A message says what was expected, what came, what to do next.

/** The kinds, which set how a caller reacts; each has its exit code. */
export const ERROR_KINDS = {
  invalid: { exit: 2, meaning: "the input is wrong; correct it and call again" },
  denied: { exit: 3, meaning: "the caller may not do this" },
  missing: { exit: 4, meaning: "there is no such thing, or the caller may not see it" },
  conflict: { exit: 5, meaning: "the thing is not in a state that allows this" },
  busy: { exit: 6, meaning: "nothing was done; the same call may succeed later" },
  integrity: { exit: 7, meaning: "the store cannot be trusted or used; nothing is written" },
} as const;
export type ErrorKind = keyof typeof ERROR_KINDS;

/** The table. Its text is generated into `spec/errors.md`. */
export const ERRORS = {
  invalid_input: { kind: "invalid", status: 400, title: "A field has a value that is not allowed" },
  invalid_json: { kind: "invalid", status: 400, title: "The text is not JSON that can be kept exactly" },
  invalid_id: { kind: "invalid", status: 400, title: "An identifier has the wrong shape" },
  invalid_cursor: { kind: "invalid", status: 400, title: "The cursor was not made by HAP" },
  invalid_answer: { kind: "invalid", status: 422, title: "The answer does not fit the question" },
  invalid_policy: { kind: "invalid", status: 422, title: "A policy file cannot be used" },
  too_large: { kind: "invalid", status: 413, title: "The input is larger than the limit" },
  auto_approve_refused: { kind: "invalid", status: 422, title: "Time alone may not approve this ticket" },
  artifact_differs: { kind: "invalid", status: 422, title: "The given hash is not that of the bytes given" },
  not_addressee: { kind: "denied", status: 403, title: "The ticket is addressed to somebody else" },
  own_ticket: { kind: "denied", status: 403, title: "Nobody decides a ticket of their own" },
  agent_cannot_decide: { kind: "denied", status: 403, title: "Agents do not decide" },
  requester_cannot_approve: { kind: "denied", status: 403, title: "Whoever asked cannot approve it" },
  phrase_wrong: { kind: "denied", status: 403, title: "The phrase is wrong, used or expired" },
  page_needed: { kind: "denied", status: 403, title: "This must be confirmed on the page" },
  confirmation_needed: { kind: "denied", status: 403, title: "A yes to a critical ticket must be confirmed" },
  assurance_too_low: { kind: "denied", status: 403, title: "The evidence that a person decided is too weak" },
  terminal_needed: { kind: "denied", status: 403, title: "This must be confirmed at a terminal" },
  code_wrong: { kind: "denied", status: 403, title: "The one-time code is wrong" },
  code_expired: { kind: "denied", status: 403, title: "The one-time code expired" },
  policy_denied: { kind: "denied", status: 403, title: "A policy rule forbids this" },
  signature_needed: { kind: "denied", status: 403, title: "A signature is needed" },
  signature_invalid: { kind: "denied", status: 403, title: "Signature invalid" },
  statement_mismatch: { kind: "denied", status: 403, title: "Statement mismatch" },
  ceremony_mismatch: { kind: "denied", status: 403, title: "Signed for another purpose" },
  origin_mismatch: { kind: "denied", status: 403, title: "Origin mismatch" },
  rp_mismatch: { kind: "denied", status: 403, title: "RP id mismatch" },
  user_presence_missing: { kind: "denied", status: 403, title: "User presence missing" },
  user_verification_missing: { kind: "denied", status: 403, title: "User verification missing" },
  counter_regressed: { kind: "denied", status: 403, title: "Signature counter went back" },
  credential_mismatch: { kind: "denied", status: 403, title: "Signed by the wrong key" },
  credential_revoked: { kind: "denied", status: 403, title: "The credential was revoked" },
  artifact_mismatch: { kind: "denied", status: 409, title: "Artifact hash mismatch" },
  intent_expired: { kind: "denied", status: 409, title: "Intent expired" },
  intent_future_dated: { kind: "denied", status: 409, title: "Intent dated in the future" },
  nonce_used: { kind: "denied", status: 409, title: "Nonce already used" },
  key_invalid: { kind: "denied", status: 401, title: "The API key is not valid" },
  login_needed: { kind: "denied", status: 401, title: "Nobody is signed in" },
  login_failed: { kind: "denied", status: 401, title: "The sign-in did not succeed" },
  scope_missing: { kind: "denied", status: 403, title: "The key or role does not allow this" },
  origin_refused: { kind: "denied", status: 403, title: "The request comes from a place that is not trusted" },
  sandbox_unavailable: { kind: "denied", status: 403, title: "The command cannot be confined here" },
  key_not_found: { kind: "missing", status: 404, title: "No such API key" },
  webhook_not_found: { kind: "missing", status: 404, title: "No such webhook or message" },
  method_not_allowed: { kind: "invalid", status: 405, title: "The address does not know this method" },
  route_not_found: { kind: "missing", status: 404, title: "Nothing is served at this address" },
  ticket_not_found: { kind: "missing", status: 404, title: "No such ticket" },
  content_erased: { kind: "missing", status: 410, title: "The content was erased" },
  person_unknown: { kind: "missing", status: 404, title: "No such person" },
  agent_unknown: { kind: "missing", status: 404, title: "No such agent" },
  message_unknown: { kind: "missing", status: 404, title: "No such message" },
  credential_unknown: { kind: "missing", status: 404, title: "No such credential" },
  grant_not_found: { kind: "missing", status: 404, title: "No such grant" },
  wrong_state: { kind: "conflict", status: 409, title: "The ticket's state does not allow this" },
  message_told: { kind: "conflict", status: 409, title: "The message was told or withdrawn already" },
  already_decided: { kind: "conflict", status: 409, title: "Somebody decided first" },
  not_your_turn: { kind: "conflict", status: 409, title: "Somebody else approves first" },
  nothing_to_undo: { kind: "conflict", status: 409, title: "There is no decision to undo" },
  deadline_passed: { kind: "conflict", status: 409, title: "The lease ended before this arrived" },
  id_conflict: { kind: "conflict", status: 409, title: "The ticket id is taken by other content" },
  ambiguous_id: { kind: "conflict", status: 409, title: "Several tickets match" },
  already_consumed: { kind: "conflict", status: 409, title: "The decision was used already" },
  not_consumable: { kind: "conflict", status: 409, title: "There is no yes to use" },
  credential_exists: { kind: "conflict", status: 409, title: "The key is enrolled already" },
  binding_stale: { kind: "conflict", status: 409, title: "What was approved is no longer what would be done" },
  limit_reached: { kind: "conflict", status: 409, title: "A limit of this ticket is reached" },
  edits_refused: { kind: "conflict", status: 409, title: "This ticket does not allow edits" },
  cursor_forked: { kind: "conflict", status: 409, title: "The cursor belongs to another history" },
  idempotency_conflict: { kind: "conflict", status: 409, title: "The idempotency key was used for another request" },
  space_not_found: { kind: "missing", status: 404, title: "No such space" },
  space_archived: { kind: "conflict", status: 409, title: "The space is archived" },
  rate_limited: { kind: "busy", status: 429, title: "Too many attempts" },
  overloaded: { kind: "busy", status: 429, title: "There is more work than can be taken now" },
  server_unreachable: { kind: "busy", status: 503, title: "The server does not answer" },
  server_stopping: { kind: "busy", status: 503, title: "The server is shutting down" },
  store_busy: { kind: "busy", status: 503, title: "The store is locked by another process" },
  database_read_only: { kind: "busy", status: 503, title: "The database takes reads only" },
  quota_exceeded: { kind: "busy", status: 429, title: "A quota is used up" },
  github_failed: { kind: "busy", status: 503, title: "GitHub did not do what it was asked" },
  store_full: { kind: "busy", status: 507, title: "The disk did not take the data" },
  integrity_violation: { kind: "integrity", status: 500, title: "The event log does not verify" },
  store_corrupt: { kind: "integrity", status: 500, title: "The store's file is damaged" },
  store_newer: { kind: "integrity", status: 500, title: "The store was written by a newer HAP" },
  upgrade_needed: { kind: "integrity", status: 500, title: "The store was upgraded while this process ran" },
  store_read_only: { kind: "integrity", status: 500, title: "The store cannot be written" },
  store_unusable: { kind: "integrity", status: 500, title: "The store cannot be opened" },
} as const satisfies Record<string, { kind: ErrorKind; status: number; title: string }>;
export type ErrorCode = keyof typeof ERRORS;

/** An expected failure. `message` is for people, `code` and `fields` are for programs. */
export class HapError extends Error {
  override readonly name = "HapError";
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, fields: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fields = fields;
  }

  get kind(): ErrorKind {
    return ERRORS[this.code].kind;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get exitCode(): number {
    return ERROR_KINDS[this.kind].exit;
  }

  /** The error as it crosses a wire; the HTTP face adds problem+json around it. */
  toJSON(): { code: ErrorCode; title: string; message: string; fields: Readonly<Record<string, unknown>> } {
    return { code: this.code, title: ERRORS[this.code].title, message: this.message, fields: this.fields };
  }
}

/** True for an expected failure, also one that crossed a bundle boundary. */
export function isHapError(error: unknown): error is HapError {
  return error instanceof Error && error.name === "HapError" && "code" in error && Object.hasOwn(ERRORS, error.code as string);
}
