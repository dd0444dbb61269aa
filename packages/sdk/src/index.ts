// The public surface of @hap/sdk: two clients, one that asks and one that decides.
export type { AgentClient, AskInput } from "./agent-client.ts";
export { connectAgent } from "./connect-agent.ts";
export type { ConnectOptions } from "./connect-options.ts";
export { connectPerson } from "./connect-person.ts";
export type { ClosedBy, GateCall, Gated, GateOptions, OpenedBy } from "./gate/gate-call.ts";
export { type Outcome, readOutcome } from "./outcome.ts";
export type { DecideOptions, PersonClient } from "./person-client.ts";
export { ticketId } from "./ticket-id.ts";
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
  Sent,
  Signable,
  TicketPage,
  TicketQuery,
  Verdict,
  VerifyReport,
  WaitOptions,
  WebhookView,
} from "./types.ts";
