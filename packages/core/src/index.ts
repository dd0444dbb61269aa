// The public surface of @hap/core: the engine, and what its callers name.
export type {
  DeadLetter,
  EraseResult,
  Insights,
  KeyView,
  LastVerification,
  NewWebhook,
  PolicyPreview,
  Role,
  Verdict,
  VerifyReport,
  Violation,
  WebhookView,
} from "@hap/protocol";
export { Classifier } from "./classifier/classifier.ts";
export type { NewAttachment } from "./conversations/attachments.ts";
export type { AgentQuery, JoinInput, NewMessage } from "./conversations/conversations.ts";
export type { CredentialRecord, UsedCredential } from "./credentials/record.ts";
export {
  type CredentialSource,
  type SignatureProof,
  type SignatureVerifier,
  verifyEnrolled,
} from "./credentials/verify-signature.ts";
export type { DecisionInput } from "./decisions/decision.ts";
export type { DecideOptions } from "./decisions/decisions.ts";
export { ownCommand, resolveDatabase, resolveDbPath } from "./defaults.ts";
export { HapEngine, LOCAL_AGENT } from "./engine.ts";
export type { HapEngineOptions, OpenEngineOptions } from "./engine-options.ts";
export type { EraseRequest } from "./log/erase.ts";
export type { EventQuery } from "./log/events.ts";
export type { SignIn } from "./people/identity.ts";
export { spaceOfKey } from "./people/secret.ts";
export type { Policies } from "./policies/policy.ts";
export type { NewPushSubscription, PushCall, PushNotice } from "./push/push.ts";
export type { By } from "./tickets/by.ts";
export type { ListQuery, TicketPage } from "./tickets/list.ts";
export type { PreparedTicket } from "./tickets/prepare-ticket.ts";
export type { OpenTickets, TicketFacts } from "./tickets/ticket-queries.ts";
export { realWorld, sha256, type World } from "./transaction/facts.ts";
export type { DueDelivery } from "./webhooks/webhooks.ts";
