// The types that both clients share; none of them names a database.
export type {
  AgentQuery,
  DeadLetter,
  EnrolInput,
  EraseResult,
  JoinInput,
  KeyView,
  Needed,
  NewEnrolment,
  NewKey,
  NewMessage,
  NewWebhook,
  PersonView,
  PolicyCheck,
  PolicyDecision,
  Sent,
  Signable,
  TicketPage,
  TicketQuery,
  Verdict,
  VerifyReport,
  WebhookView,
} from "@hap/protocol";

/** How long to wait. `renew` keeps the lease alive while this process waits (D15). */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal; renew?: boolean };
