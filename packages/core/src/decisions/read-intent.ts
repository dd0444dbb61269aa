// A signed form as it comes in (21.2): every field is there, none is unknown, and it is about the ticket and by the person
// that it was sent for. What fails here is refused and logged like any other refused intent (6.2).
import {
  DECISIONS,
  type Decision,
  HapError,
  ID_PATTERNS,
  parseWith,
  quote,
  type SignedIntent,
  signedIntentSchema,
} from "@hap/protocol";

/** Where a signed form was sent, and by whom: what the form says must agree. */
export type SentIntent = { ticketId: string; person: string };

/** Read the whole form, or say which field is wrong. */
export function readSignedIntent(intent: unknown, sent?: SentIntent): SignedIntent {
  const signed = parseWith(signedIntentSchema().strict(), intent, "The intent");
  if (sent === undefined) return signed;
  if (signed.ticket_id !== sent.ticketId) throw mismatch("ticket_id", signed.ticket_id, sent.ticketId);
  if (signed.from !== sent.person) throw mismatch("from", signed.from, sent.person);
  return signed;
}

function mismatch(field: "ticket_id" | "from", actual: string, expected: string): HapError {
  return new HapError(
    "statement_mismatch",
    `Statement mismatch: ${field} is ${quote(actual)}, but the intent was sent for ${quote(expected)}. Ask for a new challenge.`,
    { field, expected, actual },
  );
}

/** What can be read of a form that was refused, for the log: only values that a field of the log may hold. */
export function readableParts(
  intent: unknown,
  sent?: SentIntent,
): { id: string; by: string | undefined; decision: Decision | null; nonce: string | null } {
  const parts = typeof intent === "object" && intent !== null ? (intent as Record<string, unknown>) : {};
  const text = (field: string) => (typeof parts[field] === "string" ? (parts[field] as string) : "");
  return {
    id: sent?.ticketId ?? text("ticket_id"),
    by: sent?.person ?? (ID_PATTERNS.human.test(text("from")) ? text("from") : undefined),
    decision: DECISIONS.find((decision) => decision === parts.decision) ?? null,
    nonce: ID_PATTERNS.nonce.test(text("nonce")) ? text("nonce") : null,
  };
}
