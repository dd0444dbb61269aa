// Which form of a decision came in: words alone, or the signed form (21.2), which is checked whole or refused.

/** The fields that only the signed form has; one of them is enough to make it one. */
export const SIGNED_FORM_FIELDS = ["ticket_id", "from", "artifact_hash", "expires_at", "nonce", "signature"] as const;

/** True if a body carries any field of the signed form, so that a bad one is never read as plain words. */
export function carriesSignedForm(body: object): boolean {
  return SIGNED_FORM_FIELDS.some((field) => Object.hasOwn(body, field));
}
